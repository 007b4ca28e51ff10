-- State of a request now. `expired` is not stored.
create or replace function approval_state(p_id bigint) returns text language plpgsql as $$
declare
  v_result text;
begin
  select case when state = 'pending' and expires_at <= clock_timestamp() then 'expired' else state end
    into v_result from approvals where id = p_id;
  return v_result;
end $$;
