-- Records that the database was returned to an earlier moment, in the commit that makes it safe: from now on refids that
-- it does not know are neither taken nor rejected, payments in progress are asked about and never sent, and numbers that
-- were given to others after the moment are not given again. `p_resellers` are all accounts. Returns the number of the
-- restore.
create or replace function mark_restored(p_restored_to timestamptz, p_log_read_to timestamptz, p_resellers bigint[])
returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_now timestamptz := clock_timestamp();
begin
  insert into restores (restored_to, restored_at, log_read_to)
  values (p_restored_to, v_now, p_log_read_to)
  returning id into v_id;
  -- No node of the time before the restore is left that could hold a lease.
  update payment_work set is_ask_only = true, is_leased = false, lease = lease + 1, next_at = v_now;
  perform skip_event_numbers(p_resellers);
  perform skip_case_numbers();
  return v_id;
end $$;
