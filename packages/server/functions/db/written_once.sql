-- Refuses to change here what is written in the first group alone. The job that carries it says so to its transaction.
create or replace function written_once() returns trigger language plpgsql as $$
declare
  v_source text;
begin
  if current_setting('warung.carries', true) = 'on' then
    return null;
  end if;
  select c.source into v_source from carried_version c;
  if v_source is not null then
    raise exception using errcode = 'WG001', message = format(
      'This is written in the first group, at %s, and carried to this one: change it there.', v_source);
  end if;
  return null;
end $$;

create or replace trigger written_once before insert or update or delete or truncate on catalog_groups
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on catalog_categories
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on catalog_products
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on catalog_options
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on catalog_texts
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on price_levels
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on wholesale_prices
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on level_limits
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on number_plans
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on currency_rates
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on provider_connections
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on provider_routes
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on provider_packs
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on network_notices
  for each statement execute function written_once();
create or replace trigger written_once before insert or update or delete or truncate on operators
  for each statement execute function written_once();
