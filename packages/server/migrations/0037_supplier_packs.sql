-- Packs that connections were made of, proofs of what is said of their suppliers, and suppliers' words that no table knows.

-- owner: providers
create table provider_packs (
  provider text collate "C" primary key references provider_connections on delete cascade,
  pack text collate "C" not null,
  version integer not null check (version > 0),
  -- Name → value, as the operator gave them.
  settings jsonb not null,
  -- Configuration as the pack made it: a difference from the connection's own is a person's change.
  made jsonb not null,
  updated_at timestamptz not null
);

-- owner: providers
-- The latest result of each claim at each trial, without any of the supplier's own words.
create table provider_proofs (
  provider text collate "C" not null references provider_connections on delete cascade,
  at timestamptz not null,
  claim text collate "C" not null,
  result text not null check (result in ('held', 'did_not_hold', 'not_tried')),
  says text not null,
  proved_by text not null,
  primary key (provider, at, claim)
);

-- owner: providers
-- Words in answers that the connection's tables do not know. The sample has no secret, no account and no PIN in it.
create table provider_unknown_answers (
  id bigint generated always as identity unique,
  provider text collate "C" not null references provider_connections on delete cascade,
  operation text not null check (operation in ('submit', 'query', 'void', 'fetch', 'callback')),
  path text not null,
  value text not null,
  count bigint not null check (count > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  sample text not null,
  primary key (provider, operation, path, value)
);
