-- Closings are never changed or deleted: a day is closed once.
create or replace function closings_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'closings are immutable: a day is closed once';
end $$;

create or replace trigger daily_closings_immutable before update or delete or truncate on daily_closings
  for each statement execute function closings_are_immutable();
