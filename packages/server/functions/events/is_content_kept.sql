-- Whether the content of a delivery still exists. All content is kept but that of catalogue changes: a replay is made
-- later than the delivery it repeats, so it may outlive its change.
create or replace function is_content_kept(p_delivery deliveries) returns boolean language plpgsql stable as $$
begin
  return (
    select p_delivery.source <> 'catalog' or (
      exists (select from account_catalog_events a
               where a.reseller_id = p_delivery.reseller_id and a.version = p_delivery.subject)
      and exists (select from catalog_events e
                   where e.version = p_delivery.subject and e.set_id = p_delivery.catalog_set_id
                     and e.position = p_delivery.catalog_position))
  );
end $$;
