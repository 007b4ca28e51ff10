-- A node may be away for longer than its lease, and wake up. Leases have numbers, so that it can see that somebody else
-- was at its payment meanwhile; an order that may have arrived is sent again under the same reference; and an attempt
-- that is open although its payment has ended, or goes on with another attempt, is asked about until its provider has
-- decided.

-- `lease`: raised by everybody who takes the work over. Whoever took it knows by the number that it is still theirs. A
-- payment is born with the lease of the node that took it.
-- `repeats`: how often the present attempt was sent again under the same reference.
alter table payment_work
  add column lease integer not null default 1,
  add column repeats smallint not null default 0;

-- owner: payments
-- Attempts that may have been carried out although they are not the work of their payment: it has ended, or goes on
-- with another attempt. One row until the provider has decided.
create table payment_open_attempts (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- Who has the attempt.
  provider text not null,
  -- As in payment_work.
  submitted_at timestamptz not null,
  ahead_ms bigint not null default 0,
  next_at timestamptz not null,
  is_leased boolean not null,
  lease integer not null,
  questions integer not null default 0,
  primary key (reseller_id, payment_id, attempt)
);
create index payment_open_attempts_next on payment_open_attempts (next_at);

-- The name under which a provider knows an attempt.
create function reference_of(p_payment bigint, p_attempt smallint) returns text language sql immutable as $$
  select 'W' || p_payment || '-' || p_attempt
$$;

-- Who has an attempt of a payment: the one it was begun at, else the one that the next attempt was taken from.
create function attempt_provider(p_reseller bigint, p_payment bigint, p_attempt smallint) returns text
language sql stable as $$
  select coalesce(
           (select c.provider from payment_changes c
             where c.reseller_id = p_reseller and c.payment_id = p_payment and c.kind = 'attempt'
               and c.attempt = p_attempt order by c.id desc limit 1),
           (select c.provider_before from payment_changes c
             where c.reseller_id = p_reseller and c.payment_id = p_payment and c.kind = 'attempt'
               and c.attempt = p_attempt + 1 order by c.id limit 1),
           case when p_attempt = 1 then
             (select p.provider from payments p where p.reseller_id = p_reseller and p.id = p_payment) end)
$$;

