-- Moves the test clock of an account in staging: the ends that were given to its keys come nearer. Ends of a rotation's
-- grace stay. Every node learns of it as of any change of keys.
create or replace function advance_keys(p_reseller bigint, p_seconds integer) returns void language plpgsql as $$
begin
  if not exists (select from api_keys where reseller_id = p_reseller and ends_at > now()) then return; end if;
  update directory_version set version = version + 1;
  update api_keys set ends_at = later(ends_at, -make_interval(secs => p_seconds))
   where reseller_id = p_reseller and ends_at > now();
  update resellers set version = (select v.version from directory_version v) where id = p_reseller;
  perform pg_notify(channel_prefix() || 'warung_directory', '');
end $$;
