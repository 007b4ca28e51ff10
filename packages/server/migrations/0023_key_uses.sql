-- Shows which keys are in use, so that one that nobody needs any more can be revoked.

-- owner: accounts
-- Time of the last proven request with an API key, to about a minute: nodes collect the times and write them in
-- batches. It is apart from the keys themselves, because the directory follows every change of those.
create table api_key_uses (
  reseller_id bigint not null,
  key_id bigint not null,
  used_at timestamptz not null,
  primary key (reseller_id, key_id),
  foreign key (reseller_id, key_id) references api_keys (reseller_id, id)
);
