-- Payments and the money behind them. The hot path is two functions, each one round trip and one commit for a
-- whole batch: take_payments and resolve_payments. They touch wallets, transfers and nonces only through the
-- functions of those tables' owners. One lock order for every writer: nonces, wallets by reseller, work and then
-- payments, each by reseller and id, and the stock.

-- owner: wallet
-- A check of the foreign key for every entry would cost more than the entry: post_entries refuses an entry whose
-- wallet is not there.
alter table transfers
  drop constraint transfers_reseller_id_fkey,
  drop constraint transfers_kind_check,
  drop constraint transfers_house_account_check,
  add column payment_id bigint,
  -- The caller's own name for a deposit or adjustment: the same one twice is one entry.
  add column reference text,
  add constraint transfers_kind_check
    check (kind in ('deposit', 'adjustment', 'commission', 'payment', 'refund')),
  add constraint transfers_house_account_check
    check (house_account in ('bank', 'adjustments', 'commissions', 'provider_clearing'));
create unique index transfers_reference on transfers (reseller_id, reference) where reference is not null;
-- The way through a year's statement to what is not a payment; payments themselves pay nothing for it.
create index transfers_others on transfers (reseller_id, sequence) include (kind, amount) where kind <> 'payment';
-- Whatever goes wrong above it: no payment is given back twice.
create unique index transfers_one_refund on transfers (reseller_id, payment_id) where kind = 'refund';
alter table wallets set (fillfactor = 50);
-- So that a clock that was set back, or another server's after a failover, does not date an entry before the one it
-- follows.
alter table wallets add column last_entry_at timestamptz not null default '-infinity';

-- owner: wallet
-- The hash chain over each wallet's entries, computed behind them. Keyed: whoever can write the database but has
-- no master key cannot make a chain that verifies.
create table transfer_chain (
  reseller_id bigint not null,
  sequence bigint not null,
  hash bytea not null,
  primary key (reseller_id, sequence)
);

-- owner: wallet
create table balance_thresholds (
  reseller_id bigint not null references resellers,
  amount bigint not null check (amount > 0),
  updated_at timestamptz not null default now(),
  primary key (reseller_id, amount)
);

-- Locks in reseller order, so that two batches cannot wait for each other in a circle.
create function lock_wallets(p_resellers bigint[])
returns table (reseller_id bigint, balance bigint, sequence bigint, last_entry_at timestamptz)
language sql as $$
  select w.reseller_id, w.balance, w.sequence, w.last_entry_at
    from wallets w where w.reseller_id = any (p_resellers) order by w.reseller_id for no key update
$$;

