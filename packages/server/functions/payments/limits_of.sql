-- Lists the limits that hold for resellers now. An entry of the operator for a reseller replaces that of its level for the
-- same scope, period and category; the reseller's own come on top.
create or replace function limits_of(p_resellers bigint[])
returns table (reseller_id bigint, set_by text, scope text, period text, category text, payments bigint, face_value bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select r.reseller_id, r.set_by, r.scope, r.period, r.category, r.payments, r.face_value
      from reseller_limits r where r.reseller_id = any (p_resellers)
    union all
    select l.reseller_id, 'operator', l.scope, l.period, l.category, l.payments, l.face_value
      from level_limits_of(p_resellers) l
     where not exists (
       select from reseller_limits r
        where r.reseller_id = l.reseller_id and r.set_by = 'operator'
          and r.scope = l.scope and r.period = l.period and r.category = l.category);
end $$;
