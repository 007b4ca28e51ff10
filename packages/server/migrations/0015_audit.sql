-- The audit log of the back office.

-- owner: audit
-- The key of the chain over the log: random, created once and sealed by the vault, as the ledger's is.
create table audit_keys (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);

-- owner: audit
-- One row per action, written in the commit of the action. The hash of each row covers the row before it. `before` and
-- `after` are json and not jsonb, because json is kept to the letter and the hash is over the letters.
create table audit_log (
  sequence bigint primary key check (sequence > 0),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('operator', 'token', 'member', 'command', 'system')),
  actor_id bigint,
  actor text not null,
  credential text,
  address text,
  action text not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  target_kind text not null,
  target text not null,
  before json,
  after json,
  reason text not null check (length(reason) between 1 and 500),
  hash bytea not null
);
create index audit_log_target on audit_log (target_kind, target, sequence);
create index audit_log_actor on audit_log (actor, sequence);

-- owner: audit
-- The end of the log. An append holds the lock of the row until it commits, so that the log has no gaps. The seal is
-- under the key as well: nobody can take rows off the end and set the head back to an earlier one.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  sequence bigint not null,
  at timestamptz not null,
  hash bytea not null,
  seal bytea not null
);
