-- Both sides of a difference in ringgit, by the rate that is kept with the cost. null: the file is in ringgit, or there is
-- no rate.
alter table settlement_differences add column theirs_ringgit bigint;
alter table settlement_differences add column ours_ringgit bigint;
-- Sums of a file that lists what the supplier took, over its orders whose answer said it too: in the file's currency and
-- in ringgit. null: not compared yet, or the file lists amounts of payments.
alter table settlement_files add column theirs_sum bigint;
alter table settlement_files add column ours_sum bigint;
alter table settlement_files add column theirs_ringgit bigint;
alter table settlement_files add column ours_ringgit bigint;
alter table settlement_files add column told_lines bigint;
alter table settlement_files add column untold_lines bigint;
