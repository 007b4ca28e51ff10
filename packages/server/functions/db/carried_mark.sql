-- Returns a mark of a table's rows: another one when a row has changed.
create or replace function carried_mark(p_table text) returns text language plpgsql stable as $$
declare
  v_mark text;
begin
  execute format('select md5(string_agg(md5(t::text), '''' order by md5(t::text))) from %I t', p_table) into v_mark;
  return coalesce(v_mark, '');
end $$;
