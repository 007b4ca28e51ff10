-- Tells whether a reseller has a key that is not revoked and may pay only so much.
create or replace function has_capped_key(p_reseller bigint) returns boolean
language plpgsql stable as $$
begin
  return (
    select exists (
      select from api_keys k
       where k.reseller_id = p_reseller and k.revoked_at is null
         and (k.max_amount is not null or k.daily_cap is not null or k.monthly_cap is not null))
  );
end $$;
