-- Keys of the vault.

-- owner: db
-- Data keys encrypt values that must not lie readable: signing secrets, PINs, identity numbers. The master key wraps
-- them, so that a change of the master key rewrites a handful of rows and not every secret.
create table data_keys (
  id integer generated always as identity primary key,
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now()
);
