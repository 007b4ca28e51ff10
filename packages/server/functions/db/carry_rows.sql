-- Makes a table the same as the given rows, by its primary key; returns how many rows were written. p_gone says what
-- becomes of a row that is not given: it is deleted ("delete") or set ("status = …"). "fixed": rows of the table are
-- never changed, and one that differs from a given one is an error.
create or replace function carry_rows(p_table text, p_rows text, p_gone text) returns integer language plpgsql as $$
declare
  v_columns text;
  v_changing text;
  v_new text;
  v_key text;
  v_same text;
  v_given text := format('jsonb_populate_recordset(null::%I, $1::jsonb) g', p_table);
  v_count integer;
  v_total integer := 0;
begin
  select string_agg(quote_ident(a.attname), ', '),
         string_agg(format('g.%1$I = t.%1$I', a.attname), ' and ')
    into v_key, v_same
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
   where i.indrelid = quote_ident(p_table)::regclass and i.indisprimary;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
         string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where k.attname is null),
         string_agg('excluded.' || quote_ident(a.attname), ', ' order by a.attnum) filter (where k.attname is null)
    into v_columns, v_changing, v_new
    from pg_attribute a
    left join (select unnest(i.indkey::int2[]) as attnum, true as attname from pg_index i
                where i.indrelid = quote_ident(p_table)::regclass and i.indisprimary) k using (attnum)
   where a.attrelid = quote_ident(p_table)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  execute format('insert into %1$I as t (%2$s) overriding system value select %2$s from %3$s on conflict (%4$s) do %5$s',
      p_table, v_columns, v_given, v_key,
      case p_gone when 'fixed' then 'nothing'
        else format('update set (%1$s) = row (%2$s) where row (%3$s) is distinct from row (%2$s)', v_changing, v_new,
          't.' || replace(v_changing, ', ', ', t.')) end)
    using p_rows;
  get diagnostics v_total = row_count;
  if p_gone = 'fixed' then
    execute format('select count(*)::integer from %s join %I t on %s where to_jsonb(g) is distinct from to_jsonb(t)',
        v_given, p_table, v_same)
      into v_count using p_rows;
    if v_count > 0 then
      raise exception '% rows of % differ from those of the first group, and are never changed', v_count, p_table;
    end if;
    return v_total;
  end if;
  execute format(case p_gone when 'delete' then 'delete from %1$I t where %2$s'
      else 'update %1$I t set ' || p_gone || ' where %2$s' end,
      p_table, format('not exists (select from %s where %s)', v_given, v_same))
    using p_rows;
  get diagnostics v_count = row_count;
  return v_total + v_count;
end $$;
