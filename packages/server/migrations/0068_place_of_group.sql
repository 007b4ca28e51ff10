-- Place of this group of resellers: whether it is served from this schema. One row, which moves alone change.
-- owner: db
create table group_place (
  singleton boolean primary key default true check (singleton),
  -- 'arriving': a move still copies it to here. 'moved': it was moved away, and this place refuses everything.
  state text not null default 'serving' check (state in ('serving', 'arriving', 'moved')),
  -- Number of the place in the life of the group: of two copies, the higher one is the newer.
  epoch bigint not null default 1 check (epoch > 0),
  -- Server and database that it comes from or was moved to, for people.
  other text,
  -- Address that it was moved to, sealed under the master key: nodes find it there although their file is an old one.
  address bytea,
  changed_at timestamptz not null default clock_timestamp(),
  check ((state = 'moved') = (address is not null))
);
insert into group_place default values;
-- Steps of moves as they were done. They move with the group.
-- owner: db
create table group_move_steps (
  move integer not null check (move > 0),
  step text not null,
  detail text not null default '',
  done_at timestamptz not null default clock_timestamp(),
  primary key (move, step)
);
