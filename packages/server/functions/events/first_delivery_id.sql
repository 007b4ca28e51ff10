-- The smallest id that a delivery made at this instant or later can have.
create or replace function first_delivery_id(p_at timestamptz) returns uuid language sql immutable as $$
  select rpad(lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;
