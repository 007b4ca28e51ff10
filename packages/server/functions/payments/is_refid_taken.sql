-- Tells whether a payment has the refid, as the calling statement sees it.
create or replace function is_refid_taken(p_reseller bigint, p_refid text) returns boolean language plpgsql stable as $$
begin
  return (
    select exists (
      select from payments p where p.reseller_id::text || '/' || p.refid = p_reseller::text || '/' || p_refid
    )
  );
end $$;