-- A provider has, or may have, an order that is not the present attempt of its payment: it is asked about from now on.
-- Nothing is opened for the attempt that succeeded, nor for one of which the provider itself said that it failed: an
-- answer may come after the callback that overtook it. A failure that was only concluded (its reason is on the timeline
-- as a `route` of the attempt) is no word of the provider.
create function open_late_attempts(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_next_ms integer[],
  p_asked integer[], p_at timestamptz
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
  select c.reseller_id, c.id, c.attempt, a.provider, p_at, p_at + c.next_ms * interval '1 millisecond', false, 1
    from unnest(p_resellers, p_ids, p_codes, p_attempts, p_next_ms) with ordinality
      as c (reseller_id, id, code, attempt, next_ms, command)
    join lateral (
      select p.code from payments p where p.reseller_id = c.reseller_id and p.id = c.id limit 1
    ) p on true
    left join lateral (
      select w.attempt from payment_work w where w.reseller_id = c.reseller_id and w.payment_id = c.id limit 1
    ) w on true
    left join lateral (
      select h.attempt from payment_changes h
       where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code not in (0, 1, 53)
       order by h.id desc limit 1
    ) s on true
   cross join lateral (select attempt_provider(c.reseller_id, c.id, c.attempt) as provider) a
   where c.code = 1 and c.attempt is not null and c.command <> all (p_asked) and a.provider is not null
     and w.attempt is distinct from c.attempt
     and (s.attempt is distinct from c.attempt
          or p.code not in (20, 53) and exists (
               select from payment_changes h
                where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'route'
                  and h.attempt = c.attempt))
   order by c.reseller_id, c.id
  on conflict (reseller_id, payment_id, attempt) do nothing;
end $$;

-- A word that decides about an attempt was heard: nobody asks about it any more. The failure of an attempt that is not
-- the present one moves nothing and is noted once. A lease given with it says that it was only concluded: then it is no
-- word of the provider.
create function close_open_attempts(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_leases integer[],
  p_moved integer[], p_at timestamptz
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_row record;
begin
  for v_row in
    with gone as (
      delete from payment_open_attempts o
       using unnest(p_resellers, p_ids, p_codes, p_attempts, p_leases) as c (reseller_id, id, code, attempt, lease)
       where c.code not in (0, 1, 53) and c.lease is null
         and o.reseller_id = c.reseller_id and o.payment_id = c.id and o.attempt = c.attempt
      returning o.payment_id, o.attempt
    )
    select payment_id, attempt from gone
  loop
    perform clear_alert('attempt_undecided', reference_of(v_row.payment_id, v_row.attempt));
  end loop;
  if exists (select from unnest(p_codes) as c (code) where c.code not in (0, 1, 20, 53)) then
    insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
    select c.reseller_id, c.id, 'late', p.code, c.attempt, t.detail, p_at
      from unnest(p_resellers, p_ids, p_codes, p_attempts, p_leases) with ordinality
        as c (reseller_id, id, code, attempt, lease, command)
      join lateral (
        select p.code from payments p where p.reseller_id = c.reseller_id and p.id = c.id limit 1
      ) p on true
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code not in (0, 1, 53)
         order by h.id desc limit 1
      ) s on true
     cross join lateral (
       select 'attempt ' || c.attempt || ' (' || reference_of(c.id, c.attempt) || ') failed with ' || c.code
                || '; it was not the present one any more' as detail
     ) t
     where c.code not in (0, 1, 20, 53) and c.attempt is not null and c.lease is null
       and (p_moved is null or c.command <> all (p_moved))
       and s.attempt is distinct from c.attempt and (p.code in (0, 1) or s.attempt is not null)
       and not exists (
         select from payment_changes h
          where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'late' and h.detail = t.detail);
  end if;
end $$;

-- What moved nothing because it speaks against a final state: success of a payment that failed, failure of the
-- attempt that succeeded, success of a second attempt, also of a payment that was voided since. It goes to an operator
-- and moves no money. The same final word again is none, nor is the failure of another attempt than the one that
-- succeeded, nor anything else about a payment that was voided. Returns the commands that are news.
create or replace function note_contradictions(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_evidence text[],
  p_moved integer[], p_at timestamptz
) returns setof integer language plpgsql as $$
#variable_conflict use_column
declare
  v_row record;
begin
  for v_row in
    select c.command::integer as command, c.reseller_id, c.id, c.code, c.attempt, c.evidence, p.code as found_code,
           s.attempt as succeeded_attempt
      from unnest(p_resellers, p_ids, p_codes, p_attempts, p_evidence) with ordinality
        as c (reseller_id, id, code, attempt, evidence, command)
      join lateral (
        select p.code from payments p where p.reseller_id = c.reseller_id and p.id = c.id limit 1
      ) p on p.code not in (0, 1)
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code = 20
         order by h.id desc limit 1
      ) s on true
     where c.code not in (0, 1, 53) and (p_moved is null or c.command <> all (p_moved))
       and case when c.code = 20 and p.code in (20, 53) then c.attempt <> s.attempt
                when p.code = 53 then false
                when c.code = 20 then true
                when p.code = 20 then coalesce(c.attempt = s.attempt, true)
                else false end
     order by c.reseller_id, c.id
  loop
    insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
    values (v_row.reseller_id, v_row.id, 'contradiction', v_row.code, v_row.attempt,
            concat_ws('; ', contradiction_text(v_row.code, v_row.attempt, v_row.found_code, v_row.succeeded_attempt),
                      v_row.evidence), p_at)
    on conflict (payment_id, reseller_id, code, coalesce(attempt, 0::smallint)) where kind = 'contradiction'
    do nothing;
    if found then
      perform raise_alert('payment_contradiction', v_row.id::text,
        'reseller ' || v_row.reseller_id || ', payment ' || v_row.id || ': '
          || contradiction_text(v_row.code, v_row.attempt, v_row.found_code, v_row.succeeded_attempt)
          || coalesce('; references ' || concat_ws(' and ', reference_of(v_row.id, v_row.attempt),
               case when v_row.succeeded_attempt <> v_row.attempt
                    then reference_of(v_row.id, v_row.succeeded_attempt) end), ''), 'critical');
      return next v_row.command;
    end if;
  end loop;
end $$;

