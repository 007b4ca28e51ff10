-- Catalogue changes become deliveries in steps, and what was told is kept for a while only.

-- Where the account's next event of the change is stored: which set, counted forwards for what comes and then backwards
-- for what goes, and where in it. With this a step costs the same at the first event and at the twenty-thousandth.
alter table event_fanouts
  add column visit integer not null default 0,
  add column position integer not null default 0;

-- owner: events
-- Attempts may be kept for a shorter time than their deliveries: up to this one they are gone.
create table delivery_strips (
  reseller_id bigint not null,
  stream text collate "C" not null,
  through uuid not null,
  primary key (reseller_id, stream)
);

-- owner: events
-- Whose turn it is to remove what is no longer kept: one pass at a time, on however many nodes.
create table retention_turns (
  singleton boolean primary key default true check (singleton),
  holder uuid,
  -- Nobody begins before this instant. Whoever is at it moves it on with every step, so that a pass that is cut off is
  -- taken up by another.
  next_at timestamptz not null
) with (fillfactor = 50);
insert into retention_turns (next_at) values ('-infinity');
