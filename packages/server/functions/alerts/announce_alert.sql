-- Tells operators' pages that an alert was opened or cleared, in the same commit, whichever statement does it.
create or replace function announce_alert() returns trigger language plpgsql as $$
begin
  perform append_house_fact(
    case when new.cleared_at is null then 'alert.opened' else 'alert.cleared' end,
    jsonb_build_object('id', new.id::text, 'kind', new.kind, 'subject', new.subject, 'severity', new.severity),
    clock_timestamp());
  return null;
end $$;

create or replace trigger alerts_told_opened after insert on operator_alerts for each row
  when (new.cleared_at is null)
  execute function announce_alert();

create or replace trigger alerts_told_cleared after update of cleared_at on operator_alerts for each row
  when (old.cleared_at is null and new.cleared_at is not null)
  execute function announce_alert();
