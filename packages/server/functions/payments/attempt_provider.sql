-- The provider of an attempt: the one it was begun at, or else the one that the next attempt was moved away from.
create or replace function attempt_provider(p_reseller bigint, p_payment bigint, p_attempt smallint) returns text
language plpgsql stable as $$
begin
  return (
    select coalesce(
             (select c.provider from payment_changes c
               where c.reseller_id = p_reseller and c.payment_id = p_payment and c.kind = 'attempt'
                 and c.attempt = p_attempt order by c.id desc limit 1),
             (select c.provider_before from payment_changes c
               where c.reseller_id = p_reseller and c.payment_id = p_payment and c.kind = 'attempt'
                 and c.attempt = p_attempt + 1 order by c.id limit 1),
             case when p_attempt = 1 then
               (select p.provider from payments p where p.reseller_id = p_reseller and p.id = p_payment) end)
  );
end $$;
