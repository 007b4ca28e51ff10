-- Sessions: how operators and resellers' members sign in to their pages, and everything that goes with it. Nobody's
-- secret lies here: of what opens a door only the digest is kept, and the secrets of second factors are sealed.

-- Who made an operator what they are, and when: an admin and those whom they let in are one person where two are
-- needed. null: it was done at the machine itself, or a second admin has vouched for them.
alter table operators add column empowered_at timestamptz, add column empowered_by bigint references operators;
update operators set empowered_at = created_at;
alter table operators alter column empowered_at set not null, alter column empowered_at set default clock_timestamp();

-- Of a mail that carries what opens a door: its words, sealed; `body` is empty then.
alter table mails add column sealed_body bytea, add check (sealed_body is null or body = '');

-- Everybody who signs in with a password. Operators belong to no reseller: 0 stands for it. The resellers are joined
-- outside of the union: a branch that is a join itself is computed whole before anybody is looked for in it.
create view people as
  select x.kind, x.reseller_id, x.id, x.login, x.email, x.name, x.role, x.status = 'active' as is_active,
         coalesce(x.demo, r.demo) as is_demo, x.password_hash, x.password_changed_at,
         coalesce(r.account, '') as account, coalesce(r.name, '') as reseller_name
    from (
      select 'operator'::text as kind, 0::bigint as reseller_id, id, email as login, email, name, role, status, demo,
             password_hash, password_changed_at
        from operators
      union all
      select 'member', reseller_id, id, username, email, username, role, status, null::boolean,
             password_hash, password_changed_at
        from users
    ) x
    left join resellers r on r.id = x.reseller_id;

-- owner: sessions
create table sessions (
  id bigint generated always as identity primary key,
  digest bytea not null constraint sessions_digest_key unique,
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  -- The person's when the password was checked: a session outlives no change of it, not even one under way then.
  password_changed_at timestamptz not null,
  address inet not null,
  user_agent text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  -- However busy it is.
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_person on sessions (person_id, reseller_id, kind) where ended_at is null;
create index sessions_expires_at on sessions (expires_at);

-- owner: sessions
-- One per person. It counts from its confirmation on: until then nobody knows that the secret arrived.
create table second_factors (
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- The newest time step a code was taken for: no code is taken twice, nor one older than it.
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (kind, reseller_id, person_id)
);

-- owner: sessions
create table recovery_codes (
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  digest bytea not null,
  used_at timestamptz,
  primary key (kind, reseller_id, person_id, digest),
  foreign key (kind, reseller_id, person_id) references second_factors on delete cascade
);

-- owner: sessions
-- Who asked for a new password, known or not: what a request does is the same for both. A job does the rest.
create table password_reset_requests (
  kind text not null check (kind in ('operator', 'member')),
  login text not null check (length(login) <= 254),
  requested_at timestamptz not null default clock_timestamp(),
  primary key (kind, login)
);

-- owner: sessions
create table password_resets (
  digest bytea primary key,
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_of_person on password_resets (person_id, reseller_id, kind, created_at);
create index password_resets_expires_at on password_resets (expires_at);

-- owner: sessions
create table invitations (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  digest bytea not null constraint invitations_digest_key unique,
  email text not null,
  role text not null check (role in ('admin', 'viewer')),
  invited_by bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by bigint,
  revoked_at timestamptz,
  primary key (reseller_id, id)
);
create index invitations_of_reseller on invitations (reseller_id, created_at);
create index invitations_to_address on invitations (lower(email), created_at);
create index invitations_expires_at on invitations (expires_at);

-- owner: sessions
-- For an operator's scripts. What a token may do is the lesser of its role and its operator's.
create table operator_tokens (
  id bigint generated always as identity primary key,
  digest bytea not null constraint operator_tokens_digest_key unique,
  operator_id bigint not null references operators,
  label text not null,
  role text not null check (role in ('admin', 'finance', 'support', 'catalogue', 'read_only')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index operator_tokens_of_operator on operator_tokens (operator_id, id);

-- Whoever changes a password, a role or a status, by whatever way: what was opened before ends in the same commit.
create function end_sessions_of(p_kind text, p_reseller bigint, p_person bigint) returns void language sql as $$
  update sessions set ended_at = clock_timestamp()
   where kind = p_kind and reseller_id = p_reseller and person_id = p_person and ended_at is null;
  update password_resets set used_at = clock_timestamp()
   where kind = p_kind and reseller_id = p_reseller and person_id = p_person and used_at is null;
$$;

create function users_end_sessions() returns trigger language plpgsql as $$
begin
  perform end_sessions_of('member', new.reseller_id, new.id);
  return null;
end $$;
create trigger users_end_sessions after update on users for each row
  when (old.password_hash <> new.password_hash or old.role <> new.role or old.status <> new.status)
  execute function users_end_sessions();

create function operators_end_sessions() returns trigger language plpgsql as $$
begin
  perform end_sessions_of('operator', 0, new.id);
  if old.status <> new.status then
    update operator_tokens set revoked_at = clock_timestamp() where operator_id = new.id and revoked_at is null;
  end if;
  return null;
end $$;
create trigger operators_end_sessions after update on operators for each row
  when (old.password_hash <> new.password_hash or old.role <> new.role or old.status <> new.status)
  execute function operators_end_sessions();
