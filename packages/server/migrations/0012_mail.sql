-- Mail: who wants to be told what, and the mails on their way.

-- owner: alerts
-- What somebody has switched; where there is no row, what the rules say at first holds.
create table mail_preferences (
  reseller_id bigint not null references resellers,
  -- 0: the account's registered address
  user_id bigint not null,
  kind text not null,
  is_on boolean not null,
  updated_at timestamptz not null default now(),
  primary key (reseller_id, user_id, kind)
);

-- owner: alerts
-- One mail to one address: the job and its log.
create table mails (
  id bigint generated always as identity primary key,
  -- null: to operators
  reseller_id bigint references resellers,
  kind text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  -- Names the mail to its receiver, equal in every attempt: one that came twice can be told from two.
  message_key uuid not null default gen_random_uuid(),
  status text not null check (status in ('waiting', 'sent', 'failed', 'dropped')),
  -- Not before; while a node sends it, the end of that node's lease.
  next_at timestamptz,
  holder uuid,
  attempts smallint not null default 0,
  error text not null default '',
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'waiting') = (next_at is not null)),
  check ((status = 'waiting') = (finished_at is null))
);
-- By whose they are, operators' first: each has its turn, however many another has waiting.
create index mails_due on mails ((coalesce(reseller_id, 0)), next_at) where status = 'waiting';
create index mails_finished on mails (finished_at) where status <> 'waiting';
create index mails_to_operators on mails (created_at) where reseller_id is null;

-- owner: alerts
-- How many letters of a kind, or copies to addresses that an account named, were made since an instant. Where there
-- are enough for that time, what comes next waits, or is not made.
create table mail_tallies (
  reseller_id bigint not null references resellers,
  kind text not null,
  began_at timestamptz not null,
  made integer not null,
  primary key (reseller_id, kind)
);

-- The account has had its letters of this kind for now: those that wait become one when this instant has come.
alter table mail_notices add column held_until timestamptz;

-- When operators were mailed about it. What is open already was seen in the log and in the list.
alter table operator_alerts add column mailed_at timestamptz;
update operator_alerts set mailed_at = clock_timestamp();
create index operator_alerts_untold on operator_alerts (id)
  where severity = 'critical' and cleared_at is null and mailed_at is null;