create or replace function contradiction_text(
  p_code smallint, p_attempt smallint, p_found smallint, p_succeeded_attempt smallint
) returns text language sql immutable as $$
  select coalesce('attempt ' || p_attempt, 'the payment') || ' is reported as '
    || case when p_code = 20 then 'succeeded' else 'failed with ' || p_code end || ', but '
    || case when p_found not in (20, 53) then 'the payment failed with ' || p_found
            when p_succeeded_attempt is null then 'the payment succeeded'
            else 'attempt ' || p_succeeded_attempt || ' succeeded' end
$$;

-- Moves a batch of payments along the table of states in one commit; a move that the table does not have leaves
-- the payment as it is. Failures and voids give the money back. Code 1 keeps the work and says when to ask next;
-- every other code ends it. `attempt` null: said of the payment itself. `lease`: of an answer that only its holder may
-- act on (when to ask next, a failure that was concluded and not said by the provider); somebody else who took the work
-- over meanwhile makes it stale. `evidence`: where it was heard, if not from the provider's own answer.
-- An answer about an attempt that is not the present one, heard by a node that was away for longer than its lease:
--   success    ends the payment, and the present attempt, which may have been sent, stays open
--   failure    is noted: it moves nothing, for the present attempt may be about to act
--   undecided  the attempt is open, and asked about until its provider has decided
-- A success of what succeeded before moves nothing, and fills in what was not known. Returns the commands that moved,
-- with the balance a refund left, and those that contradict a final state for the first time.
drop function resolve_payments(bigint[], bigint[], smallint[], text[], text[], text[], text[], bytea[], integer[],
                               smallint[], text[]);
