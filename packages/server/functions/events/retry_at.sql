-- The time of the next attempt. If the account's test clock was moved after the attempt was read, the retry comes
-- earlier by the same amount.
create or replace function retry_at(
  p_reseller bigint, p_stream text, p_advanced_ms bigint, p_retry_ms integer, p_now timestamptz
)
returns timestamptz language plpgsql stable as $$
begin
  return (
    select p_now + (p_retry_ms - greatest(l.advanced_ms - p_advanced_ms, 0)) * interval '1 millisecond'
      from delivery_lanes l where l.reseller_id = p_reseller and l.stream = p_stream
  );
end $$;
