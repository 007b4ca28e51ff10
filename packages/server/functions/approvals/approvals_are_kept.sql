-- An approval is decided once and kept: the only change is from pending to a decision, with the request as it was
-- made.
create or replace function approvals_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = 'pending' and new.state <> 'pending'
     and row (new.id, new.kind, new.target_kind, new.target, new.requested_by, new.requested_at, new.expires_at,
              new.sealed_request)
       = row (old.id, old.kind, old.target_kind, old.target, old.requested_by, old.requested_at, old.expires_at,
              old.sealed_request)
     and new.reseller_id is not distinct from old.reseller_id
  then
    return new;
  end if;
  raise exception 'approvals are decided once, and are kept';
end $$;

create or replace trigger approvals_kept before update or delete on approvals
  for each row execute function approvals_are_kept();

create or replace trigger approvals_not_truncated before truncate on approvals
  for each statement execute function approvals_are_kept();
