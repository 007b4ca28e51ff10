-- Ringgit for one unit of the currency at a time; null: there was no rate.
create or replace function rate_at(p_currency text, p_at timestamptz) returns numeric language plpgsql stable as $$
begin
  return (
    select case when p_currency = 'MYR' then 1 else (
      select rate from currency_rates
       where currency = p_currency and from_at <= p_at
       order by from_at desc, id desc limit 1
    ) end
  );
end $$;
