-- Who sold: the purpose of the key, which a rotated key keeps; the member; or the checkout, whose payments have the code
-- of their order. A payment by a key of the time before purposes is told as a member's.
create or replace function seller_of(p_purpose bigint, p_member text) returns text
language sql immutable as $$
  select case when p_purpose is not null then 'key:' || p_purpose
              when p_member ~ '^[0-9]+$' then 'member:' || p_member
              else 'orders' end
$$;