-- Entries of one kind for wallets that the caller has locked, each wallet's in the order of its sequence. The
-- wallets end with their last entry's balance; an entry that does not follow on its wallet's last one is refused.
create function post_entries(
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
end $$;

-- Spends a batch of nonces, for the edge in a commit of its own and for payments in theirs. Returns the digests that
-- had been spent before or came too late; null when there are none. Commands without a nonce have null. Rows go in by
-- digest order on every node, so that two batches with common nonces cannot wait for each other in a circle.
create function spend_nonces(
  p_digests uuid[], p_request_ids uuid[], p_signed_at float8[], p_skew_seconds integer
) returns uuid[] language plpgsql as $$
declare
  v_spent uuid[];
begin
  with spent as (
    insert into nonces (digest, request_id, used_at)
    select c.digest, c.request_id, now()
      from unnest(p_digests, p_request_ids, p_signed_at) as c (digest, request_id, signed_at)
     where c.digest is not null and abs(c.signed_at - extract(epoch from now())) <= p_skew_seconds
     order by c.digest
    on conflict (digest) do update
       set used_at = excluded.used_at, request_id = excluded.request_id
     where nonces.used_at < excluded.used_at - interval '10 minutes'
        or nonces.request_id = excluded.request_id
    returning digest
  )
  select array_agg(digest) into v_spent from spent;
  if coalesce(cardinality(v_spent), 0) = num_nonnulls(variadic p_digests) then return null; end if;
  return (select array_agg(d) from unnest(p_digests) as d
           where d is not null and d <> all (coalesce(v_spent, '{}')));
end $$;

-- owner: payments
-- The id begins with the millisecond of the initiation, so that the primary key is also the order of history
-- and the way to a day of it: no index on the time is needed.
create table payments (
  reseller_id bigint not null,
  id bigint not null,
  refid text collate "C" not null check (length(refid) between 1 and 50),
  product_code text collate "C" not null,
  product_name text not null,
  account text collate "C" not null,
  amount bigint not null check (amount > 0),
  face_value bigint not null check (face_value > 0),
  cost bigint not null check (cost > 0),
  -- The wallet right after this payment's latest movement of money.
  balance_after bigint not null,
  -- 0 Accepted, 1 Processing, 20 Succesful, 53 voided, others Failed
  code smallint not null,
  -- What was sent, for comparing; plan_code is what it was decided to mean.
  subproduct_code text,
  biller_code text,
  ref2 text,
  plan_code text,
  -- Identity number; bound to reseller and refid
  sealed_input bytea,
  remarks text not null,
  failure text,
  serial_number text,
  expiry text,
  note text,
  -- PIN and voucher link; bound to reseller and id
  sealed_output bytea,
  sender text not null,
  member_id text not null,
  provider text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (reseller_id, id)
) with (fillfactor = 80);
-- No index but the primary key begins with the reseller: plans are kept, and one made while the table is empty
-- could otherwise choose any index that has the reseller and look through all of its payments. So there is one way
-- to a refid, one to an account and one to an id.
create unique index payments_refid on payments ((reseller_id::text || '/' || refid), reseller_id);
create index payments_account on payments (account, reseller_id, id);

-- Tells apart the payments of one millisecond.
create sequence payment_numbers as bigint cycle maxvalue 4611686018427387904;

-- owner: payments
-- One row per payment that is not final: the queue of what is to be sent or asked about, and the lease of whoever
-- is at it. Apart from the payments, so that their rows change in place and this stays small.
create table payment_work (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- When the present attempt was, or may have been, sent.
  submitted_at timestamptz not null,
  -- Nobody touches it before this instant: the end of a lease, or the time of the next question.
  next_at timestamptz not null,
  -- Somebody is at it until next_at; a test clock moves questions, never leases.
  is_leased boolean not null,
  due_at timestamptz not null,
  -- How far the account's test clock was moved while somebody was at it: to the provider it is that much older.
  ahead_ms bigint not null default 0,
  questions integer not null default 0,
  -- Whoever had the present attempt has said that it was not sent, and never will be.
  is_unsent boolean not null default false,
  -- The request that it was taken for, where that has an id: a batch that is run again knows its own by it.
  request_id uuid,
  primary key (reseller_id, payment_id)
);
create index payment_work_next on payment_work (next_at);

-- owner: payments
-- What happened to a payment after it was taken, in order: its timeline.
create table payment_changes (
  reseller_id bigint not null,
  payment_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  code smallint not null,
  -- Which attempt it was heard of; null: it is about the payment itself.
  attempt smallint,
  -- Of an attempt that was begun: whose it is, and who had the one before.
  provider text,
  provider_before text,
  detail text not null,
  at timestamptz not null,
  primary key (reseller_id, payment_id, id)
);
-- However often a provider repeats itself, and on however many nodes: one contradiction is noted once.
create unique index payment_changes_one_contradiction
  on payment_changes (payment_id, reseller_id, code, coalesce(attempt, 0::smallint)) where kind = 'contradiction';

-- owner: payments
-- Sums of whole days by GMT+8, for the days marked as current; others are counted from the payments.
create table payment_rollups (
  reseller_id bigint not null,
  day date not null,
  product_code text collate "C" not null,
  code smallint not null,
  payments bigint not null,
  face_value bigint not null,
  cost bigint not null,
  primary key (reseller_id, day, product_code, code)
);

-- owner: payments
create table payment_rollup_days (
  reseller_id bigint not null,
  day date not null,
  is_current boolean not null,
  primary key (reseller_id, day)
);

create index payment_rollup_days_open on payment_rollup_days (reseller_id, day) where not is_current;

-- owner: payments
-- Staging: how far an account's clock was moved forward in all, for whoever asks. Moving it is an update of the
-- outstanding times themselves.
create table test_clocks (
  reseller_id bigint primary key references resellers,
  advanced_seconds bigint not null
);

-- Takes a batch of payments in one commit. Every command is looked up by its refid first, whatever was judged of
-- it; those that exist are answered with what exists. `cost` null: judged no, or only asked about. Verdicts:
--   nonce         the nonce had been spent before; nothing was looked at
--   created       taken, with the balance it left; also by an earlier run of the same request whose answer was lost,
--                 while the lease that it took is young and nobody else can have been at it
--   existing      there was one before (or another command of this batch made it), by its id
--   out_of_stock  judged yes, but no free item is left of what it asks for; nothing exists
--   insufficient  judged yes, but the wallet does not hold its cost; nothing exists
--   absent        judged no, and nothing exists
-- `p_stock` says which are sold from the stock, and `p_route_notes` what the timeline has to say about the choice of
-- the provider; null where none of the batch has any, which then costs nothing.
create function take_payments(
  p_digests uuid[], p_request_ids uuid[], p_signed_at float8[], p_skew_seconds integer,
  p_resellers bigint[], p_refids text[], p_products text[], p_product_names text[], p_accounts text[],
  p_amounts bigint[], p_face_values bigint[], p_costs bigint[], p_subproducts text[], p_billers text[],
  p_ref2s text[], p_plans text[], p_sealed_inputs bytea[], p_remarks text[], p_senders text[], p_members text[],
  p_providers text[], p_due_seconds integer[], p_lease_ms integer, p_stock boolean[], p_route_notes text[]
) returns table (command integer, verdict text, balance bigint, id bigint)
language plpgsql
-- The plans are kept, and may have been made when the tables were empty.
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_refused uuid[];
  v_now timestamptz;
  v_first_id bigint;
  v_fresh integer[];
  v_wallet_ids bigint[];
  v_wallet_balances bigint[];
  v_wallet_sequences bigint[];
  v_last_entry_at timestamptz;
  v_at integer := 1;
  v_balance bigint;
  v_sequence bigint;
  v_command integer;
  v_cost bigint;
  v_taken integer[] := '{}';
  v_ids bigint[] := '{}';
  v_resellers bigint[] := '{}';
  v_sequences bigint[] := '{}';
  v_amounts bigint[] := '{}';
  v_balances bigint[] := '{}';
  v_shelf text[];
  v_shelf_items bigint[];
  v_place integer;
  v_unstocked integer[] := '{}';
  v_items bigint[] := '{}';
  v_item_resellers bigint[] := '{}';
  v_item_payments bigint[] := '{}';
begin
  v_refused := spend_nonces(p_digests, p_request_ids, p_signed_at, p_skew_seconds);

  select array_agg(c.command::integer order by c.reseller_id, c.command) into v_fresh
    from unnest(p_resellers, p_refids, p_costs, p_digests) with ordinality
      as c (reseller_id, refid, cost, digest, command)
    left join lateral (
      select 1 as found from payments p
       where p.reseller_id::text || '/' || p.refid = c.reseller_id::text || '/' || c.refid limit 1
    ) p on true
   where c.cost is not null and p.found is null
     and (v_refused is null or c.digest is null or c.digest <> all (v_refused));

  if v_fresh is not null then
    select array_agg(w.reseller_id), array_agg(w.balance), array_agg(w.sequence), max(w.last_entry_at)
      into v_wallet_ids, v_wallet_balances, v_wallet_sequences, v_last_entry_at
      from lock_wallets((select array_agg(distinct p_resellers[f]) from unnest(v_fresh) as f)) w;
    -- Under the lock, once more: another node may have taken the refid meanwhile.
    select array_agg(f.command order by p_resellers[f.command], f.command) into v_fresh
      from unnest(v_fresh) as f (command)
      left join lateral (
        select 1 as found from payments p
         where p.reseller_id::text || '/' || p.refid = p_resellers[f.command]::text || '/' || p_refids[f.command]
         limit 1
      ) p on true
     where p.found is null;
  end if;

  if v_fresh is not null then
    -- After the lock, so that a wallet's entries are dated in their order.
    v_now := greatest(clock_timestamp(), v_last_entry_at);
    v_first_id := floor(extract(epoch from v_now) * 1000)::bigint << 20;
    if p_stock is not null then
      -- An item for each, as far as there are any. Whose it is, is decided below in the order of arrival.
      select array_agg(s.product_code || ' ' || s.denomination), array_agg(s.id) into v_shelf, v_shelf_items
        from (select array_agg(p_products[f]) as products, array_agg(p_amounts[f]) as amounts
                from unnest(v_fresh) as f where p_stock[f]) w
       cross join lateral reserve_stock(w.products, w.amounts) s;
    end if;
    v_balance := v_wallet_balances[1];
    v_sequence := v_wallet_sequences[1];
    foreach v_command in array v_fresh loop
      while v_wallet_ids[v_at] < p_resellers[v_command] loop
        v_at := v_at + 1;
        v_balance := v_wallet_balances[v_at];
        v_sequence := v_wallet_sequences[v_at];
      end loop;
      v_cost := p_costs[v_command];
      if p_stock is not null and p_stock[v_command] then
        v_place := array_position(v_shelf, p_products[v_command] || ' ' || p_amounts[v_command]);
        if v_place is null then
          v_unstocked := v_unstocked || v_command;
          continue;
        end if;
      end if;
      if v_cost <= v_balance and v_wallet_ids[v_at] = p_resellers[v_command] then
        v_balance := v_balance - v_cost;
        v_sequence := v_sequence + 1;
        v_taken := v_taken || v_command;
        v_ids := v_ids || (v_first_id | (nextval('payment_numbers') & 1048575));
        v_resellers := v_resellers || p_resellers[v_command];
        v_sequences := v_sequences || v_sequence;
        v_amounts := v_amounts || -v_cost;
        v_balances := v_balances || v_balance;
        if p_stock is not null and p_stock[v_command] then
          v_items := v_items || v_shelf_items[v_place];
          v_item_resellers := v_item_resellers || p_resellers[v_command];
          v_item_payments := v_item_payments || v_ids[cardinality(v_ids)];
          v_shelf[v_place] := null;
        end if;
      end if;
    end loop;
  end if;

  if cardinality(v_taken) > 0 then
    insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                          balance_after, code, subproduct_code, biller_code, ref2, plan_code, sealed_input, remarks,
                          sender, member_id, provider, created_at, changed_at)
    select c.reseller_id, t.id, c.refid, c.product_code, c.product_name, c.account, c.amount, c.face_value, c.cost,
           t.balance, 0, c.subproduct_code, c.biller_code, c.ref2, c.plan_code, c.sealed_input, c.remarks,
           c.sender, c.member_id, c.provider, v_now, v_now
      from unnest(v_taken, v_ids, v_balances) as t (command, id, balance)
      join unnest(p_resellers, p_refids, p_products, p_product_names, p_accounts, p_amounts, p_face_values, p_costs,
                  p_subproducts, p_billers, p_ref2s, p_plans, p_sealed_inputs, p_remarks, p_senders, p_members,
                  p_providers) with ordinality
        as c (reseller_id, refid, product_code, product_name, account, amount, face_value, cost, subproduct_code,
              biller_code, ref2, plan_code, sealed_input, remarks, sender, member_id, provider, command)
        on c.command = t.command;
    perform post_entries('payment', 'provider_clearing', v_resellers, v_sequences, v_amounts, v_balances, v_ids,
      (select array_agg(p_products[t.command] || ' ' || p_accounts[t.command] order by t.place)
         from unnest(v_taken) with ordinality as t (command, place)), v_now);
    insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, due_at, request_id)
    select t.reseller_id, t.id, 1, v_now, v_now + p_lease_ms * interval '1 millisecond', true,
           v_now + p_due_seconds[t.command] * interval '1 second', p_request_ids[t.command]
      from unnest(v_resellers, v_ids, v_taken) as t (reseller_id, id, command);
    if cardinality(v_items) > 0 then
      perform bind_stock(v_items, v_item_resellers, v_item_payments, v_now);
    end if;
    if p_route_notes is not null then
      insert into payment_changes (reseller_id, payment_id, kind, code, detail, at)
      select t.reseller_id, t.id, 'route', 0, p_route_notes[t.command], v_now
        from unnest(v_resellers, v_ids, v_taken) as t (reseller_id, id, command)
       where p_route_notes[t.command] is not null;
    end if;
    return query
      select t.command, 'created', t.balance, t.id
        from unnest(v_taken, v_balances, v_ids) as t (command, balance, id);
  end if;

  if cardinality(v_taken) < cardinality(p_resellers) then
    return query
      select c.command::integer,
             case when v_refused is not null and c.digest = any (v_refused) then 'nonce'
                  when own.is_own then 'created'
                  when p.id is not null then 'existing'
                  when c.command = any (v_unstocked) then 'out_of_stock'
                  when c.cost is not null then 'insufficient'
                  else 'absent' end,
             case when own.is_own then p.balance_after else w.balance end, p.id
        from unnest(p_resellers, p_refids, p_costs, p_digests, p_request_ids) with ordinality
          as c (reseller_id, refid, cost, digest, request_id, command)
        left join lateral (
          select p.id, p.code, p.balance_after from payments p
           where p.reseller_id::text || '/' || p.refid = c.reseller_id::text || '/' || c.refid limit 1
        ) p on true
        left join lateral (
          select true as is_own from payment_work o
           where c.cost is not null and c.request_id is not null and p.code = 0
             and o.reseller_id = c.reseller_id and o.payment_id = p.id and o.request_id = c.request_id
             and o.attempt = 1 and o.questions = 0 and o.is_leased and not o.is_unsent
             and o.next_at = o.submitted_at + p_lease_ms * interval '1 millisecond'
             and clock_timestamp() < o.submitted_at + p_lease_ms * interval '0.5 milliseconds'
           limit 1
        ) own on true
        left join lateral (select w.balance from wallets w where w.reseller_id = c.reseller_id limit 1) w on true
       where c.command <> all (v_taken);
  end if;
