-- Accounts: resellers and their users, operators, and the keys and addresses with which resellers call. The primary key
-- of a reseller's data begins with the reseller, here and in every later table, so that a distributed PostgreSQL can
-- place rows by reseller.

-- owner: accounts
-- One row. Every change to data that the directory shows takes the next number while it holds the lock of this row.
-- Numbers become visible in order, so a reader that asks for numbers greater than its last one misses nothing.
create table directory_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
insert into directory_version (version) values (0);

-- owner: accounts
create table resellers (
  id bigint generated always as identity primary key,
  account text not null constraint resellers_account_key unique check (account ~ '^[0-9]{4,20}$'),
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 254),
  price_level text not null check (price_level ~ '^[A-Z0-9_]{1,40}$'),
  access smallint not null default 0 check (access in (0, 50)),
  status text not null default 'active' check (status in ('active', 'suspended')),
  topup_requires_api_key boolean not null default false,
  -- Created by the demo seed. Production lets nobody in through a demo account.
  demo boolean not null default false,
  version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index resellers_version on resellers (version);

-- owner: accounts
create table users (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  username text not null constraint users_username_key unique check (username = lower(username)),
  email text not null check (length(email) between 3 and 254),
  password_hash text not null,
  -- Refresh tokens that were issued before this instant no longer count.
  password_changed_at timestamptz not null default now(),
  role text not null check (role in ('admin', 'viewer')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (reseller_id, id)
);

-- owner: accounts
create table operators (
  id bigint generated always as identity primary key,
  email text not null constraint operators_email_key unique check (email = lower(email)),
  name text not null,
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  role text not null check (role in ('admin', 'finance', 'support', 'catalogue', 'read_only')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- When the operator got the present role, and from whom. An admin and the operators they let in count as one person
  -- where two are needed. A null empowered_by means that it was done at the machine itself, or that a second admin has
  -- vouched for the operator.
  empowered_at timestamptz not null default clock_timestamp(),
  empowered_by bigint references operators,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- owner: accounts
create table api_keys (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  key text not null constraint api_keys_key_key unique,
  label text not null default '',
  scopes text[] not null,
  -- Sealed by db/vault together with the identity of the record. null: a key without a signing secret.
  sealed_secret bytea,
  -- The end of a rotation's grace period. The key stops at this instant by the database's clock.
  expires_at timestamptz,
  revoked_at timestamptz,
  replaces bigint,
  created_at timestamptz not null default now(),
  primary key (reseller_id, id),
  foreign key (reseller_id, replaces) references api_keys (reseller_id, id)
);

-- owner: accounts
create table ip_allowlist (
  reseller_id bigint not null references resellers,
  network cidr not null,
  label text not null default '',
  created_at timestamptz not null default now(),
  primary key (reseller_id, network)
);

-- owner: sessions
-- Everybody who signs in with a password. Operators belong to no reseller; their reseller_id is 0. Resellers are joined
-- outside of the union: PostgreSQL would compute a branch that is a join as a whole before it looks for one person.
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
