-- The lists of suppliers: what each sells and for how much, as last read, and what follows from a change for our own
-- catalogue, which people accept or reject.

-- owner: offers
-- One reading of a supplier's list, page by page. Any node reads the next page from the cursor.
create table offer_syncs (
  id bigint generated always as identity primary key,
  provider text collate "C" not null references provider_connections on delete cascade,
  state text not null check (state in ('running', 'complete', 'failed')),
  -- The connector's place in the list; null: its beginning.
  cursor text,
  pages integer not null default 0,
  offers integer not null default 0,
  -- Entries that could not be read.
  unread integer not null default 0,
  -- Of these, entries that may be any offer that we know.
  unnamed integer not null default 0,
  proposals integer not null default 0,
  -- Failures one after the other, and the last one's reason; of a complete list, why nothing of it was marked as gone.
  failures integer not null default 0,
  trouble text,
  -- The next page is due, or the lease of the node that reads it ends.
  next_at timestamptz not null default now(),
  holder uuid,
  started_by text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((state = 'running') = (finished_at is null))
);
create unique index offer_syncs_running on offer_syncs (provider) where state = 'running';
create index offer_syncs_provider on offer_syncs (provider, id);

-- owner: offers
create table offer_schedules (
  provider text collate "C" primary key references provider_connections on delete cascade,
  every_hours integer not null check (every_hours between 1 and 720),
  next_at timestamptz not null
);

-- owner: offers
-- The offers of a supplier's list, by the supplier's code.
create table supplier_offers (
  provider text collate "C" not null references provider_connections on delete cascade,
  code text collate "C" not null,
  -- As the list had it last; null: it has it no more.
  seen jsonb,
  -- Of the canonical form of seen, so that an offer that stays as it is costs no comparison.
  digest text collate "C",
  -- As our catalogue follows it; null: none of our products is bought by this code.
  known jsonb,
  -- The last reading that named it.
  sync_id bigint not null,
  seen_at timestamptz not null,
  primary key (provider, code),
  check ((seen is null) = (digest is null))
);

-- owner: offers
create table offer_proposals (
  id bigint generated always as identity primary key,
  provider text collate "C" not null references provider_connections on delete cascade,
  code text collate "C" not null,
  kind text not null
    check (kind in ('new', 'cost_changed', 'gone', 'closed', 'reopened', 'hours_changed', 'changed')),
  -- The members of the offer that differ; null: there was no such offer, or there is none any more.
  before jsonb,
  after jsonb,
  state text not null check (state in ('open', 'accepted', 'rejected', 'superseded')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  check ((state = 'open') = (decided_at is null))
);
create unique index offer_proposals_open on offer_proposals (provider, code, kind) where state = 'open';
create index offer_proposals_latest on offer_proposals (provider, code, kind, id);
create index offer_proposals_state on offer_proposals (state, provider, id);
