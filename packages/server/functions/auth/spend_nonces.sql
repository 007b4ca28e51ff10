-- Spends a batch of nonces. The edge calls this in a commit of its own, payments call it in theirs. Returns the
-- digests that were spent before or came too late, null if there are none. A command without a nonce has null. No digest
-- is in a batch twice. Rows are inserted in the order of their digests on every node, so that two batches with common
-- nonces cannot wait for each other in a circle.
create or replace function spend_nonces(
  p_digests uuid[], p_request_ids uuid[], p_signed_at float8[], p_skew_seconds integer
) returns uuid[] language plpgsql as $$
declare
  v_now float8 := extract(epoch from now());
  v_count integer;
  v_spent uuid[];
begin
  -- Nearly always all nonces are new. A plain insert costs half of one that looks for conflicts first.
  begin
    insert into nonces (digest, request_id, used_at)
    select c.digest, c.request_id, now()
      from unnest(p_digests, p_request_ids, p_signed_at) as c (digest, request_id, signed_at)
     where c.digest is not null and abs(c.signed_at - v_now) <= p_skew_seconds
     order by c.digest;
    get diagnostics v_count = row_count;
    if v_count = num_nonnulls(variadic p_digests) then return null; end if;
  exception when unique_violation then
    -- One of them was spent before, perhaps by an earlier run of this batch. The rows above are rolled back.
  end;

  -- Some are refused, or belong to this batch already: the statement recognises its own rows by their request.
  with spent as (
    insert into nonces (digest, request_id, used_at)
    select c.digest, c.request_id, now()
      from unnest(p_digests, p_request_ids, p_signed_at) as c (digest, request_id, signed_at)
     where c.digest is not null and abs(c.signed_at - v_now) <= p_skew_seconds
     order by c.digest
    on conflict (digest) do update
       set used_at = excluded.used_at, request_id = excluded.request_id
     where excluded.used_at - nonces.used_at > interval '10 minutes'
        or nonces.request_id = excluded.request_id
    returning digest
  )
  select array_agg(digest) into v_spent from spent;
  if coalesce(cardinality(v_spent), 0) = num_nonnulls(variadic p_digests) then return null; end if;
  return (select array_agg(d) from unnest(p_digests) as d
           where d is not null and d <> all (coalesce(v_spent, '{}')));
end $$;
