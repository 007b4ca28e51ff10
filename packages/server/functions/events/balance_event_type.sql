-- The type of the balance stream's event that a row of the feed holds; null if it holds none.
create or replace function balance_event_type(p_source text, p_amount bigint, p_type text)
returns text language sql immutable as $$
  select case p_source
    when 'taken' then 'balance.deducted'
    when 'refunded' then 'balance.refunded'
    when 'entry' then case when p_amount > 0 then 'balance.added' else 'balance.deducted' end
    when 'own' then case when p_type = 'balance.low' then p_type end
  end
$$;
