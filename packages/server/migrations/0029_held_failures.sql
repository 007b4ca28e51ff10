-- A failure of the present attempt that was reported while another attempt was undecided ends the payment when no attempt
-- is undecided any more.

alter table payment_work
  -- The provider reported that the present attempt failed with this code, while another attempt was undecided.
  add column held_code smallint,
  -- The reason of that failure.
  add column held_failure text;
