-- Claims lanes for nodes of the version that knew three streams. Later versions name theirs: see claim_lanes_of.
create or replace function claim_lanes(
  p_holder uuid, p_lanes_max integer, p_lease_ms integer, p_believed_until timestamptz
)
returns table (reseller_id bigint, stream text)
language sql
as $$
  select * from claim_lanes_of(
    p_streams => array['callback', 'catalog', 'balance'], p_holder => p_holder, p_lanes_max => p_lanes_max,
    p_lease_ms => p_lease_ms, p_believed_until => p_believed_until)
$$;
