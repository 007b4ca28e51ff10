-- Events: what happened to each account in one line without gaps (the feed), and the deliveries that push it to the
-- account's own receivers. Whatever happens is appended as a fact in its own commit; a sequencer right behind gives
-- the facts their numbers and makes the deliveries, both in one commit.

-- owner: events
-- Facts without numbers: giving out an account's next number in the commit of what happened would make all that
-- happens to the account wait in one line. One row tells of a whole batch, so that a fact costs a payment next to
-- nothing. Sources, with what `subjects` names:
--   taken     a payment was taken (payment id); told as payment.accepted and balance.deducted
--   moved     a payment entered another state (payment id)
--   refunded  its money was given back (payment id)
--   entry     any other entry of the wallet (the entry's sequence); `type` is its kind
--   catalog   a catalogue change was expanded for the account (version); `spans` counts its events
--   own       what has no other record (0): `type` and `data` are the event's
create table event_facts (
  id bigint generated always as identity primary key,
  source text not null check (source in ('taken', 'moved', 'refunded', 'entry', 'catalog', 'own')),
  reseller_ids bigint[] not null,
  subjects bigint[] not null,
  -- moved: the state it entered
  codes smallint[],
  -- What was moved in the wallet, with its sign, and what that left in it.
  amounts bigint[],
  balances bigint[],
  spans integer[],
  type text,
  data jsonb,
  at timestamptz not null
);

create function append_facts(
  p_source text, p_resellers bigint[], p_subjects bigint[], p_codes smallint[], p_amounts bigint[],
  p_balances bigint[], p_spans integer[], p_type text, p_data jsonb, p_at timestamptz
) returns void language plpgsql as $$
begin
  insert into event_facts (source, reseller_ids, subjects, codes, amounts, balances, spans, type, data, at)
  values (p_source, p_resellers, p_subjects, p_codes, p_amounts, p_balances, p_spans, p_type, p_data, p_at);
end $$;

-- owner: events
create table event_sequences (
  reseller_id bigint primary key,
  last_sequence bigint not null
) with (fillfactor = 50);

-- owner: events
-- The feed. A row stands for `span` events with consecutive numbers, of which `sequence` is the first: a payment that
-- was taken is two events and one row, a catalogue change for one account thousands of events and one row. The rest of
-- an event is read from what it is about, so that no secret lies here.
create table events (
  reseller_id bigint not null,
  sequence bigint not null,
  span integer not null,
  source text not null,
  subject bigint not null,
  code smallint,
  amount bigint,
  balance bigint,
  type text,
  data jsonb,
  at timestamptz not null,
  primary key (reseller_id, sequence)
);

create function event_id(p_reseller bigint, p_sequence bigint) returns text language sql immutable as $$
  select 'evt_' || p_reseller || '_' || p_sequence
$$;

-- owner: events
-- Where an account wants to be told: at most one receiver per stream.
create table event_endpoints (
  reseller_id bigint not null references resellers,
  stream text not null check (stream in ('callback', 'catalog', 'balance')),
  url text not null check (length(url) <= 2000),
  method text not null check (method in ('GET', 'POST')),
  is_enabled boolean not null,
  -- Which events the balance stream sends.
  types text[] not null default '{}',
  -- Bound to reseller and stream.
  sealed_secret bytea not null,
  secret_last_four text not null,
  secret_created_at timestamptz not null,
  -- Signs beside the present one until the instant: a rotation with a grace period.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- Since when nothing was received; null: the last delivery was.
  failing_since timestamptz,
  -- Failed for days, or an operator's word: nothing is sent until its owner changes something. `is_enabled` is the
  -- owner's word and stays.
  paused_at timestamptz,
  -- When the owner was last told by mail that deliveries fail.
  failure_told_at timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (reseller_id, stream)
);

-- owner: events
-- One event on its way to one receiver: the job and its log. What is sent is made from what the event is about at
-- every attempt; the columns from `source` to `at` are the event's own.
create table deliveries (
  reseller_id bigint not null,
  stream text collate "C" not null,
  -- Begins with its millisecond, so that the primary key is the order of the log.
  id uuid not null,
  event_id text collate "C" not null,
  source text not null,
  subject bigint not null,
  code smallint,
  amount bigint,
  balance bigint,
  type text,
  data jsonb,
  -- Which of a catalogue change's events it is.
  catalog_set_id uuid,
  catalog_position integer,
  at timestamptz not null,
  -- superseded: a later state of the same payment is told instead
  status text not null check (status in ('pending', 'success', 'failed', 'superseded')),
  -- One element per attempt: { at, ms, status, error }
  attempts jsonb not null default '[]',
  attempts_made smallint not null default 0,
  error text not null default '',
  response_status smallint not null default 0,
  -- Bound to reseller and id: a receiver may repeat what it was sent.
  sealed_response bytea,
  -- Where the last attempt went; before the first one, where it will go.
  url text not null,
  method text not null,
  -- A replay: the delivery it repeats, and its number among the replays of the event.
  original_id uuid,
  replay_number smallint not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (reseller_id, stream, id)
) with (fillfactor = 50);
-- An event is delivered once by each stream, and once by each of its replays.
create unique index deliveries_event on deliveries (reseller_id, event_id, stream, replay_number);

-- owner: events
-- One row per delivery that is not finished, apart from the log so that it stays small.
create table delivery_work (
  reseller_id bigint not null,
  stream text collate "C" not null,
  next_at timestamptz not null,
  delivery_id uuid not null,
  primary key (reseller_id, stream, next_at, delivery_id)
);

-- owner: events
-- The line before one receiver. A node that has the lane is the only one that sends there, which bounds the requests
-- that a receiver has at a time, on however many nodes; a lane that waits for its receiver holds up no other lane.
create table delivery_lanes (
  reseller_id bigint not null,
  stream text collate "C" not null,
  -- Nothing is due before this instant.
  next_at timestamptz not null,
  holder uuid,
  leased_until timestamptz not null default '-infinity',
  primary key (reseller_id, stream)
) with (fillfactor = 50);
create index delivery_lanes_next on delivery_lanes (next_at);

-- owner: events
-- Catalogue changes whose events are still to become deliveries, in steps.
create table event_fanouts (
  reseller_id bigint not null,
  sequence bigint not null,
  version bigint not null,
  span integer not null,
  -- How many of them are deliveries by now.
  done integer not null default 0,
  at timestamptz not null,
  primary key (reseller_id, sequence)
);

-- owner: alerts
-- What members are to be told by mail; who and how is decided when the mail is made.
create table mail_notices (
  id bigint generated always as identity primary key,
  reseller_id bigint not null,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null
);

-- Ids that begin with their millisecond, and of those made at once with their place (version 7). There is room for 4,096
-- places in a millisecond; the next ones are in the next.
create function new_delivery_id(p_at timestamptz, p_place integer) returns uuid language sql volatile as $$
  select encode(
    overlay(uuid_send(gen_random_uuid()) placing
      int8send(((floor(extract(epoch from p_at) * 1000)::bigint + (p_place >> 12)) << 16) | 28672 | (p_place & 4095))
      from 1 for 8),
    'hex')::uuid
$$;

-- The event of the balance stream that a row of the feed holds, if any.
create function balance_event_type(p_source text, p_amount bigint, p_type text)
returns text language sql immutable as $$
  select case p_source
    when 'taken' then 'balance.deducted'
    when 'refunded' then 'balance.refunded'
    when 'entry' then case when p_amount > 0 then 'balance.added' else 'balance.deducted' end
    when 'own' then case when p_type = 'balance.low' then p_type end
  end
$$;

-- Numbers the oldest facts and makes their deliveries, in one commit and by one holder at a time. It takes facts that
-- are there, never those after a last one: a fact with a smaller id may be committed later. Two facts of one wallet, or
-- of one payment, have ids in the order of their commits, because the second was appended under a lock, or by somebody,
-- that waited for the first. Null: somebody else is at it.
-- Thresholds and endpoints are looked up once for each account, through their keys; what the steps hand on is joined by
-- hashing, because the planner takes a batch for a few rows and would compare everything with everything.
create function sequence_facts(p_facts_max integer)
returns table (facts integer, events integer, deliveries integer, fanouts integer)
language plpgsql
set enable_seqscan = off set enable_nestloop = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_facts integer;
  v_events integer;
  v_deliveries integer;
  v_fanouts integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sequence_facts', 0)) then
    return query select null::integer, 0, 0, 0;
    return;
  end if;
  -- Under the lock, so that what is numbered later is also dated later.
  v_now := clock_timestamp();
  with picked as (
    delete from event_facts f
     where f.id = any (array (select id from event_facts order by id limit p_facts_max))
    returning *
  ), found as materialized (
    select p.id, u.place, 0 as part, u.reseller_id, p.source, u.subject, u.code, u.amount, u.balance,
           coalesce(u.span, case p.source when 'taken' then 2 else 1 end) as span, p.type, p.data, p.at
      from picked p
     cross join lateral unnest(p.reseller_ids, p.subjects, p.codes, p.amounts, p.balances, p.spans) with ordinality
       as u (reseller_id, subject, code, amount, balance, span, place)
  ), watched as materialized (
    select t.reseller_id, t.amount
      from (select distinct f.reseller_id from found f where f.amount < 0) f
     cross join lateral (select * from balance_thresholds where reseller_id = f.reseller_id offset 0) t
  ), told as materialized (
    select * from found
    union all
    -- Crossed downwards: a threshold that lies above what is left, and did not lie above what was there before.
    select f.id, f.place, row_number() over (partition by f.id, f.place order by w.amount desc)::integer,
           f.reseller_id, 'own', 0, null, null, f.balance, 1, 'balance.low',
           jsonb_build_object('threshold', w.amount, 'balance', f.balance), f.at
      from watched w join found f on f.reseller_id = w.reseller_id
     where f.amount < 0 and w.amount > f.balance and w.amount <= f.balance - f.amount
  ), bumped as (
    insert into event_sequences as s (reseller_id, last_sequence)
    select t.reseller_id, sum(t.span) from told t group by t.reseller_id order by t.reseller_id
    on conflict (reseller_id) do update set last_sequence = s.last_sequence + excluded.last_sequence
    returning s.reseller_id, s.last_sequence
  ), numbered as materialized (
    -- Counted from the last one back.
    select t.*, b.last_sequence + 1 - sum(t.span) over (partition by t.reseller_id
                                                            order by t.id desc, t.place desc, t.part desc) as sequence
      from told t join bumped b on b.reseller_id = t.reseller_id
  ), written as (
    insert into events (reseller_id, sequence, span, source, subject, code, amount, balance, type, data, at)
    select n.reseller_id, n.sequence, n.span, n.source, n.subject, n.code, n.amount, n.balance, n.type, n.data, n.at
      from numbered n
  ), hearing as materialized (
    select e.reseller_id, e.stream, e.url, e.method, e.types, e.paused_at is not null as is_paused
      from bumped b
     cross join lateral (select * from event_endpoints where reseller_id = b.reseller_id and is_enabled offset 0) e
  ), due as materialized (
    select n.*, e.stream, e.url, e.method, e.is_paused,
           new_delivery_id(v_now, (row_number() over (order by n.reseller_id, n.sequence))::integer) as delivery_id
      from hearing e join numbered n on n.reseller_id = e.reseller_id
     where case e.stream
             when 'callback' then n.source = 'moved'
             when 'balance' then balance_event_type(n.source, n.amount, n.type) = any (e.types)
             else n.source = 'catalog' end
  ), made as (
    insert into deliveries (reseller_id, stream, id, event_id, source, subject, code, amount, balance, type, data, at,
                            status, error, url, method, created_at, completed_at)
    select d.reseller_id, d.stream, d.delivery_id,
           -- The second event of what was taken is the balance's.
           event_id(d.reseller_id, d.sequence + case d.source when 'taken' then 1 else 0 end),
           d.source, d.subject, d.code, d.amount, d.balance, d.type, d.data, d.at,
           case when d.is_paused then 'failed' else 'pending' end,
           case when d.is_paused then 'The endpoint is paused' else '' end,
           d.url, d.method, v_now, case when d.is_paused then v_now end
      from due d where d.source <> 'catalog'
    returning 1
  ), queued as (
    insert into delivery_work (reseller_id, stream, next_at, delivery_id)
    select d.reseller_id, d.stream, v_now, d.delivery_id
      from due d where d.source <> 'catalog' and not d.is_paused
  ), lanes as (
    insert into delivery_lanes as l (reseller_id, stream, next_at)
    select d.reseller_id, d.stream, v_now
      from due d where d.source <> 'catalog' and not d.is_paused
     group by d.reseller_id, d.stream order by d.reseller_id, d.stream
    on conflict (reseller_id, stream) do update set next_at = excluded.next_at where l.next_at > excluded.next_at
  ), spread as (
    insert into event_fanouts (reseller_id, sequence, version, span, at)
    select d.reseller_id, d.sequence, d.subject, d.span, d.at from due d where d.source = 'catalog'
    returning 1
  ), mailed as (
    insert into mail_notices (reseller_id, kind, data, created_at)
    select n.reseller_id,
           case n.source when 'entry' then 'deposit' else n.type end,
           case n.source when 'entry' then jsonb_build_object('entry', n.subject, 'amount', n.amount,
                                                              'balance', n.balance, 'at', n.at)
                else n.data || jsonb_build_object('at', n.at) end,
           v_now
      from numbered n
     where (n.source = 'entry' and n.type = 'deposit') or (n.source = 'own' and n.type = 'balance.low')
     order by n.id, n.place, n.part
  )
  select (select count(*) from picked), (select coalesce(sum(n.span), 0) from numbered n),
         (select count(*) from made), (select count(*) from spread)
    into v_facts, v_events, v_deliveries, v_fanouts;
  if v_deliveries + v_fanouts > 0 then perform pg_notify('deliveries', ''); end if;
  return query select v_facts, v_events, v_deliveries, v_fanouts;
end $$;

-- Entries of one kind for wallets that the caller has locked, each wallet's in the order of its sequence. The
-- wallets end with their last entry's balance; an entry that does not follow on its wallet's last one is refused. What was posted
-- is told: an entry without its fact cannot be.
create or replace function post_entries(
  p_kind text, p_house_account text, p_resellers bigint[], p_sequences bigint[], p_amounts bigint[],
  p_balances bigint[], p_payments bigint[], p_remarks text[], p_at timestamptz
) returns void language plpgsql as $$
declare
  v_wallets integer;
  v_moved integer;
begin
  insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, payment_id, remarks,
                         created_at)
  select e.reseller_id, e.sequence, p_kind, p_house_account, e.amount, e.balance, e.payment_id, e.remarks, p_at
    from unnest(p_resellers, p_sequences, p_amounts, p_balances, p_payments, p_remarks)
      as e (reseller_id, sequence, amount, balance, payment_id, remarks);
  with last as (
    select e.reseller_id, min(e.sequence) as first_sequence, max(e.sequence) as sequence,
           (array_agg(e.balance order by e.sequence desc))[1] as balance
      from unnest(p_resellers, p_sequences, p_balances) as e (reseller_id, sequence, balance)
     group by e.reseller_id
  ), moved as (
    update wallets w set balance = last.balance, sequence = last.sequence, last_entry_at = p_at
      from last where w.reseller_id = last.reseller_id and w.sequence = last.first_sequence - 1
    returning 1
  )
  select (select count(*) from last), (select count(*) from moved) into v_wallets, v_moved;
  if v_moved <> v_wallets then
    raise exception 'entries do not follow on their wallets: % of % wallets', v_moved, v_wallets;
  end if;
  perform append_facts(case p_kind when 'payment' then 'taken' else 'refunded' end, p_resellers, p_payments, null,
                       p_amounts, p_balances, null, null, null, p_at);
