-- Events: the feed, in which every account has its events in one line without gaps, and the deliveries that push
-- events to the account's receivers. Each event is first appended as a fact, in the commit of what happened. A
-- sequencer behind it numbers the facts and makes the deliveries, both in one commit.

-- owner: events
-- Facts without numbers. If the commit of an event gave out the account's next number, everything that happens to an
-- account would wait in one line. One row holds a whole batch, so that a fact costs a payment almost nothing. Sources,
-- with the meaning of `subjects`:
--   taken     a payment was taken (payment id); told as payment.accepted and balance.deducted
--   moved     a payment entered another state (payment id)
--   refunded  its money was given back (payment id)
--   entry     any other entry of the wallet (the entry's sequence); `type` is its kind
--   catalog   a catalogue change was expanded for the account (version); `spans` counts its events
--   own       an event without another record (0); `type` and `data` are the event's
create table event_facts (
  id bigint generated always as identity primary key,
  source text not null check (source in ('taken', 'moved', 'refunded', 'entry', 'catalog', 'own')),
  reseller_ids bigint[] not null,
  subjects bigint[] not null,
  -- moved: the state that the payment entered
  codes smallint[],
  -- The movement of the wallet with its sign, and the balance that it left.
  amounts bigint[],
  balances bigint[],
  spans integer[],
  type text,
  data jsonb,
  at timestamptz not null
  -- Vacuumed early: rows come and go by the hundred thousand while few exist at a time, and dead rows would lie at the
  -- front of every scan.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- owner: events
create table event_sequences (
  reseller_id bigint primary key,
  last_sequence bigint not null
) with (fillfactor = 50);

-- owner: events
-- The feed. A row stands for `span` events with consecutive numbers, of which `sequence` is the first: a payment that
-- was taken is two events and one row, a catalogue change for one account is thousands of events and one row. The rest
-- of an event is read from its subject, so that no secret lies here.
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

-- owner: events
-- The account's receivers, at most one per stream.
create table event_endpoints (
  reseller_id bigint not null references resellers,
  stream text not null check (stream in ('callback', 'catalog', 'balance')),
  url text not null check (length(url) <= 2000),
  method text not null check (method in ('GET', 'POST')),
  is_enabled boolean not null,
  -- The events that the balance stream sends.
  types text[] not null default '{}',
  -- Bound to reseller and stream.
  sealed_secret bytea not null,
  secret_last_four text not null,
  secret_created_at timestamptz not null,
  -- Signs beside the present secret until the instant: a rotation with a grace period.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- Since when no delivery arrived. null: the last one did.
  failing_since timestamptz,
  -- Failed for days, or paused by an operator: nothing is sent until the owner changes something. `is_enabled` is the
  -- owner's own setting and stays.
  paused_at timestamptz,
  -- When the owner was last told by mail that deliveries fail.
  failure_told_at timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (reseller_id, stream)
);

-- owner: events
-- One event on its way to one receiver: the job and its log. The request is made from the event's subject at every
-- attempt; the columns from `source` to `at` are the event's own.
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
  -- The place of the event within a catalogue change.
  catalog_set_id uuid,
  catalog_position integer,
  at timestamptz not null,
  -- superseded: a later state of the same payment is delivered in its place
  status text not null check (status in ('pending', 'success', 'failed', 'superseded')),
  -- One element per attempt: { at, ms, status, error }
  attempts jsonb not null default '[]',
  attempts_made smallint not null default 0,
  error text not null default '',
  response_status smallint not null default 0,
  -- Bound to reseller and id. It is sealed because a receiver may repeat the request in it.
  sealed_response bytea,
  -- The address of the last attempt; before the first one, the address to use.
  url text not null,
  method text not null,
  -- A replay: the delivery it repeats, and its number among the replays of the event.
  original_id uuid,
  replay_number smallint not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (reseller_id, stream, id)
) with (fillfactor = 50);
-- Each stream delivers an event once, and once for each of its replays.
create unique index deliveries_event on deliveries (reseller_id, event_id, stream, replay_number);
-- Finds failed deliveries among a million that succeeded. The error stands for the state: an index on the state itself
-- would be written at every delivery that succeeds.
create index deliveries_troubled on deliveries (reseller_id, stream, id) where error <> '';
-- Finds deliveries that succeeded among hundreds of thousands that did not. A delivery is in it from the beginning, so
-- that one that succeeds at once changes nothing here.
create index deliveries_untroubled on deliveries (reseller_id, stream, id) where error = '';

-- owner: events
-- One row per delivery that is not finished, apart from the log so that it stays small.
create table delivery_work (
  reseller_id bigint not null,
  stream text collate "C" not null,
  next_at timestamptz not null,
  delivery_id uuid not null,
  primary key (reseller_id, stream, next_at, delivery_id)
  -- Vacuumed early, as event_facts is.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- owner: events
-- The line before one receiver. The node that holds the lane is the only one that sends there: this bounds the requests
-- that a receiver has at a time, on however many nodes. A lane that waits for its receiver holds up no other lane.
create table delivery_lanes (
  reseller_id bigint not null,
  stream text collate "C" not null,
  -- Nothing is due before this instant.
  next_at timestamptz not null,
  holder uuid,
  leased_until timestamptz not null default '-infinity',
  -- How far the account's test clock was moved since the lane exists. A failure from before a move that is recorded
  -- after it is due as if it had been recorded at once.
  advanced_ms bigint not null default 0,
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
  -- The number of events that are deliveries by now.
  done integer not null default 0,
  -- The place of the next event: its set, counted forwards for new resources and then backwards for removed ones, and
  -- its position in the set. A step therefore costs the same at the first event and at the twenty-thousandth.
  visit integer not null default 0,
  position integer not null default 0,
  at timestamptz not null,
  primary key (reseller_id, sequence)
);

-- owner: events
-- Attempts may be kept for a shorter time than their deliveries: those up to this delivery are removed.
create table delivery_strips (
  reseller_id bigint not null,
  stream text collate "C" not null,
  through uuid not null,
  primary key (reseller_id, stream)
);

-- owner: events
-- The turn to remove events and deliveries that are no longer kept: one pass at a time, on however many nodes.
create table retention_turns (
  singleton boolean primary key default true check (singleton),
  holder uuid,
  -- Nobody begins before this instant. The node at work moves it on with every step, so that another node takes up a
  -- pass that was cut off.
  next_at timestamptz not null
) with (fillfactor = 50);
insert into retention_turns (next_at) values ('-infinity');
