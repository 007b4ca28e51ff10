-- Days of a wallet, closed once and for all.

-- owner: finance
-- A day (GMT+8) on which a wallet moved, as it was when nothing of it could come any more. Days without movements
-- have no row: what was held at the end of one is what the closing before it says. The amounts are signed, as in the
-- ledger: payments are below zero.
create table daily_closings (
  reseller_id bigint not null references resellers,
  day date not null,
  opening bigint not null check (opening >= 0),
  closing bigint not null check (closing >= 0),
  first_sequence bigint not null check (first_sequence > 0),
  last_sequence bigint not null check (last_sequence >= first_sequence),
  deposit_count bigint not null check (deposit_count >= 0),
  deposit_amount bigint not null check (deposit_amount >= 0),
  adjustment_count bigint not null check (adjustment_count >= 0),
  adjustment_amount bigint not null,
  commission_count bigint not null check (commission_count >= 0),
  commission_amount bigint not null check (commission_amount >= 0),
  payment_count bigint not null check (payment_count >= 0),
  payment_amount bigint not null check (payment_amount <= 0),
  refund_count bigint not null check (refund_count >= 0),
  refund_amount bigint not null check (refund_amount >= 0),
  closed_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, day),
  constraint daily_closings_balance check (
    closing = opening + deposit_amount + adjustment_amount + commission_amount + payment_amount + refund_amount
  ),
  constraint daily_closings_count check (
    last_sequence - first_sequence + 1
      = deposit_count + adjustment_count + commission_count + payment_count + refund_count
  )
);

create function closings_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'closings are immutable: a day is closed once';
end $$;
create trigger daily_closings_immutable before update or delete or truncate on daily_closings
  for each statement execute function closings_are_immutable();

-- A wallet's closings follow on each other without a gap, whoever writes them.
create function closing_must_follow() returns trigger language plpgsql as $$
declare
  v_last record;
begin
  select day, closing, last_sequence into v_last
    from daily_closings where reseller_id = new.reseller_id order by day desc limit 1;
  if new.day <= v_last.day
     or new.opening <> coalesce(v_last.closing, 0)
     or new.first_sequence <> coalesce(v_last.last_sequence, 0) + 1 then
    raise exception 'the closing of % for wallet % does not follow on the one before', new.day, new.reseller_id;
  end if;
  return new;
end $$;
create trigger daily_closings_follow before insert on daily_closings
  for each row execute function closing_must_follow();
