-- Rates are never changed or deleted: amounts of the past are told by them.
create or replace function rates_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'rates are immutable: a new one is set instead';
end $$;

create or replace trigger currency_rates_immutable before update or delete or truncate on currency_rates
  for each statement execute function rates_are_immutable();
