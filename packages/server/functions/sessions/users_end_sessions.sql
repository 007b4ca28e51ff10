-- A change of a member's password, role or status ends their sessions in the same commit, whichever statement makes
-- it.
create or replace function users_end_sessions() returns trigger language plpgsql as $$
begin
  perform end_sessions_of('member', new.reseller_id, new.id);
  return null;
end $$;

create or replace trigger users_end_sessions after update on users for each row
  when (old.password_hash <> new.password_hash or old.role <> new.role or old.status <> new.status)
  execute function users_end_sessions();
