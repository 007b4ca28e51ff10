-- Makes an id (UUID version 7) that begins with its millisecond, followed by its place among the ids made at once. A
-- millisecond has room for 4,096 places; further ones use the next millisecond.
create or replace function new_delivery_id(p_at timestamptz, p_place integer) returns uuid language sql volatile as $$
  select encode(
    overlay(uuid_send(gen_random_uuid()) placing
      int8send(((floor(extract(epoch from p_at) * 1000)::bigint + (p_place >> 12)) << 16) | 28672 | (p_place & 4095))
      from 1 for 8),
    'hex')::uuid
$$;
