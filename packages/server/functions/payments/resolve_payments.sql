-- Moves a batch of payments along the table of states in one commit. A move that the table does not have leaves the
-- payment as it is. Failures and voids give the money back. Code 1 keeps the work and says when to ask next; every
-- other code ends it. A null `attempt` means that the answer is about the payment itself. `lease` is given with an
-- answer that only the holder of that lease may act on (when to ask next; a failure that was concluded rather than
-- reported by the provider); the answer is stale if another node has taken over the work. `evidence` says where the
-- answer was heard, if it was not the provider's direct answer. An answer about an attempt that is not the present one
-- comes from a node that was away for longer than its lease:
--   success    ends the payment; the present attempt, which may have been sent, stays open
--   failure    is noted and moves nothing, because the present attempt may be about to act
--   undecided  keeps the attempt open: its provider is asked until it has decided
-- A failure of the present attempt does not count while another attempt of the payment is open, because that one may
-- still be carried out: the payment waits for it. A failure that the provider reported is kept with the work, and ends
-- the payment when its lease is over and no attempt is open any more.
-- A second success of a payment that succeeded moves nothing, and fills in outputs that were missing. Returns the
-- commands that moved, with the balance that a refund left, and the commands that contradict a final state for the
-- first time.
create or replace function resolve_payments(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_failures text[], p_serials text[], p_expiries text[],
  p_notes text[], p_sealed_outputs bytea[], p_next_ms integer[], p_attempts smallint[], p_evidence text[],
  p_leases integer[] default null
) returns table (command integer, balance bigint, is_contradiction boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_refunds bigint[];
  v_wallet_ids bigint[];
  v_wallet_balances bigint[];
  v_wallet_sequences bigint[];
  v_last_entry_at timestamptz;
  v_now timestamptz;
  v_stale integer[];
  v_held integer[];
  v_concluded integer[];
  v_asked integer[];
  v_ended integer;
  v_is_crossed boolean;
  v_is_refused boolean := false;
  v_today bigint;
  v_moved integer[];
  v_moved_balances bigint[];
  v_row record;
  v_at integer := 1;
  v_balance bigint;
  v_sequence bigint;
  v_resellers bigint[] := '{}';
  v_ids bigint[] := '{}';
  v_sequences bigint[] := '{}';
  v_amounts bigint[] := '{}';
  v_balances bigint[] := '{}';
  v_remarks text[] := '{}';
begin
  -- Most batches hold successes only. The conditions without a query skip the steps that those do not need.
  if not p_codes <@ array[1, 20]::smallint[] then
    select array_agg(distinct c.reseller_id) into v_refunds
      from unnest(p_resellers, p_codes) as c (reseller_id, code) where c.code not in (1, 20);
    select array_agg(w.reseller_id), array_agg(w.balance), array_agg(w.sequence), max(w.last_entry_at)
      into v_wallet_ids, v_wallet_balances, v_wallet_sequences, v_last_entry_at from lock_wallets(v_refunds) w;
  end if;

  if 20 <> any (p_codes) then
    -- Locks the work: no further attempt begins between this look at the present one and the commit.
    perform 1 from unnest(p_resellers, p_ids) as c (reseller_id, id)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.id
     order by w.reseller_id, w.payment_id for update of w;
    select array_agg(c.command::integer) filter (where s.is_stale),
           array_agg(c.command::integer) filter (where not s.is_stale and o.is_open)
      into v_stale, v_held
      from unnest(p_resellers, p_ids, p_codes, p_attempts, p_leases) with ordinality
        as c (reseller_id, id, code, attempt, lease, command)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.id
     cross join lateral (
       select coalesce(w.attempt <> c.attempt, false) or coalesce(w.lease <> c.lease, false) as is_stale
     ) s
      left join lateral (
        select true as is_open from payment_open_attempts o
         where c.code not in (0, 1, 53) and o.reseller_id = c.reseller_id and o.payment_id = c.id
           and o.attempt <> c.attempt limit 1
      ) o on true
     where c.code <> 20;
    v_stale := v_stale || v_held;
  end if;
  v_now := greatest(clock_timestamp(), v_last_entry_at);

  -- A payment that stays Processing is asked about later. A final one has no work any more; a void is of a final one.
  if 1 = any (p_codes) then
    with asked as (
      update payment_work w
         set next_at = later(v_now, c.next_ms * interval '1 millisecond'), is_leased = false, questions = w.questions + 1
        from unnest(p_resellers, p_ids, p_codes, p_next_ms) with ordinality
          as c (reseller_id, id, code, next_ms, command)
       where c.code = 1 and (v_stale is null or c.command <> all (v_stale))
         and w.reseller_id = c.reseller_id and w.payment_id = c.id
      returning c.command::integer as command
    )
    select coalesce(array_agg(command), '{}') into v_asked from asked;
    if exists (select from unnest(p_codes, p_attempts) with ordinality as c (code, attempt, command)
                where c.code = 1 and c.attempt is not null and c.command <> all (v_asked)) then
      perform open_late_attempts(
        p_resellers => p_resellers, p_ids => p_ids, p_codes => p_codes, p_attempts => p_attempts,
        p_next_ms => p_next_ms, p_asked => v_asked, p_at => v_now);
    end if;
  end if;
  -- A success may be that of another attempt. The present attempt may have been sent as well, so it stays open.
  with ended as (
    delete from payment_work w
     using unnest(p_resellers, p_ids, p_codes, p_attempts) with ordinality
       as c (reseller_id, id, code, attempt, command)
     where c.code not in (0, 1, 53) and (v_stale is null or c.command <> all (v_stale))
       and w.reseller_id = c.reseller_id and w.payment_id = c.id
    returning w.*, c.code = 20 and c.attempt <> w.attempt as is_crossed
  ), crossed as (
    select e.*, p.provider from ended e
      join lateral (
        select p.provider from payments p where p.reseller_id = e.reseller_id and p.id = e.payment_id limit 1
      ) p on true
     -- An attempt whose repetition was not sent may still have arrived the first time.
     where e.is_crossed and not (e.is_unsent and e.repeats = 0)
  ), opened as (
    insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, ahead_ms, next_at,
                                       is_leased, lease)
    select c.reseller_id, c.payment_id, c.attempt, c.provider, c.submitted_at, c.ahead_ms, c.next_at, c.is_leased,
           c.lease
      from crossed c
    on conflict (reseller_id, payment_id, attempt) do nothing
  )
  select count(*), coalesce(bool_or(is_crossed), false) into v_ended, v_is_crossed from ended;

  -- A payment without work was final before. Its end and that of its work were one commit, so the end is visible here.
  if v_ended < cardinality(p_codes) and 20 = any (p_codes) then
    if v_ended < (select count(*) from unnest(p_codes) as c (code) where c.code not in (0, 1, 53)) then
      perform fill_outputs(
        p_resellers => p_resellers, p_ids => p_ids, p_codes => p_codes, p_serials => p_serials,
        p_expiries => p_expiries, p_notes => p_notes, p_sealed_outputs => p_sealed_outputs, p_attempts => p_attempts,
        p_evidence => p_evidence, p_at => v_now);
    end if;
  end if;

  with moved as (
    update payments p
       set code = c.code, changed_at = v_now,
           failure = coalesce(c.failure, p.failure), serial_number = coalesce(c.serial_number, p.serial_number),
           expiry = coalesce(c.expiry, p.expiry), note = coalesce(c.note, p.note),
           sealed_output = coalesce(c.sealed_output, p.sealed_output)
      from unnest(p_resellers, p_ids, p_codes, p_failures, p_serials, p_expiries, p_notes, p_sealed_outputs)
             with ordinality
        as c (reseller_id, id, code, failure, serial_number, expiry, note, sealed_output, command)
     where p.reseller_id = c.reseller_id and p.id = c.id
       and (v_stale is null or c.command <> all (v_stale))
       and case c.code when 0 then false when 1 then p.code = 0 when 53 then p.code = 20 else p.code in (0, 1) end
    returning c.command::integer as command, p.balance_after
  )
  select array_agg(command), array_agg(balance_after) into v_moved, v_moved_balances from moved;

  if coalesce(cardinality(v_moved), 0) < cardinality(p_codes) then
    v_is_refused := exists (select from unnest(p_codes) with ordinality as c (code, command)
                             where c.code not in (0, 1, 53) and (v_moved is null or c.command <> all (v_moved)));
  end if;
  if v_is_refused then
    perform close_open_attempts(
      p_resellers => p_resellers, p_ids => p_ids, p_codes => p_codes, p_attempts => p_attempts, p_leases => p_leases,
      p_moved => v_moved || v_held, p_at => v_now);
    if v_held is not null then
      perform hold_failures(
        p_resellers => p_resellers, p_ids => p_ids, p_codes => p_codes, p_failures => p_failures,
        p_attempts => p_attempts, p_leases => p_leases, p_held => v_held, p_at => v_now);
    end if;
    -- A failure that a node concluded is no word of the provider: after the end of the payment it contradicts nothing.
    select array_agg(c.command::integer) into v_concluded
      from unnest(p_leases) with ordinality as c (lease, command) where c.lease is not null;
    return query
      select c, null::bigint, true
        from note_contradictions(
          p_resellers => p_resellers, p_ids => p_ids, p_codes => p_codes, p_attempts => p_attempts,
          p_evidence => p_evidence, p_moved => v_moved || v_concluded, p_at => v_now) as c;
  elsif v_is_crossed then
    perform close_open_attempts(
      p_resellers => p_resellers, p_ids => p_ids, p_codes => p_codes, p_attempts => p_attempts, p_leases => p_leases,
      p_moved => v_moved, p_at => v_now);
  end if;

  if v_moved is null then return; end if;

  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
  select p_resellers[m], p_ids[m], 'state', p_codes[m], p_attempts[m],
         concat_ws('; ', nullif(p_failures[m], ''), p_evidence[m]), v_now
    from unnest(v_moved) as m;
  -- For a refund the balance is null: the payment itself keeps the last balance.
  perform append_facts(
    p_source => 'moved', p_resellers => array_agg(p_resellers[m.command]), p_subjects => array_agg(p_ids[m.command]),
    p_codes => array_agg(p_codes[m.command]), p_amounts => null,
    p_balances => array_agg(case when p_codes[m.command] in (1, 20) then m.balance end), p_spans => null,
    p_type => null, p_data => null, p_at => v_now)
     from unnest(v_moved, v_moved_balances) as m (command, balance);

  if v_refunds is not null then
    v_balance := v_wallet_balances[1];
    v_sequence := v_wallet_sequences[1];
    for v_row in
      select p.reseller_id, p.id, p.cost, p.product_code, p.account
        from unnest(v_moved) as m
        join lateral (
          select * from payments p where p.reseller_id = p_resellers[m] and p.id = p_ids[m] limit 1
        ) p on true
       where p_codes[m] not in (1, 20)
       order by p.reseller_id, p.id
    loop
      while v_wallet_ids[v_at] < v_row.reseller_id loop
        v_at := v_at + 1;
        v_balance := v_wallet_balances[v_at];
        v_sequence := v_wallet_sequences[v_at];
      end loop;
      v_balance := v_balance + v_row.cost;
      v_sequence := v_sequence + 1;
      v_resellers := v_resellers || v_row.reseller_id;
      v_ids := v_ids || v_row.id;
      v_sequences := v_sequences || v_sequence;
      v_amounts := v_amounts || v_row.cost;
      v_balances := v_balances || v_balance;
      v_remarks := v_remarks || (v_row.product_code || ' ' || v_row.account);
    end loop;
    if cardinality(v_ids) > 0 then
      perform post_entries(
        p_kind => 'refund', p_house_account => 'provider_clearing', p_resellers => v_resellers,
        p_sequences => v_sequences, p_amounts => v_amounts, p_balances => v_balances, p_payments => v_ids,
        p_remarks => v_remarks, p_at => v_now);
      perform spend_stock(v_ids);
      if exists (select from payment_tallies t where t.reseller_id = any (v_wallet_ids)) then
        perform uncount_payments(v_resellers, v_ids);
      end if;
      update payments p set balance_after = r.balance
        from unnest(v_resellers, v_ids, v_balances) as r (reseller_id, id, balance)
       where p.reseller_id = r.reseller_id and p.id = r.id;
    end if;
  end if;

  -- The rollups of these days are no longer current. Ids tell the time, so that only payments of days before today need
  -- their date.
  v_today := floor(extract(epoch from date_trunc('day', clock_timestamp(), 'Asia/Kuala_Lumpur')) * 1000)::bigint << 20;
  if v_today > any (p_ids) then
    insert into payment_rollup_days (reseller_id, day, is_current)
    select distinct p_resellers[m], (to_timestamp((p_ids[m] >> 20) / 1000.0) at time zone 'Asia/Kuala_Lumpur')::date,
           false
      from unnest(v_moved) as m
     where p_ids[m] < v_today
     order by 1, 2
    on conflict (reseller_id, day) do update set is_current = false;
  end if;

  return query
    select m, r.balance, false
      from unnest(v_moved) as m
      left join unnest(v_resellers, v_ids, v_balances) as r (reseller_id, id, balance)
        on r.reseller_id = p_resellers[m] and r.id = p_ids[m];
end $$;
