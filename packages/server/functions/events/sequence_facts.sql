-- Numbers the oldest facts and makes their deliveries, in one commit and by one holder at a time. Facts are picked
-- because they exist, never because their id is greater than the last one: a fact with a smaller id may be committed
-- later. Two facts of one wallet or one payment have ids in the order of their commits, because the second was
-- appended by somebody who had waited for the first. Returns null counts if another node is sequencing. Thresholds and
-- endpoints are looked up once per account through their keys. The steps are joined by hashing: the planner expects a
-- few rows in a batch and would compare every row with every other one.
create or replace function sequence_facts(p_facts_max integer)
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
  v_told text;
  v_lanes text[];
begin
  -- Twice a second there is mostly nothing; starting the statement below would cost more than all other work then. Facts
  -- that another node is numbering are still seen here.
  if not exists (select from event_facts) then
    return query select 0, 0, 0, 0;
    return;
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('sequence_facts', 0) # lock_mark()) then
    return query select null::integer, 0, 0, 0;
    return;
  end if;
  -- Read under the lock, so that later numbers also have later dates.
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
    -- Thresholds that were crossed downwards: above the balance that is left, and not above the one before.
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
    -- Counts back from the last number.
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
             when 'catalog' then n.source = 'catalog'
             when 'order' then n.source = 'order' end
  ), made as (
    insert into deliveries (reseller_id, stream, id, event_id, source, subject, code, amount, balance, type, data, at,
                            status, error, url, method, created_at, completed_at)
    select d.reseller_id, d.stream, d.delivery_id,
           -- A payment that was taken has two events; the second one is the balance event.
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
    -- The holder of a lane is told below, and reads all that is due when it gives the lane back.
    on conflict (reseller_id, stream) do update set next_at = excluded.next_at
     where l.holder is null and l.next_at > excluded.next_at
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
         (select count(*) from made), (select count(*) from spread),
         (select string_agg(f.reseller_id || ':' || f.sequence, ',')
            from (select n.reseller_id, min(n.sequence) as sequence from numbered n group by n.reseller_id) f),
         (select array_agg(k.reseller_id || ' ' || k.stream)
            from (select d.reseller_id, d.stream from due d where d.source <> 'catalog' and not d.is_paused
                   group by d.reseller_id, d.stream) k)
    into v_facts, v_events, v_deliveries, v_fanouts, v_told, v_lanes;
  -- Tells nodes with open pages: each account with its first new number, or nothing if that is longer than a
  -- notification may be.
  if v_events > 0 then
    perform pg_notify(channel_prefix() || 'events', case when length(v_told) < 7900 then v_told else '' end);
  end if;
  -- Tells nodes that send deliveries, with the lanes in which some are due. 256 lanes always fit into a notification.
  perform pg_notify(channel_prefix() || 'deliveries', 'queued ' || array_to_string(v_lanes[i : i + 255], ','))
     from generate_series(1, cardinality(v_lanes), 256) as i;
  if v_fanouts > 0 then perform pg_notify(channel_prefix() || 'deliveries', ''); end if;
  return query select v_facts, v_events, v_deliveries, v_fanouts;
end $$;
