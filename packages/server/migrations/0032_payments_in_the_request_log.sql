-- Requests to pay are found again by the payment that they were about. Nodes of the version before leave these columns
-- empty.
alter table request_log
  -- The caller's name of the payment; null: the request was no request to pay, or could not be read.
  add column refid text,
  -- The payment that the answer was about; null: none was made.
  add column payment_id bigint,
  -- The code of a payment that was rejected; its remarks are in "error".
  add column code smallint;
