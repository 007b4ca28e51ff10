-- Clears an alert whose cause is gone.
create or replace function clear_alert(p_kind text, p_subject text) returns void language sql as $$
  update operator_alerts set cleared_at = clock_timestamp()
   where kind = p_kind and subject = p_subject and cleared_at is null
$$;
