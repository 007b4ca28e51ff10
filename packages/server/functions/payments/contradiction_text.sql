-- Words a contradiction for the timeline and the alert.
create or replace function contradiction_text(
  p_code smallint, p_attempt smallint, p_found smallint, p_succeeded_attempt smallint
) returns text language sql immutable as $$
  select coalesce('attempt ' || p_attempt, 'the payment') || ' is reported as '
    || case when p_code = 20 then 'succeeded' else 'failed with ' || p_code end || ', but '
    || case when p_found not in (20, 53) then 'the payment failed with ' || p_found
            when p_succeeded_attempt is null then 'the payment succeeded'
            else 'attempt ' || p_succeeded_attempt || ' succeeded' end
$$;
