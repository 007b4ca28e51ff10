-- A change of an operator's password, role or status ends their sessions in the same commit, whichever statement makes
-- it. A change of password or status also revokes their tokens.
create or replace function operators_end_sessions() returns trigger language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform end_sessions_of('operator', 0, new.id);
  if old.password_hash <> new.password_hash or old.status <> new.status then
    update operator_tokens set revoked_at = v_now where operator_id = new.id and revoked_at is null;
  end if;
  return null;
end $$;

create or replace trigger operators_end_sessions after update on operators for each row
  when (old.password_hash <> new.password_hash or old.role <> new.role or old.status <> new.status)
  execute function operators_end_sessions();
