-- Marks the advisory locks of this schema: a key is combined with it by #, so that groups in one database share no
-- lock. The schema that a database has from the start has no mark: its keys are those of every earlier version.
create or replace function lock_mark() returns integer language sql stable as $$
  select case current_schema() when 'public' then 0 else hashtext(current_schema()) end
$$;
