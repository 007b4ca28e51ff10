/** Puts a clock that a test sets in the place of the server's own, for all connections that are opened from now on. */
export async function makeClockMovable(query: (statement: string) => Promise<unknown>): Promise<void> {
  await query(`
    create table moved_clock (by_seconds integer not null);
    insert into moved_clock values (0);
    create function public.clock_timestamp() returns timestamptz language sql volatile as $$
      select pg_catalog.clock_timestamp() + make_interval(secs => (select by_seconds from public.moved_clock))
    $$;
    create function public.now() returns timestamptz language sql stable as $$
      select pg_catalog.now() + make_interval(secs => (select by_seconds from public.moved_clock))
    $$;
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`)
}
