-- Autovacuum leaves young tables alone. By default it looks at a table as soon as a tenth or a fifth of its rows are new:
-- while a table is small and busy, that is every minute. Each time it analyzes the rows with a second of CPU, and every
-- connection plans all its statements on that table anew. Payments at 220 a second had a p99 of 17 to 19 ms with it and
-- of 12 to 14 ms without.

-- Tables that grow: not before so many rows have changed. From a million rows on the shares of the default decide.
alter table payments set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_threshold = 100000);
alter table payment_changes set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_threshold = 100000);
alter table transfers set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_threshold = 100000);
alter table transfer_chain set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_threshold = 100000);
alter table events set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_threshold = 100000);
alter table nonces set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_threshold = 100000);

-- Small tables: statistics of what they held a minute ago serve nobody. The rows of two of them come and go, and their
-- dead rows, which lie at the front of every scan, are removed as before. Those of the others are updated in place.
alter table payment_work set (autovacuum_analyze_threshold = 100000);
alter table event_facts set (autovacuum_analyze_threshold = 100000);
alter table wallets set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 10000);
alter table chain_heads set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 10000);
alter table event_sequences set (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 10000);
