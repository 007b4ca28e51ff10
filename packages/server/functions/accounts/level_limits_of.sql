-- Lists the limits that the levels of resellers have.
create or replace function level_limits_of(p_resellers bigint[])
returns table (reseller_id bigint, scope text, period text, category text, payments bigint, face_value bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select r.id, l.scope, l.period, l.category, l.payments, l.face_value
      from resellers r
      join level_limits l on l.price_level = r.price_level
     where r.id = any (p_resellers);
end $$;
