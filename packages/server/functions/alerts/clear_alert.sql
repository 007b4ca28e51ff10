-- Clears an alert whose cause is gone.
create or replace function clear_alert(p_kind text, p_subject text) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update operator_alerts set cleared_at = v_now
   where kind = p_kind and subject = p_subject and cleared_at is null;
end $$;