end $$;

-- owner: alerts
-- What an operator has to look at. Here, because whoever finds such a thing raises its alert in the same commit.
create table operator_alerts (
  id bigint generated always as identity primary key,
  kind text collate "C" not null,
  -- What it is about: a payment's id, a provider's code. At most one open alert of a kind about one subject.
  subject text collate "C" not null,
  text text not null,
  severity text not null check (severity in ('warning', 'critical')),
  raised_at timestamptz not null,
  last_seen_at timestamptz not null,
  times bigint not null,
  cleared_at timestamptz
);
create unique index operator_alerts_open on operator_alerts (kind, subject) where cleared_at is null;

-- Raises an alert, or counts it once more while it is open. True when it is news.
create function raise_alert(p_kind text, p_subject text, p_text text, p_severity text)
returns boolean language sql as $$
  insert into operator_alerts as a (kind, subject, text, severity, raised_at, last_seen_at, times)
  values (p_kind, p_subject, p_text, p_severity, clock_timestamp(), clock_timestamp(), 1)
  on conflict (kind, subject) where cleared_at is null
  do update set text = excluded.text, severity = excluded.severity, last_seen_at = excluded.last_seen_at,
                times = a.times + 1
  returning times = 1
$$;

-- What moved nothing because it speaks against a final state: success of a payment that failed, failure of the
-- attempt that succeeded, success of a second attempt. It goes to an operator and moves no money. The same final word
-- again is none, nor is the failure of another attempt than the one that succeeded, nor anything about a payment that
-- was voided. Returns the commands that are news.
create function note_contradictions(
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
      ) p on p.code not in (0, 1, 53)
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code = 20
         order by h.id desc limit 1
      ) s on true
     where c.code not in (0, 1, 53) and (p_moved is null or c.command <> all (p_moved))
       and case when c.code = 20 and p.code = 20 then c.attempt <> s.attempt
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
          || contradiction_text(v_row.code, v_row.attempt, v_row.found_code, v_row.succeeded_attempt), 'critical');
      return next v_row.command;
    end if;
  end loop;
