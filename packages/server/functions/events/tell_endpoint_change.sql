-- Tells nodes that an endpoint changed. The change holds from its commit on, so nodes read their deliveries for it
-- again.
create or replace function tell_endpoint_change() returns trigger language plpgsql as $$
begin
  perform pg_notify(channel_prefix() || 'deliveries',
                    coalesce(new.reseller_id, old.reseller_id) || ' ' || coalesce(new.stream, old.stream));
  return null;
end $$;

create or replace trigger event_endpoints_made after insert or delete on event_endpoints
  for each row execute function tell_endpoint_change();

create or replace trigger event_endpoints_changed after update on event_endpoints
  for each row when (
    (old.url, old.method, old.is_enabled, old.sealed_secret, old.previous_secret_until, old.paused_at)
    is distinct from
    (new.url, new.method, new.is_enabled, new.sealed_secret, new.previous_secret_until, new.paused_at))
  execute function tell_endpoint_change();
