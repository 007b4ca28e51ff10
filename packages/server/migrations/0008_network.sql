-- Notices of operators about products, categories or providers that do not work.

-- owner: network
-- A notice is never deleted: its text, its author and its duration can be read later.
create table network_notices (
  id bigint generated always as identity primary key,
  target_kind text not null check (target_kind in ('product', 'category', 'provider')),
  -- No foreign key: a notice outlives its target, and providers may be built in.
  target_code text collate "C" not null check (length(target_code) between 1 and 100),
  message text not null check (length(message) between 1 and 500),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  stops_payments boolean not null,
  created_by text not null check (length(created_by) between 1 and 100),
  created_at timestamptz not null default now(),
  -- When somebody ended it, which may be before it began.
  ended_at timestamptz,
  -- least() ignores nulls.
  over_at timestamptz not null generated always as
    (coalesce(least(ends_at, ended_at), 'infinity'::timestamptz)) stored,
  -- Payments follow the routes, so a provider is stopped there.
  check (not stops_payments or target_kind <> 'provider')
);
create index network_notices_over on network_notices (over_at);
