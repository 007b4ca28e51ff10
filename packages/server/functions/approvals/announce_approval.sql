-- Tells operators' pages that something was asked for or decided, in the same commit. The request itself stays sealed.
create or replace function announce_approval() returns trigger language plpgsql as $$
begin
  perform append_house_fact(
    case when new.state = 'pending' then 'approval.requested' else 'approval.decided' end,
    jsonb_build_object('id', new.id::text, 'kind', new.kind, 'state', new.state,
                       'requested_by', new.requested_by::text),
    clock_timestamp());
  return null;
end $$;

create or replace trigger approvals_told after insert or update of state on approvals for each row
  execute function announce_approval();
