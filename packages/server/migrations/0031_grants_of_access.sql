-- Access to a reseller that has money or an admin needs a second person: another operator, or an admin of the reseller.

alter table approvals
  -- The reseller whose admins may decide the request too; null: operators alone decide it.
  add column reseller_id bigint references resellers (id),
  -- The admin of the reseller who decided.
  add column decided_by_user bigint,
  -- The mail address whose link stopped the request.
  add column decided_by_link text,
  drop constraint approvals_check,
  drop constraint approvals_check1,
  add constraint approvals_decided_check check (
    (state = 'pending') = (decided_at is null)
    and num_nonnulls(decided_by, decided_by_user, decided_by_link) = case when decided_at is null then 0 else 1 end),
  add constraint approvals_link_check check (decided_by_link is null or state = 'refused'),
  add constraint approvals_user_check
    check (decided_by_user is null or (reseller_id is not null and state in ('approved', 'refused'))),
  add constraint approvals_decided_by_user_fkey
    foreign key (reseller_id, decided_by_user) references users (reseller_id, id);

-- For the list of a reseller's admins.
create index approvals_of_reseller on approvals (reseller_id, id) where reseller_id is not null;

-- owner: grants
-- Links of mails that tell people of a reseller about a request for access. A link stops the request, or undoes it once
-- it was carried out. Only the digest is kept.
create table approval_stops (
  digest bytea primary key,
  approval_id bigint not null references approvals (id),
  recipient text not null,
  expires_at timestamptz not null,
  -- null: not used yet. refused: it stopped the request. undone: it undid the change. nothing: there was nothing to stop.
  outcome text check (outcome in ('refused', 'undone', 'nothing'))
);

-- For the sweep.
create index approval_stops_expires_at on approval_stops (expires_at);

alter table api_keys
  -- The user of the reseller who made the key; null: it was made at the machine, or before this column was there.
  add column created_by bigint;
