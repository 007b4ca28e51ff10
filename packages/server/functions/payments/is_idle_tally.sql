-- Tells that no limit or cap of a reseller needs what is counted by this kind.
create or replace function is_idle_tally(p_reseller bigint, p_kind text) returns boolean
language plpgsql stable as $$
begin
  return (
    select case p_kind when 'key' then not has_capped_key(p_reseller)
                       when 'member' then not exists (select from member_limits l where l.reseller_id = p_reseller)
           else not exists (select from limits_of(array[p_reseller]) l where l.scope = p_kind) end
  );
end $$;
