-- The audit log, its head and its key are never deleted, and log and key never changed.
create or replace function audit_is_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is immutable';
end $$;

create or replace trigger audit_log_immutable before update or delete or truncate on audit_log
  for each statement execute function audit_is_immutable();

create or replace trigger audit_head_kept before delete or truncate on audit_head
  for each statement execute function audit_is_immutable();

create or replace trigger audit_keys_kept before update or delete or truncate on audit_keys
  for each statement execute function audit_is_immutable();
