-- The present month of a reseller by its test clock: its first day, today, and the times at which today and the month end.
-- `begins_at` is not after the first payment of the month.
create or replace function counted_month(p_reseller bigint, p_at timestamptz)
returns table (first_day date, today date, day_ends timestamptz, month_ends timestamptz, begins_at timestamptz)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select date_trunc('month', d.day::timestamp)::date, d.day,
           (d.day::timestamp + interval '1 day') at time zone 'Asia/Kuala_Lumpur' - d.moved,
           (date_trunc('month', d.day::timestamp) + interval '1 month') at time zone 'Asia/Kuala_Lumpur' - d.moved,
           date_trunc('month', d.day::timestamp) at time zone 'Asia/Kuala_Lumpur' - d.moved
      from counted_day(p_reseller, p_at) d;
end $$;
