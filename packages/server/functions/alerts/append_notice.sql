-- Queues a notice, from which mails to the reseller's members are made.
create or replace function append_notice(p_reseller bigint, p_kind text, p_data jsonb, p_at timestamptz)
returns void language plpgsql as $$
begin
  insert into mail_notices (reseller_id, kind, data, created_at) values (p_reseller, p_kind, p_data, p_at);
end $$;
