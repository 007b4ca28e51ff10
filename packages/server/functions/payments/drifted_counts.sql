-- Lists the counts of the month that are not those of their payments, as far as these are counted; there are none.
-- `p_reseller` null: of all resellers.
create or replace function drifted_counts(p_reseller bigint)
returns table (
  reseller_id bigint, kind text, subject text, day date, category text, expected_payments bigint,
  expected_face_value bigint, expected_cost bigint, payments bigint, face_value bigint, cost bigint
)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select b.reseller_id, b.kind, d.*
      from payment_tallies b
     cross join lateral counted_month(b.reseller_id, clock_timestamp()) m
     cross join lateral (
       select coalesce(t.subject, n.subject), coalesce(t.day, n.day), coalesce(t.category, n.category),
              coalesce(t.payments, 0), coalesce(t.face_value, 0), coalesce(t.cost, 0),
              coalesce(n.payments, 0), coalesce(n.face_value, 0), coalesce(n.cost, 0)
         from (select t.*
                 from tally_between(
                        b.reseller_id, b.kind,
                        greatest(b.counted_from, floor(extract(epoch from m.begins_at) * 1000)::bigint << 20),
                        9223372036854775807) t
                where t.day >= m.first_day) t
         full join (select c.subject, c.day, c.category, c.payments, c.face_value, c.cost from payment_counts c
                     where c.reseller_id = b.reseller_id and c.kind = b.kind || b.suffix and c.day >= m.first_day) n
           on n.subject = t.subject and n.day = t.day and n.category = t.category
        where coalesce(t.payments, 0) <> coalesce(n.payments, 0)
           or coalesce(t.face_value, 0) <> coalesce(n.face_value, 0) or coalesce(t.cost, 0) <> coalesce(n.cost, 0)
     ) d
     where p_reseller is null or b.reseller_id = p_reseller;
end $$;
