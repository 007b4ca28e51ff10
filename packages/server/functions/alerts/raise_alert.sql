-- Raises an alert, or counts it once more while it is open. Returns true if the alert is new.
create or replace function raise_alert(p_kind text, p_subject text, p_text text, p_severity text)
returns boolean language plpgsql as $$
declare
  v_result boolean;
begin
  insert into operator_alerts as a (kind, subject, text, severity, raised_at, last_seen_at, times)
  values (p_kind, p_subject, p_text, p_severity, clock_timestamp(), clock_timestamp(), 1)
  on conflict (kind, subject) where cleared_at is null
  do update set text = excluded.text, severity = excluded.severity, last_seen_at = excluded.last_seen_at,
                times = a.times + 1
  returning times = 1 into v_result;
  return v_result;
end $$;
