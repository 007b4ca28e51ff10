-- Finds where a requested delivery goes; `state` says why it would not arrive.
create or replace function find_open_endpoint(p_reseller bigint, p_stream text, p_even_paused boolean, out state text,
                                   out url text, out method text)
language plpgsql stable as $$
begin
  select case when not e.is_enabled then 'disabled' when e.paused_at is not null and not p_even_paused then 'paused'
              else 'open' end, e.url, e.method
    into state, url, method
    from event_endpoints e where e.reseller_id = p_reseller and e.stream = p_stream;
  state := coalesce(state, 'missing');
end $$;
