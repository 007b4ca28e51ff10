-- Takes a batch of payments in one commit. Every command is looked up by its refid first, whatever was judged of it.
-- If the payment exists, the answer is the existing payment. A null `cost` means that the request was judged no.
-- Verdicts:
--   nonce         the nonce had been spent before; nothing was looked at
--   created       taken, with the balance it left. Also the verdict for a payment that an earlier run of the same
--                 batch created and whose answer was lost, while the lease is young and nobody else can have worked
--                 on it
--   existing      the payment existed before, or another command of this batch created it
--   late          nothing exists and nothing was decided: the client has stopped waiting
--   unquoted      judged yes, but its quote has expired or was paid meanwhile; nothing exists
--   repeated      judged yes, but the same payment was taken in the window before; nothing exists
--   limited       judged yes, but over a limit, or over the amount or a cap of its key: `reached` says which and what is
--                 used; nothing exists
--   out_of_stock  judged yes, but no free item is left in the stock; nothing exists
--   outranked     judged yes, but the refid was rejected after this request was signed or received; nothing exists
--   insufficient  judged yes, but the wallet does not hold the cost; nothing exists
--   absent        judged no or only looked up, and nothing exists
--   lost          nothing exists and nothing was decided: the database was returned to an earlier moment, and the refid
--                 may have been paid after it
-- `unquoted`, `repeated`, `limited`, `outranked`, `insufficient` and `absent` (unless the command only looks) are
-- rejections. They are remembered in the same commit, under the lock of the wallet. `out_of_stock` is no rejection yet, because another provider may sell the
-- product: the caller rejects it with a command of its own. `p_stock` says which commands are sold from the stock.
-- `p_quotes` names the quotes that say the costs: each pays once. `p_duplicate_seconds` is the window in which the same
-- product, account and amount is refused, 0 for none. `p_purposes` are those of the keys that pay, with the highest cost
-- that the key may pay at once, in a day and in a month. `p_route_notes` explains the choice of the provider on
-- the timeline. `p_looks` says which commands only look and
-- reject nothing. `p_asked_at` is the second in which the request was signed, by the client's clock. `p_received_at`
-- is when the node received it, and `p_not_after` until when its client waits; both in milliseconds of the database's
-- clock, as is the returned `rejected_ms`. An array is null if no command of the batch has a value in it.
create or replace function take_payments(
  p_digests uuid[], p_request_ids uuid[], p_signed_at float8[], p_skew_seconds integer,
  p_resellers bigint[], p_refids text[], p_products text[], p_product_names text[], p_accounts text[],
  p_canonical_accounts text[],
  p_amounts bigint[], p_face_values bigint[], p_costs bigint[], p_subproducts text[], p_billers text[],
  p_ref2s text[], p_plans text[], p_sealed_inputs bytea[], p_remarks text[], p_senders text[], p_members text[],
  p_providers text[], p_due_seconds integer[], p_lease_ms integer, p_stock boolean[], p_route_notes text[],
  p_looks boolean[], p_asked_at bigint[], p_received_at float8[], p_not_after float8[], p_quotes uuid[],
  p_duplicate_seconds integer[], p_categories text[], p_purposes bigint[], p_max_costs bigint[], p_daily_caps bigint[],
  p_monthly_caps bigint[]
) returns table (command integer, verdict text, balance bigint, id bigint, rejected_ms float8, reached jsonb)
language plpgsql
-- Plans are kept and may have been made while the tables were empty.
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_refused uuid[];
  v_now timestamptz;
  v_first_id bigint;
  v_open integer[];
  v_judged integer[];
  v_fresh integer[];
  v_outranked integer[];
  v_rejected integer[];
  v_short integer[] := '{}';
  v_quotes uuid[];
  v_unquoted integer[] := '{}';
  v_repeats integer[] := '{}';
  v_repeated integer[] := '{}';
  v_key text;
  v_keys text[] := '{}';
  v_is_gauged boolean := false;
  v_has_limits boolean;
  v_gauged bigint[];
  v_counted bigint[];
  v_counted_kinds text[];
  v_gauge_commands integer[];
  v_gauge_counters integer[];
  v_gauge_names text[];
  v_max_payments bigint[];
  v_max_sums bigint[];
  v_resets timestamptz[];
  v_used_payments bigint[];
  v_used_sums bigint[];
  v_gauge integer := 1;
  v_first_gauge integer;
  v_counter integer;
  v_sum bigint;
  v_why jsonb;
  v_limited integer[] := '{}';
  v_reached jsonb[] := '{}';
  v_clock timestamptz;
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
  v_remarks text[] := '{}';
  v_shelf text[];
  v_shelf_items bigint[];
  v_place integer;
  v_unstocked integer[] := '{}';
  v_items bigint[] := '{}';
  v_item_resellers bigint[] := '{}';
  v_item_payments bigint[] := '{}';
  v_is_accepted boolean;
  v_lost integer[] := '{}';
