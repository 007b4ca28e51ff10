-- The member under whose limits a payment counts; null: no member sold it, or it is older than the purposes of keys, whose
-- ids are numbers like those of members.
create or replace function counted_member(p_purpose bigint, p_category text, p_member text) returns text
language sql immutable as $$
  select case when p_purpose is null and p_category is not null and p_member ~ '^[0-9]+$' then p_member end
$$;
