-- Leaves out numbers of feeds, after the database was returned to an earlier moment. Numbers behind the last one may have
-- been read, and the ids of deliveries are made of them: a client that has read on would miss a new event under an old
-- number, and a receiver would take it for a repetition. An account with 3,000 events a second takes nine hours to use as
-- many. `p_resellers` are all accounts: a feed that had no event yet at that moment may have had some since.
create or replace function skip_event_numbers(p_resellers bigint[]) returns void language plpgsql as $$
begin
  insert into event_sequences as s (reseller_id, last_sequence)
  select distinct r, 100000000 from unnest(p_resellers || 0::bigint) as r
  on conflict (reseller_id) do update set last_sequence = s.last_sequence + excluded.last_sequence;
end $$;
