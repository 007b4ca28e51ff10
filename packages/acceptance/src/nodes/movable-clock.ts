/** Puts a clock that a test sets in the place of the server's own, for all connections that are opened from now on. */
export async function makeClockMovable(query: (statement: string) => Promise<unknown>): Promise<void> {
  await query(`
    create table moved_clock (by_seconds integer not null);
    insert into moved_clock values (0);
    create function clock_timestamp() returns timestamptz language sql volatile as $$
      select pg_catalog.clock_timestamp() + make_interval(secs => (select by_seconds from moved_clock))
    $$;
    create function now() returns timestamptz language sql stable as $$
      select pg_catalog.now() + make_interval(secs => (select by_seconds from moved_clock))
    $$;
    do $$ begin
      execute format('alter role current_user in database %I set search_path = %I, pg_catalog', current_database(), current_schema());
    end $$`)
}
