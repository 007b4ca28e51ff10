-- Orders of the hosted checkout: a basket that a reseller's customer fills and pays to the reseller, and that becomes
-- ordinary payments when the reseller confirms. Every move of an order happens under the lock of its row, and every
-- final state appends its event in the same commit. Orders come before all other rows in the order of locks; a payment
-- is made in a commit of its own.

-- owner: orders
-- Account's settings of the checkout: the name and the colours that its customers see, and the sites that may show it.
create table checkout_settings (
  reseller_id bigint primary key references resellers,
  display_name text not null,
  allowed_origins text[] not null check (cardinality(allowed_origins) <= 20),
  -- True: an order is confirmed even if it costs more than its locked price.
  accepts_loss boolean not null,
  theme jsonb not null,
  updated_at timestamptz not null
);

-- owner: orders
create table orders (
  reseller_id bigint not null references resellers,
  -- Subject of the order's events.
  id bigint generated always as identity constraint orders_id_key unique,
  -- Identifier on the wire.
  code text collate "C" not null,
  -- The reseller's own reference: the same one twice is one order.
  reference text collate "C" not null,
  user_id text not null,
  state text not null check (state in ('draft', 'awaiting_payment', 'confirmed', 'completed', 'partially_completed',
                                       'failed', 'cancelled', 'timeout')),
  -- Digests of the fields of the request that made the order, bound to the row: a repeated request is compared with
  -- them. The request itself is not kept.
  sealed_request bytea not null,
  -- The customer's token is compared by its digest, and shown again to the reseller from the sealed value. Null: the
  -- order became final long ago, and the inputs of its lines are forgotten as well.
  token_digest bytea not null,
  sealed_token bytea,
  return_url text not null,
  -- Codes that the customer may choose from; null: all that the account sells.
  products text[],
  -- True: the reseller chose the basket, and the customer may only fill in what is missing.
  is_fixed boolean not null,
  language text not null check (language in ('en', 'ms')),
  shows_results boolean not null,
  -- Raised by every change of the basket.
  version integer not null default 1,
  total bigint not null,
  refund bigint not null default 0,
  payment_reference text,
  -- Address of the caller that confirmed: the sender of the payments.
  sender text not null default '',
  cancel_reason text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  completed_at timestamptz,
  primary key (reseller_id, id),
  check ((confirmed_at is not null)
         = (state in ('confirmed', 'completed', 'partially_completed', 'failed'))),
  check ((confirmed_at is not null) = (payment_reference is not null)),
  check ((completed_at is not null)
         = (state in ('completed', 'partially_completed', 'failed', 'cancelled', 'timeout'))),
  check (sealed_token is not null or completed_at is not null),
  check (refund between 0 and total)
);
create unique index orders_code on orders (code);
create unique index orders_reference on orders (reseller_id, reference);
-- Lists, newest first: all of an account, of one state, of one customer.
create index orders_newest on orders (reseller_id, created_at, id);
create index orders_of_state on orders (reseller_id, state, created_at, id);
create index orders_of_user on orders (reseller_id, user_id, created_at, id);
-- Finds final orders whose secrets are to be forgotten, longest ended first.
create index orders_with_secrets on orders (completed_at) where completed_at is not null and sealed_token is not null;
-- Counts open orders when another one is made.
create index orders_open on orders (reseller_id, user_id) where state in ('draft', 'awaiting_payment');

-- owner: orders
-- One line of a basket, with its price locked.
create table order_lines (
  reseller_id bigint not null,
  order_id bigint not null,
  line smallint not null check (line between 1 and 20),
  product_code text not null,
  product_name text not null,
  amount bigint not null check (amount > 0),
  quantity smallint not null check (quantity between 1 and 20),
  unit_price bigint not null check (unit_price >= 0),
  -- Values of a fixed line that the customer types: account, biller_code and so on.
  open_fields text[] not null,
  -- Account and extras, bound to the row: identity numbers are among them. Null: forgotten with the order's token.
  sealed_input bytea,
  primary key (reseller_id, order_id, line),
  foreign key (reseller_id, order_id) references orders
);

-- owner: orders
-- One payment of a confirmed order. Its refid is derived from the order, so paying again finds the first payment.
create table order_units (
  reseller_id bigint not null,
  order_id bigint not null,
  line smallint not null,
  number smallint not null,
  refid text collate "C" not null,
  -- waiting: not known to be paid. sent: the payment exists and is not final.
  state text not null check (state in ('waiting', 'sent', 'succeeded', 'failed')),
  price bigint not null,
  -- Cost when the order was confirmed: other orders do not get this part of the balance until the unit is paid.
  cost bigint not null check (cost > 0),
  payment_id bigint,
  error text not null default '',
  primary key (reseller_id, order_id, line, number),
  foreign key (reseller_id, order_id, line) references order_lines,
  check (state not in ('sent', 'succeeded') or payment_id is not null)
);
-- Sums up what confirmed orders still need from the balance, when another one is confirmed; finds orders that are stuck.
create index order_units_waiting on order_units (reseller_id, order_id) where state = 'waiting';

-- owner: orders
-- One row per order that is not final: it times out, or its payments are made and read.
create table order_work (
  reseller_id bigint not null,
  order_id bigint not null,
  -- Nobody touches it before this instant: the expiry, the end of a lease, or the next look at the payments.
  next_at timestamptz not null,
  holder uuid,
  -- Looks at the payments since the order was confirmed; the pause between two grows with it.
  looks integer not null default 0,
  -- Time of the first of the looks that failed one after the other; null: the last one did not fail.
  failing_since timestamptz,
  primary key (reseller_id, order_id),
  foreign key (reseller_id, order_id) references orders
  -- Vacuumed early: a row lives as long as its order is open.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index order_work_next on order_work (next_at);

-- Facts of a new source: an order became final. The subject is the order's id, `type` the event's.
alter table event_facts
  drop constraint event_facts_source_check,
  add constraint event_facts_source_check
    check (source in ('taken', 'moved', 'refunded', 'entry', 'catalog', 'own', 'order'));
alter table event_endpoints
  drop constraint event_endpoints_stream_check,
  add constraint event_endpoints_stream_check check (stream in ('callback', 'catalog', 'balance', 'order'));
