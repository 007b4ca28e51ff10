-- Begins the name of every channel of this schema, so that groups in one database do not hear each other. The schema
-- that a database has from the start has no prefix: its channels are those of every earlier version.
create or replace function channel_prefix() returns text language sql stable as $$
  select case current_schema() when 'public' then '' else current_schema() || '.' end
$$;
