-- Operators are mailed about warnings that wait, too: the index serves both severities.
drop index operator_alerts_untold;
create index operator_alerts_untold on operator_alerts (id) where cleared_at is null and mailed_at is null;

-- Sending an alert to the operators' webhook. A node claims the alert until `post_next_at`, so that one node at a time
-- sends it. 'infinity': it was given up.
alter table operator_alerts
  add column posted_at timestamptz,
  add column post_attempts integer not null default 0,
  add column post_holder text,
  add column post_next_at timestamptz not null default '-infinity';
create index operator_alerts_unposted on operator_alerts (post_next_at) where cleared_at is null and posted_at is null;