create function resolve_payments(
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
  v_asked integer[];
  v_ended integer;
  v_is_crossed boolean;
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
  select array_agg(distinct c.reseller_id) into v_refunds
    from unnest(p_resellers, p_codes) as c (reseller_id, code) where c.code not in (1, 20);
  if v_refunds is not null then
    select array_agg(w.reseller_id), array_agg(w.balance), array_agg(w.sequence), max(w.last_entry_at)
      into v_wallet_ids, v_wallet_balances, v_wallet_sequences, v_last_entry_at from lock_wallets(v_refunds) w;
  end if;

  if 20 <> any (p_codes) then
    -- Held from here: no further attempt begins between the look at the present one and the commit.
    perform 1 from unnest(p_resellers, p_ids) as c (reseller_id, id)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.id
     order by w.reseller_id, w.payment_id for update of w;
    select array_agg(c.command::integer) into v_stale
      from unnest(p_resellers, p_ids, p_codes, p_attempts, p_leases) with ordinality
        as c (reseller_id, id, code, attempt, lease, command)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.id
     where c.code <> 20 and (w.attempt <> c.attempt or w.lease <> c.lease);
  end if;
  v_now := greatest(clock_timestamp(), v_last_entry_at);

  -- What stays Processing is asked about later; what is final is nobody's work any more. A void is of what was final.
  if 1 = any (p_codes) then
    with asked as (
      update payment_work w
         set next_at = v_now + c.next_ms * interval '1 millisecond', is_leased = false, questions = w.questions + 1
        from unnest(p_resellers, p_ids, p_codes, p_next_ms) with ordinality
          as c (reseller_id, id, code, next_ms, command)
       where c.code = 1 and (v_stale is null or c.command <> all (v_stale))
         and w.reseller_id = c.reseller_id and w.payment_id = c.id
      returning c.command::integer as command
    )
    select coalesce(array_agg(command), '{}') into v_asked from asked;
    if exists (select from unnest(p_codes, p_attempts) with ordinality as c (code, attempt, command)
                where c.code = 1 and c.attempt is not null and c.command <> all (v_asked)) then
      perform open_late_attempts(p_resellers, p_ids, p_codes, p_attempts, p_next_ms, v_asked, v_now);
    end if;
  end if;
  -- A success may be of another attempt than the present one, which may have been sent: it stays open.
  with ended as (
    delete from payment_work w
     using unnest(p_resellers, p_ids, p_codes, p_attempts) with ordinality
       as c (reseller_id, id, code, attempt, command)
     where c.code not in (0, 1, 53) and (v_stale is null or c.command <> all (v_stale))
       and w.reseller_id = c.reseller_id and w.payment_id = c.id
    returning w.*, c.code = 20 and c.attempt <> w.attempt as is_crossed
  ), opened as (
    insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, ahead_ms, next_at,
                                       is_leased, lease)
    select e.reseller_id, e.payment_id, e.attempt, p.provider, e.submitted_at, e.ahead_ms, e.next_at, e.is_leased,
           e.lease
      from ended e
      join lateral (
        select p.provider from payments p where p.reseller_id = e.reseller_id and p.id = e.payment_id limit 1
      ) p on true
     -- One that was sent again and then not may still have arrived the first time.
     where e.is_crossed and not (e.is_unsent and e.repeats = 0)
    on conflict (reseller_id, payment_id, attempt) do nothing
  )
  select count(*), coalesce(bool_or(is_crossed), false) into v_ended, v_is_crossed from ended;

  -- Whatever had no work left was final before. Whoever ended it did so with its work, so that it is seen by now.
  if 20 = any (p_codes) and v_ended < (select count(*) from unnest(p_codes) as c (code) where c.code not in (0, 1, 53))
  then
    perform fill_outputs(p_resellers, p_ids, p_codes, p_serials, p_expiries, p_notes, p_sealed_outputs, p_attempts,
                         p_evidence, v_now);
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

  if exists (select from unnest(p_codes) with ordinality as c (code, command)
              where c.code not in (0, 1, 53) and (v_moved is null or c.command <> all (v_moved))) then
    perform close_open_attempts(p_resellers, p_ids, p_codes, p_attempts, p_leases, v_moved, v_now);
    return query
      select c, null::bigint, true
        from note_contradictions(p_resellers, p_ids, p_codes, p_attempts, p_evidence, v_moved, v_now) as c;
  elsif v_is_crossed then
    perform close_open_attempts(p_resellers, p_ids, p_codes, p_attempts, p_leases, v_moved, v_now);
  end if;

  if v_moved is null then return; end if;

  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
  select p_resellers[m], p_ids[m], 'state', p_codes[m], p_attempts[m],
         concat_ws('; ', nullif(p_failures[m], ''), p_evidence[m]), v_now
    from unnest(v_moved) as m;
  -- Of what is given back the payment itself keeps the last balance.
  perform append_facts('moved', array_agg(p_resellers[m.command]), array_agg(p_ids[m.command]),
                       array_agg(p_codes[m.command]), null,
                       array_agg(case when p_codes[m.command] in (1, 20) then m.balance end), null, null, null, v_now)
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
      perform post_entries('refund', 'provider_clearing', v_resellers, v_sequences, v_amounts, v_balances, v_ids,
                           v_remarks, v_now);
      perform spend_stock(v_ids);
      update payments p set balance_after = r.balance
        from unnest(v_resellers, v_ids, v_balances) as r (reseller_id, id, balance)
       where p.reseller_id = r.reseller_id and p.id = r.id;
    end if;
  end if;

  -- A day that was summed up is no longer what it was.
  insert into payment_rollup_days (reseller_id, day, is_current)
  select distinct p_resellers[m], (to_timestamp((p_ids[m] >> 20) / 1000.0) at time zone 'Asia/Kuala_Lumpur')::date,
         false
    from unnest(v_moved) as m
   where (to_timestamp((p_ids[m] >> 20) / 1000.0) at time zone 'Asia/Kuala_Lumpur')::date
       < (clock_timestamp() at time zone 'Asia/Kuala_Lumpur')::date
   order by 1, 2
  on conflict (reseller_id, day) do update set is_current = false;

  return query
    select m, r.balance, false
      from unnest(v_moved) as m
      left join unnest(v_resellers, v_ids, v_balances) as r (reseller_id, id, balance)
        on r.reseller_id = p_resellers[m] and r.id = p_ids[m];
end $$;

-- As before, but the end of somebody's lease is believed only up to an instant that the caller names: the database's
-- clock may have been moved. Lanes that nobody holds are free at any time.
create function claim_lanes(p_holder uuid, p_lanes_max integer, p_lease_ms integer, p_believed_until timestamptz)
returns table (reseller_id bigint, stream text)
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with free as materialized (
      select l.reseller_id, l.stream from delivery_lanes l
       where l.next_at <= now() and l.leased_until <= now()
         and (l.holder is null or l.leased_until <= p_believed_until)
       order by l.next_at limit p_lanes_max for update skip locked
    )
    update delivery_lanes l
       set holder = p_holder, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
      from free where l.reseller_id = free.reseller_id and l.stream = free.stream
    returning l.reseller_id, l.stream;
end $$;
