-- The reference under which a provider knows an attempt.
create or replace function reference_of(p_payment bigint, p_attempt smallint)
returns text language sql immutable as $$
  select 'W' || p_payment || '-' || p_attempt
$$;