begin
  v_refused := spend_nonces(p_digests, p_request_ids, p_signed_at, p_skew_seconds);

  -- The table is empty unless the database was once returned to an earlier moment.
  if exists (select from restores) then
    v_is_accepted := not exists (select from restores r where r.accepted_at is null);
    select coalesce(array_agg(c.command::integer), '{}') into v_lost
      from unnest(p_resellers, p_refids) with ordinality as c (reseller_id, refid, command)
     where not v_is_accepted
        or exists (select from lost_payments l
                    where l.reseller_id = c.reseller_id and l.refid = c.refid and l.released_at is null);
  end if;

  -- A command that is too late already does not wait for a wallet.
  v_clock := clock_timestamp();
  select array_agg(c.command::integer) into v_open
    from unnest(p_resellers, p_refids, p_digests, p_looks, p_not_after) with ordinality
      as c (reseller_id, refid, digest, looks, not_after, command)
    left join lateral (
      select 1 as found from payments p
       where p.reseller_id::text || '/' || p.refid = c.reseller_id::text || '/' || c.refid limit 1
    ) p on true
   where p.found is null and c.looks is not true
     and (c.not_after is null or to_timestamp(c.not_after / 1000) >= v_clock)
     and (v_refused is null or c.digest is null or c.digest <> all (v_refused))
     and c.command <> all (v_lost);

  if v_open is not null then
    select array_agg(w.reseller_id), array_agg(w.balance), array_agg(w.sequence), max(w.last_entry_at)
      into v_wallet_ids, v_wallet_balances, v_wallet_sequences, v_last_entry_at
      from lock_wallets((select array_agg(distinct p_resellers[o]) from unnest(v_open) as o)) w;
    -- Looks again under the lock: another node may have taken or rejected the refid, and time has passed.
    v_clock := clock_timestamp();
    select array_agg(o.command),
           array_agg(o.command order by p_resellers[o.command], o.command)
             filter (where p_costs[o.command] is not null),
           array_agg(o.command) filter (where r.outranks)
      into v_judged, v_fresh, v_outranked
      from unnest(v_open) as o (command)
      left join lateral (
        select 1 as found from payments p
         where p.reseller_id::text || '/' || p.refid = p_resellers[o.command]::text || '/' || p_refids[o.command]
         limit 1
      ) p on true
      left join lateral (
        select true as outranks from payment_rejections r
         where r.reseller_id = p_resellers[o.command] and r.refid = p_refids[o.command]
           and (r.signed_at > p_asked_at[o.command]
                or r.rejected_at > to_timestamp(p_received_at[o.command] / 1000))
         limit 1
      ) r on true
     where p.found is null
       and (p_not_after[o.command] is null or to_timestamp(p_not_after[o.command] / 1000) >= v_clock);
    -- Rejected so far: judged no or outranked. Commands whose cost the wallet does not hold are added below.
    if coalesce(cardinality(v_fresh), 0) < cardinality(v_judged) or v_outranked is not null then
      select array_agg(j) into v_rejected from unnest(v_judged) as j
       where p_costs[j] is null or j = any (v_outranked);
    end if;
  end if;

  if v_fresh is not null then
    -- Read after the lock, so that the entries of a wallet are dated in their order.
    v_now := greatest(v_clock, v_last_entry_at);
    v_first_id := floor(extract(epoch from v_now) * 1000)::bigint << 20;
    if p_stock is not null then
      -- Reserves an item for each, as far as there are any. The loop below assigns them in the order of arrival.
      select array_agg(s.product_code || ' ' || s.denomination), array_agg(s.id) into v_shelf, v_shelf_items
        from (select array_agg(p_products[f]) as products, array_agg(p_amounts[f]) as amounts
                from unnest(v_fresh) as f where p_stock[f]) w
       cross join lateral reserve_stock(w.products, w.amounts) s;
    end if;
    if p_quotes is not null then
      select coalesce(array_agg(q.id), '{}') into v_quotes
        from unnest(v_fresh) as f (command)
       cross join lateral (
         select q.id from quotes q
          where q.reseller_id = p_resellers[f.command] and q.id = p_quotes[f.command]
            and q.payment_id is null and q.expires_at > v_clock
          limit 1
       ) q;
    end if;
    if p_duplicate_seconds is not null then
      -- An id begins with its time: the window lies in one stretch of them or in two. See the index payments_of_customer.
      select coalesce(array_agg(f.command), '{}') into v_repeats
        from unnest(v_fresh) as f (command)
       where p_duplicate_seconds[f.command] > 0 and exists (
         select from payments p
          where (p.id >> 52)::smallint = any (array[
                  (floor(extract(epoch from v_now) * 1000)::bigint >> 32)::smallint,
                  (floor(extract(epoch from v_now) * 1000 - p_duplicate_seconds[f.command] * 1000)::bigint >> 32)::smallint])
            and coalesce(p.canonical_account, p.account)
                  = coalesce(p_canonical_accounts[f.command], p_accounts[f.command])
            and p.reseller_id + 0 = p_resellers[f.command]
            -- A test clock only makes payments older.
            and p.id >= (floor(extract(epoch from v_now) * 1000)::bigint - p_duplicate_seconds[f.command] * 1000) << 20
            and p.product_code = p_products[f.command] and p.amount = p_amounts[f.command] and p.code in (0, 1, 20)
            and p.created_at > v_now - make_interval(secs => p_duplicate_seconds[f.command] - coalesce((
                  select sum(m.seconds) from test_clock_moves m
                   where m.reseller_id = p_resellers[f.command] and m.at > p.created_at), 0)));
    end if;
    v_is_gauged := p_max_costs is not null;
    v_has_limits := p_daily_caps is not null or p_monthly_caps is not null
      or exists (select from reseller_limits) or exists (select from member_limits);
    -- A call by itself: within a statement on tables, Citus may make it on another node, where no schema is set.
    if not v_has_limits then v_has_limits := has_level_limits(); end if;
    if v_has_limits then
      -- Few batches come near a limit. The payments of a reseller that does are judged one after the other.
      select resellers_near_limits(
               p_resellers => array_agg(p_resellers[f]),
               p_accounts => array_agg(coalesce(p_canonical_accounts[f], p_accounts[f])),
               p_categories => array_agg(p_categories[f]), p_purposes => array_agg(p_purposes[f]),
               p_members => array_agg(p_members[f]),
               p_face_values => array_agg(p_face_values[f]), p_costs => array_agg(p_costs[f]),
               p_daily_caps => array_agg(p_daily_caps[f]), p_monthly_caps => array_agg(p_monthly_caps[f]),
               p_at => v_now)
        into v_gauged
        from unnest(v_fresh) as f;
    end if;
    if v_gauged is not null then
      v_is_gauged := true;
      select array_agg(c.reseller_id), array_agg(c.kind) into v_counted, v_counted_kinds
        from (select distinct l.reseller_id, l.scope as kind from limits_of(v_gauged) l
               union
              select p_resellers[f], 'key' from unnest(v_fresh) as f
               where p_resellers[f] = any (v_gauged) and (p_daily_caps[f] is not null or p_monthly_caps[f] is not null)
               union
              select l.reseller_id, 'member' from unnest(v_fresh) as f
                join member_limits l on l.reseller_id = p_resellers[f]
                 and l.user_id::text = counted_member(p_purposes[f], p_categories[f], p_members[f])
               where p_resellers[f] = any (v_gauged)) c;
      perform begin_tallies(v_counted, v_counted_kinds);
      -- Gauges come in the order of the loop: commands are named by their place in it.
      with gauges as materialized (
        select g.* from (select array_agg(f.place::integer) as places, array_agg(p_resellers[f.command]) as resellers,
                     array_agg(coalesce(p_canonical_accounts[f.command], p_accounts[f.command])) as accounts,
                     array_agg(p_categories[f.command]) as categories, array_agg(p_purposes[f.command]) as purposes,
                     array_agg(p_members[f.command]) as members,
                     array_agg(p_daily_caps[f.command]) as daily_caps,
                     array_agg(p_monthly_caps[f.command]) as monthly_caps
                from unnest(v_fresh) with ordinality as f (command, place)
               where p_resellers[f.command] = any (v_gauged)) c
       cross join lateral gauges_of(
         p_commands => c.places, p_resellers => c.resellers, p_accounts => c.accounts, p_categories => c.categories,
         p_purposes => c.purposes, p_members => c.members, p_daily_caps => c.daily_caps, p_monthly_caps => c.monthly_caps, p_at => v_now) g
      )
      select * into v_gauge_commands, v_gauge_counters, v_gauge_names, v_max_payments, v_max_sums, v_resets,
             v_used_payments, v_used_sums
        -- Two aggregations: with an order in one of them PostgreSQL would sort for all.
        from (select array_agg(v_fresh[g.command]), array_agg(g.counter), array_agg(g.name), array_agg(g.max_payments),
                     array_agg(g.max_sum), array_agg(g.resets_at) from gauges g) g,
             (select array_agg(g.used_payments order by g.counter), array_agg(g.used_sum order by g.counter)
                from gauges g where g.is_first) u;
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
      if v_is_gauged then
        -- The gauges of a command that is refused for another reason are passed by, too.
        v_why := null;
        v_first_gauge := v_gauge;
        while v_gauge_commands[v_gauge] = v_command loop
          v_counter := v_gauge_counters[v_gauge];
          v_sum := case when v_gauge_names[v_gauge] like 'Key%' then v_cost else p_face_values[v_command] end;
          if v_why is null and (v_used_payments[v_counter] >= v_max_payments[v_gauge]
                                or v_used_sums[v_counter] + v_sum > v_max_sums[v_gauge]) then
            v_why := jsonb_build_object(
              'name', v_gauge_names[v_gauge], 'payments', v_max_payments[v_gauge]::text,
              'sum', v_max_sums[v_gauge]::text, 'used_payments', v_used_payments[v_counter]::text,
              'used_sum', v_used_sums[v_counter]::text,
              'resets_ms', floor(extract(epoch from v_resets[v_gauge]) * 1000)::float8);
          end if;
          v_gauge := v_gauge + 1;
        end loop;
        if v_cost > p_max_costs[v_command] and (v_why is null or v_why ->> 'name' like 'Key%') then
          v_why := jsonb_build_object('name', 'Key_Amount_Cap', 'sum', p_max_costs[v_command]::text);
        end if;
      end if;
      if p_quotes[v_command] is not null and p_quotes[v_command] <> all (v_quotes) then
        v_unquoted := v_unquoted || v_command;
        continue;
      end if;
      if p_duplicate_seconds is not null then
        v_key := concat_ws(' ', p_resellers[v_command], p_amounts[v_command], p_products[v_command],
                           coalesce(p_canonical_accounts[v_command], p_accounts[v_command]));
        if p_duplicate_seconds[v_command] > 0 and (v_command = any (v_repeats) or v_key = any (v_keys)) then
          v_repeated := v_repeated || v_command;
          continue;
        end if;
      end if;
      if v_why is not null then
        v_limited := v_limited || v_command;
        v_reached := v_reached || v_why;
        continue;
      end if;
      if p_stock is not null and p_stock[v_command] then
        v_place := array_position(v_shelf, p_products[v_command] || ' ' || p_amounts[v_command]);
        if v_place is null then
          v_unstocked := v_unstocked || v_command;
          continue;
        end if;
      end if;
      if v_cost > v_balance or v_wallet_ids[v_at] is distinct from p_resellers[v_command] then
        v_short := v_short || v_command;
      elsif v_outranked is null or v_command <> all (v_outranked) then
        v_balance := v_balance - v_cost;
        v_sequence := v_sequence + 1;
        v_taken := v_taken || v_command;
        if v_is_gauged then
          for v_passed in v_first_gauge .. v_gauge - 1 loop
            v_counter := v_gauge_counters[v_passed];
            v_used_payments[v_counter] := v_used_payments[v_counter] + 1;
            v_used_sums[v_counter] := v_used_sums[v_counter]
              + case when v_gauge_names[v_passed] like 'Key%' then v_cost else p_face_values[v_command] end;
          end loop;
        end if;
        v_keys := v_keys || v_key;
        v_ids := v_ids || (v_first_id | (nextval('payment_numbers') & 1048575));
        v_resellers := v_resellers || p_resellers[v_command];
        v_sequences := v_sequences || v_sequence;
        v_amounts := v_amounts || -v_cost;
        v_balances := v_balances || v_balance;
        v_remarks := v_remarks || (p_products[v_command] || ' ' || p_accounts[v_command]);
        if p_quotes[v_command] is not null then
          v_quotes := array_remove(v_quotes, p_quotes[v_command]);
        end if;
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
    insert into payments (reseller_id, id, refid, product_code, product_name, account, canonical_account,
                          amount, face_value, cost,
                          balance_after, code, subproduct_code, biller_code, ref2, plan_code, sealed_input, remarks,
                          sender, member_id, provider, category, purpose_id, created_at, changed_at)
    -- Subscripts cost less than a join with the arrays as rows.
    select t.reseller_id, t.id, p_refids[t.command], p_products[t.command], p_product_names[t.command],
           p_accounts[t.command], p_canonical_accounts[t.command], p_amounts[t.command], p_face_values[t.command], p_costs[t.command], t.balance, 0,
           p_subproducts[t.command], p_billers[t.command], p_ref2s[t.command], p_plans[t.command],
           p_sealed_inputs[t.command], p_remarks[t.command], p_senders[t.command], p_members[t.command],
           p_providers[t.command], p_categories[t.command], p_purposes[t.command], v_now, v_now
      from unnest(v_taken, v_resellers, v_ids, v_balances) as t (command, reseller_id, id, balance);
    perform post_entries(
      p_kind => 'payment', p_house_account => 'provider_clearing', p_resellers => v_resellers,
      p_sequences => v_sequences, p_amounts => v_amounts, p_balances => v_balances, p_payments => v_ids,
      p_remarks => v_remarks, p_at => v_now);
    insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, due_at, request_id)
    select t.reseller_id, t.id, 1, v_now, v_now + p_lease_ms * interval '1 millisecond', true,
           v_now + p_due_seconds[t.command] * interval '1 second', p_request_ids[t.command]
      from unnest(v_resellers, v_ids, v_taken) as t (reseller_id, id, command);
    if p_quotes is not null then
      update quotes q set payment_id = t.id
        from unnest(v_resellers, v_ids, v_taken) as t (reseller_id, id, command)
       where q.reseller_id = t.reseller_id and q.id = p_quotes[t.command];
    end if;
    if exists (select from payment_tallies t where t.reseller_id = any (v_wallet_ids)) then
      perform count_payments(
        p_resellers => v_resellers, p_accounts => array_agg(coalesce(p_canonical_accounts[t], p_accounts[t])),
        p_categories => array_agg(p_categories[t]), p_purposes => array_agg(p_purposes[t]),
        p_members => array_agg(p_members[t]),
        p_face_values => array_agg(p_face_values[t]), p_costs => array_agg(p_costs[t]), p_at => v_now)
         from unnest(v_taken) as t;
    end if;
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
      select t.command, 'created', t.balance, t.id, null::float8, null::jsonb
        from unnest(v_taken, v_balances, v_ids) as t (command, balance, id);
  end if;

  v_rejected := v_rejected || v_short || v_unquoted || v_repeated || v_limited;
  if cardinality(v_rejected) > 0 then
    -- Another command of the batch may have created the same refid: then it is not rejected.
    with rejected as (
      select p_resellers[j.command] as reseller_id, p_refids[j.command] as refid,
             max(p_asked_at[j.command]) as signed_at
        from unnest(v_rejected) as j (command)
        left join lateral (
          select 1 as found from payments p
           where p.reseller_id::text || '/' || p.refid = p_resellers[j.command]::text || '/' || p_refids[j.command]
           limit 1
        ) p on true
       where p.found is null
       group by 1, 2
    )
    insert into payment_rejections (reseller_id, refid, signed_at, rejected_at)
    select r.reseller_id, r.refid, r.signed_at, v_clock from rejected r
    on conflict (reseller_id, refid) do update
       set signed_at = greatest(payment_rejections.signed_at, excluded.signed_at),
           rejected_at = greatest(payment_rejections.rejected_at, excluded.rejected_at);
  end if;

  if cardinality(v_taken) < cardinality(p_resellers) then
    return query
      select c.command::integer,
             case when v_refused is not null and c.digest = any (v_refused) then 'nonce'
                  when own.is_own then 'created'
                  when p.id is not null then 'existing'
                  when c.command = any (v_lost) then 'lost'
                  when c.looks then 'absent'
                  when v_judged is null or c.command <> all (v_judged) then 'late'
                  when c.command = any (v_unquoted) then 'unquoted'
                  when c.command = any (v_repeated) then 'repeated'
                  when c.command = any (v_limited) then 'limited'
                  when c.command = any (v_unstocked) then 'out_of_stock'
                  when c.command = any (v_short) then 'insufficient'
                  when c.cost is not null then 'outranked'
                  else 'absent' end,
             case when own.is_own then p.balance_after else w.balance end, p.id,
             case when c.command = any (v_rejected) then (extract(epoch from v_clock) * 1000)::float8 end,
             v_reached[array_position(v_limited, c.command::integer)]
        from unnest(p_resellers, p_refids, p_costs, p_digests, p_request_ids, p_looks) with ordinality
          as c (reseller_id, refid, cost, digest, request_id, looks, command)
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
