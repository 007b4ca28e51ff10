-- Queues one delivery with its work, as the sequencer does for a batch.
create or replace function queue_delivery(p_delivery deliveries) returns void
language plpgsql as $$
begin
  insert into deliveries select (p_delivery).*;
  insert into delivery_work (reseller_id, stream, next_at, delivery_id)
  values (p_delivery.reseller_id, p_delivery.stream, p_delivery.created_at, p_delivery.id);
  insert into delivery_lanes as l (reseller_id, stream, next_at)
  values (p_delivery.reseller_id, p_delivery.stream, p_delivery.created_at)
  on conflict (reseller_id, stream) do update set next_at = excluded.next_at
   where l.holder is null and l.next_at > excluded.next_at;
  perform pg_notify(channel_prefix() || 'deliveries', '');
end $$;
