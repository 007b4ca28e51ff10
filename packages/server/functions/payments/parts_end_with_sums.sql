-- A day whose sums are not current has no current parts either. Nodes of the version before do not know of parts.
create or replace function parts_end_with_sums() returns trigger language plpgsql as $$
begin
  new.has_parts := false;
  return new;
end $$;

create or replace trigger payment_rollup_days_parts before update on payment_rollup_days
  for each row when (new.has_parts and not new.is_current) execute function parts_end_with_sums();
