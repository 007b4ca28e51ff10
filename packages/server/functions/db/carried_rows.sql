-- Returns the rows of a table as JSON, exact to the last digit, with some columns instead of its own.
create or replace function carried_rows(p_table text, p_instead jsonb) returns text language plpgsql stable as $$
declare
  v_rows text;
begin
  execute format('select jsonb_agg(to_jsonb(t) || $1)::text from %I t', p_table) into v_rows using p_instead;
  return coalesce(v_rows, '[]');
end $$;
