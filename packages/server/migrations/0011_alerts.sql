-- Alerts to operators and mails to everybody. An alert or a notice is written in the commit of the event that causes
-- it.

-- owner: alerts
-- Troubles that an operator has to look at.
create table operator_alerts (
  id bigint generated always as identity primary key,
  kind text collate "C" not null,
  -- A payment's id, a provider's code. A kind has at most one open alert about one subject.
  subject text collate "C" not null,
  text text not null,
  severity text not null check (severity in ('warning', 'critical')),
  raised_at timestamptz not null,
  last_seen_at timestamptz not null,
  times bigint not null,
  cleared_at timestamptz,
  -- When operators were mailed about it.
  mailed_at timestamptz,
  -- Sending the alert to the operators' webhook. A node claims the alert until `post_next_at`, so that one node at a
  -- time sends it. 'infinity': it was given up.
  posted_at timestamptz,
  post_attempts integer not null default 0,
  post_holder text,
  post_next_at timestamptz not null default '-infinity'
);
create unique index operator_alerts_open on operator_alerts (kind, subject) where cleared_at is null;
create index operator_alerts_untold on operator_alerts (id) where cleared_at is null and mailed_at is null;
create index operator_alerts_unposted on operator_alerts (post_next_at) where cleared_at is null and posted_at is null;

-- owner: alerts
-- Notices to the members of an account. The recipients and the form are decided when the mail is made.
create table mail_notices (
  id bigint generated always as identity primary key,
  reseller_id bigint not null,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null,
  -- The account has had its letters of this kind for now: notices that wait become one letter at this instant.
  held_until timestamptz
);

-- owner: alerts
-- Choices of members. Without a row the default of the kind holds.
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
  -- The text of a mail that carries a way to sign in, sealed; `body` is empty then.
  sealed_body bytea,
  -- Identifies the mail to its receiver in every attempt, so that a mail that came twice can be told from two mails.
  message_key uuid not null default gen_random_uuid(),
  status text not null check (status in ('waiting', 'sent', 'failed', 'dropped')),
  -- Not sent before this instant. While a node sends it, the end of that node's lease.
  next_at timestamptz,
  holder uuid,
  attempts smallint not null default 0,
  error text not null default '',
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'waiting') = (next_at is not null)),
  check ((status = 'waiting') = (finished_at is null)),
  check (sealed_body is null or body = '')
);
-- By account, operators first: each account has its turn, however many mails another account has waiting.
create index mails_due on mails ((coalesce(reseller_id, 0)), next_at) where status = 'waiting';
create index mails_finished on mails (finished_at) where status <> 'waiting';
create index mails_to_operators on mails (created_at) where reseller_id is null;

-- owner: alerts
-- The number of letters of a kind, or of copies to addresses that an account named, since an instant. Beyond the limit
-- for that time the next ones wait, or are not made.
create table mail_tallies (
  reseller_id bigint not null references resellers,
  kind text not null,
  began_at timestamptz not null,
  made integer not null,
  primary key (reseller_id, kind)
);