end $$;

create function contradiction_text(
  p_code smallint, p_attempt smallint, p_found smallint, p_succeeded_attempt smallint
) returns text language sql immutable as $$
  select coalesce('attempt ' || p_attempt, 'the payment') || ' is reported as '
    || case when p_code = 20 then 'succeeded' else 'failed with ' || p_code end || ', but '
    || case when p_found <> 20 then 'the payment failed with ' || p_found
            when p_succeeded_attempt is null then 'the payment succeeded'
            else 'attempt ' || p_succeeded_attempt || ' succeeded' end
$$;

-- What succeeded may be told twice, and the telling that comes first need not be the one with the PIN: what the first
-- left empty is filled in from a later one about the attempt that succeeded. What is there stays, and of two PINs
-- nothing is mixed. Voids are held here too, so that a batch takes what succeeded before in one order.
create function fill_outputs(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_serials text[], p_expiries text[], p_notes text[],
  p_sealed_outputs bytea[], p_attempts smallint[], p_evidence text[], p_at timestamptz
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from unnest(p_resellers, p_ids, p_codes) as c (reseller_id, id, code)
    join payments p on p.reseller_id = c.reseller_id and p.id = c.id
   where c.code in (20, 53) and p.code = 20
   order by p.reseller_id, p.id for no key update of p;
  with given as (
    select c.reseller_id, c.id, c.attempt, c.evidence,
           case when p.sealed_output is null then c.sealed_output end as sealed_output,
           case when coalesce(p.serial_number, '') = '' then nullif(c.serial_number, '') end as serial_number,
           case when coalesce(p.expiry, '') = '' then nullif(c.expiry, '') end as expiry,
           case when coalesce(p.note, '') = '' then nullif(c.note, '') end as note
      from unnest(p_resellers, p_ids, p_codes, p_serials, p_expiries, p_notes, p_sealed_outputs, p_attempts, p_evidence)
        as c (reseller_id, id, code, serial_number, expiry, note, sealed_output, attempt, evidence)
      join payments p on p.reseller_id = c.reseller_id and p.id = c.id
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code = 20
         order by h.id desc limit 1
      ) s on true
     where c.code = 20 and p.code = 20 and coalesce(c.attempt = s.attempt, true)
       and (p.sealed_output is null or c.sealed_output is null)
  ), filled as (
    update payments p
       set sealed_output = coalesce(g.sealed_output, p.sealed_output),
           serial_number = coalesce(g.serial_number, p.serial_number),
           expiry = coalesce(g.expiry, p.expiry), note = coalesce(g.note, p.note)
      from given g
     where p.reseller_id = g.reseller_id and p.id = g.id
       and num_nonnulls(g.sealed_output, g.serial_number, g.expiry, g.note) > 0
    returning g.*
  )
  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
  select reseller_id, id, 'output', 20, attempt,
         concat_ws('; ', 'given later: ' || concat_ws(', ',
           case when sealed_output is not null then 'PIN or link' end,
           case when serial_number is not null then 'serial number' end,
           case when expiry is not null then 'expiry' end, case when note is not null then 'note' end), evidence), p_at
    from filled;
end $$;

-- Moves a batch of payments along the table of states in one commit; a move that the table does not have leaves
-- the payment as it is. Failures and voids give the money back. Code 1 keeps the work and says when to ask next;
-- every other code ends it. What is said of an attempt that is no longer the present one, by a node that was away
-- for longer than its lease, counts only if it is a success: the later attempt may be about to act. `attempt` null:
-- said of the payment itself. `evidence`: where it was heard, if not from the provider's own answer. A success of what
-- succeeded before moves nothing, and fills in what was not known. Returns the commands
-- that moved, with the balance a refund left, and those that contradict a final state for the first time.
create function resolve_payments(
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
    returning c.command::integer as command
  )
  select array_agg(command) into v_moved from moved;

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