end $$;

-- Moves a batch of payments along the table of states in one commit; a move that the table does not have leaves
-- the payment as it is. Failures and voids give the money back. Code 1 keeps the work and says when to ask next;
-- every other code ends it. What is said of an attempt that is no longer the present one, by a node that was away
-- for longer than its lease, counts only if it is a success: the later attempt may be about to act. `attempt` null:
-- said of the payment itself. `evidence`: where it was heard, if not from the provider's own answer. A success of what
-- succeeded before moves nothing, and fills in what was not known. Returns the commands
-- that moved, with the balance a refund left, and those that contradict a final state for the first time.
create or replace function resolve_payments(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_failures text[], p_serials text[], p_expiries text[],
  p_notes text[], p_sealed_outputs bytea[], p_next_ms integer[], p_attempts smallint[], p_evidence text[]
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
  v_ended integer;
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
      from unnest(p_resellers, p_ids, p_codes, p_attempts) with ordinality
        as c (reseller_id, id, code, attempt, command)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.id
     where c.code <> 20 and w.attempt <> c.attempt;
  end if;
  v_now := greatest(clock_timestamp(), v_last_entry_at);

  -- What stays Processing is asked about later; what is final is nobody's work any more. A void is of what was final.
  if 1 = any (p_codes) then
    update payment_work w
       set next_at = v_now + c.next_ms * interval '1 millisecond', is_leased = false, questions = w.questions + 1
      from unnest(p_resellers, p_ids, p_codes, p_next_ms) with ordinality
        as c (reseller_id, id, code, next_ms, command)
     where c.code = 1 and (v_stale is null or c.command <> all (v_stale))
       and w.reseller_id = c.reseller_id and w.payment_id = c.id;
  end if;
  delete from payment_work w
   using unnest(p_resellers, p_ids, p_codes) with ordinality as c (reseller_id, id, code, command)
   where c.code not in (0, 1, 53) and (v_stale is null or c.command <> all (v_stale))
     and w.reseller_id = c.reseller_id and w.payment_id = c.id;
  get diagnostics v_ended = row_count;

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
    return query
      select c, null::bigint, true
        from note_contradictions(p_resellers, p_ids, p_codes, p_attempts, p_evidence, v_moved, v_now) as c;
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
