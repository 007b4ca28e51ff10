-- State of a request now. `expired` is not stored.
create or replace function approval_state(p_id bigint) returns text language sql as $$
  select case when state = 'pending' and expires_at <= clock_timestamp() then 'expired' else state end
    from approvals where id = p_id
$$;
