-- Support cases: what a reseller disputes or wants voided, and how it ends. Whatever changes a case says so in its own
-- commit: a message of the case, a fact for the account's feed and a notice for its members. A void that was approved
-- is the refund, the payment's last state and the end of the case in one commit. Cases come last in the order of locks:
-- wallets, payments, stock, cases.

create sequence case_numbers as bigint;

-- owner: cases
create table cases (
  reseller_id bigint not null references resellers,
  id bigint not null,
  -- As people know it; it ends with the id.
  number text collate "C" not null,
  kind text not null check (kind in ('dispute', 'void')),
  state text not null check (state in ('open', 'in_progress', 'resolved', 'refused')),
  payment_id bigint not null,
  refid text not null,
  -- Who gets a copy of all mails, as it was asked for. The account's registered address always does, whichever it is
  -- by then, and is not written down here.
  cc text[] not null,
  refund_type smallint check (refund_type between 1 and 3),
  refund_reason text,
  member_id text not null,
  -- The request that opened it: one that is run again knows its own by it.
  request_id uuid not null,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  due_at timestamptz not null,
  closed_at timestamptz,
  -- When operators are told that it is late, and told again; null: nobody has to work on it.
  watch_at timestamptz,
  primary key (reseller_id, id),
  check ((kind = 'void') = (refund_type is not null)),
  check ((state in ('resolved', 'refused')) = (closed_at is not null))
);
create unique index cases_number on cases (number);
-- However many ask at once, and on however many nodes.
create unique index cases_one_open on cases (payment_id, reseller_id) where closed_at is null;
create index cases_of_payment on cases (payment_id, reseller_id);
create index cases_newest on cases (id);
-- What is left to do is little among all that ever was.
create index cases_unclosed on cases (id) where closed_at is null;
create index cases_watched on cases (watch_at) where watch_at is not null;

-- owner: cases
create table case_messages (
  reseller_id bigint not null,
  case_id bigint not null,
  id bigint generated always as identity,
  author text not null check (author in ('reseller', 'operator', 'system')),
  text text not null,
  at timestamptz not null,
  primary key (reseller_id, case_id, id)
);

-- owner: cases
-- One row per void that the provider is to be asked for, from the commit that opens the case until the provider has
-- decided: also past the end of the case, when an operator has closed what the provider still has.
create table case_work (
  reseller_id bigint not null,
  case_id bigint not null,
  -- Nobody touches it before this instant: the end of a lease, or the time of the next question.
  next_at timestamptz not null,
  -- Who is at it until next_at; a test clock moves questions, never leases.
  holder uuid,
  questions integer not null default 0,
  primary key (reseller_id, case_id)
);
create index case_work_next on case_work (next_at);

-- A payment's state, and until the commit nobody moves it.
create function hold_payment(p_reseller bigint, p_id bigint) returns smallint language sql as $$
  select p.code from payments p where p.reseller_id = p_reseller and p.id = p_id for no key update
$$;

create function payment_code(p_reseller bigint, p_id bigint) returns smallint language sql stable as $$
  select p.code from payments p where p.reseller_id = p_reseller and p.id = p_id
$$;

-- What it was about is over.
create function clear_alert(p_kind text, p_subject text) returns void language sql as $$
  update operator_alerts set cleared_at = clock_timestamp()
   where kind = p_kind and subject = p_subject and cleared_at is null
$$;

-- Members are to be told by mail.
create function append_notice(p_reseller bigint, p_kind text, p_data jsonb, p_at timestamptz)
returns void language sql as $$
  insert into mail_notices (reseller_id, kind, data, created_at) values (p_reseller, p_kind, p_data, p_at)
$$;

-- Says what happened to a case that the caller holds: in its messages, in the feed and to members. Whether their mails
-- are made is decided where mails are: whoever changes a case may be a command that does not know.
create function tell_case(p_case cases, p_event text, p_author text, p_text text, p_at timestamptz)
returns void language plpgsql as $$
declare
  v_told jsonb := jsonb_build_object('number', p_case.number, 'kind', p_case.kind, 'state', p_case.state,
                                     'refid', p_case.refid, 'message', p_text);
begin
  insert into case_messages (reseller_id, case_id, author, text, at)
  values (p_case.reseller_id, p_case.id, p_author, p_text, p_at);
  perform append_facts('own', array[p_case.reseller_id], array[0]::bigint[], null, null, null, null, p_event,
                       v_told || jsonb_build_object('transaction_id', p_case.payment_id::text), p_at);
  perform append_notice(p_case.reseller_id, 'case', v_told || jsonb_build_object('cc', p_case.cc), p_at);
end $$;

-- Nobody but a person takes this case further; until somebody takes it, operators have it on their list.
create function await_person(p_case cases) returns void language sql as $$
  select raise_alert('case_waiting', p_case.number,
    'case ' || p_case.number || ' (' || p_case.kind || ' of payment ' || p_case.payment_id || ') waits for a person',
    'warning')
$$;

-- Opens a case on a payment that succeeded, one at a time. Verdicts:
--   opened        with its number; also by an earlier run of the same request whose answer was lost, whatever has come
--                 of the case since
--   already_open  there is one of either kind that is not closed
--   moved         the payment has not succeeded, or does not stand any more
-- `p_is_worked`: somebody has to see to it, by its due time. `p_asks`: the provider is asked.
create function open_case(
  p_reseller bigint, p_payment bigint, p_kind text, p_refid text, p_cc text[], p_refund_type smallint, p_reason text,
  p_member text, p_request uuid, p_text text, p_due_seconds integer, p_is_worked boolean, p_asks boolean
) returns table (verdict text, number text) language plpgsql as $$
#variable_conflict use_column
declare
  v_case cases;
  v_id bigint;
  v_at timestamptz;
  -- Also what makes those who ask at once wait for each other.
  v_code smallint := hold_payment(p_reseller, p_payment);
begin
  select * into v_case from cases c
   where c.payment_id = p_payment and c.reseller_id = p_reseller and (c.request_id = p_request or c.closed_at is null)
   order by c.request_id = p_request desc limit 1;
  if v_case.request_id = p_request then
    return query select 'opened', v_case.number;
    return;
  end if;
  if v_code is distinct from 20 then
    return query select 'moved', null::text;
    return;
  end if;
  if v_case.id is not null then
    return query select 'already_open', v_case.number;
    return;
  end if;
  v_id := nextval('case_numbers');
  v_at := clock_timestamp();
  insert into cases (reseller_id, id, number, kind, state, payment_id, refid, cc, refund_type, refund_reason, member_id,
                     request_id, opened_at, changed_at, due_at, watch_at)
  values (p_reseller, v_id,
          'C-' || to_char(v_at at time zone 'Asia/Kuala_Lumpur', 'YYYY') || '-'
            || lpad(v_id::text, greatest(6, length(v_id::text)), '0'),
          p_kind, 'open', p_payment, p_refid, p_cc, p_refund_type, p_reason, p_member, p_request,
          v_at, v_at, v_at + make_interval(secs => p_due_seconds),
          case when p_is_worked then v_at + make_interval(secs => p_due_seconds) end)
  returning * into v_case;
  if p_asks then
    -- The provider is asked about the order once more on behalf of this case, and of no earlier one.
    delete from case_work w using cases c
     where c.payment_id = p_payment and c.reseller_id = p_reseller
       and w.reseller_id = c.reseller_id and w.case_id = c.id;
    insert into case_work (reseller_id, case_id, next_at) values (p_reseller, v_id, v_at);
  elsif p_is_worked then
    perform await_person(v_case);
  end if;
  perform tell_case(v_case, 'case.opened', 'reseller', p_text, v_at);
  return query select 'opened', v_case.number;
end $$;

-- One step of a case that is not closed, with what is said about it; `p_state` null: it stays in its state. False when
-- it is closed, or in that state already. A void is resolved by nothing but its refund. What an operator closes while
-- the provider has it is still asked for: should the provider decide otherwise, somebody has to know.
create function change_case(
  p_reseller bigint, p_case bigint, p_state text, p_author text, p_text text
) returns boolean language plpgsql as $$
declare
  v_case cases;
  v_at timestamptz;
  v_is_end boolean := coalesce(p_state in ('resolved', 'refused'), false);
begin
  select * into v_case from cases where reseller_id = p_reseller and id = p_case for no key update;
  if not found or v_case.closed_at is not null or v_case.state = p_state then return false; end if;
  if p_state = 'resolved' and v_case.kind = 'void'
     and payment_code(p_reseller, v_case.payment_id) is distinct from 53 then
    raise exception 'case % cannot be resolved: its payment is not voided', v_case.number;
  end if;
  v_at := greatest(clock_timestamp(), v_case.changed_at);
  update cases set state = coalesce(p_state, state), changed_at = v_at, closed_at = case when v_is_end then v_at end,
                   watch_at = case when v_is_end then null else watch_at end
   where reseller_id = p_reseller and id = p_case
  returning * into v_case;
  if p_state is not null then perform clear_alert('case_waiting', v_case.number); end if;
  if v_is_end then
    delete from case_work
     where reseller_id = p_reseller and case_id = p_case
       and (p_author = 'system' or (questions = 0 and holder is null));
    perform clear_alert('case_overdue', v_case.number);
  end if;
  perform tell_case(v_case, 'case.' || case when v_is_end then p_state else 'updated' end, p_author, p_text, v_at);
  return true;
end $$;

-- The biller has approved a void: refund, state 53 and the end of the case in one commit. Verdicts:
--   approved         now
--   resolved_before  by an earlier run, or by somebody else: the money is back, once
--   refused_before   the case was refused: nothing moves, and an operator has to look at it, unless another case of the
--                    payment has the refund, or still asks for it
create function approve_void(
  p_reseller bigint, p_case bigint, p_author text, p_text text, p_evidence text
) returns text language plpgsql as $$
declare
  v_payment bigint;
  v_code smallint;
  v_case cases;
begin
  select payment_id into strict v_payment from cases
   where reseller_id = p_reseller and id = p_case and kind = 'void';
  perform lock_wallets(array[p_reseller]);
  v_code := hold_payment(p_reseller, v_payment);
  select * into v_case from cases where reseller_id = p_reseller and id = p_case for no key update;
  if v_case.state = 'resolved' then return 'resolved_before'; end if;
  if v_case.state = 'refused' then
    if v_code = 53 or exists (
         select from cases c join case_work w on w.reseller_id = c.reseller_id and w.case_id = c.id
          where c.payment_id = v_payment and c.reseller_id = p_reseller and c.closed_at is null) then
      return 'refused_before';
    end if;
    perform raise_alert('void_contradiction', v_case.number,
      'case ' || v_case.number || ', payment ' || v_payment || ': the void is approved (' || p_evidence
        || '), but the case was refused before; nothing was refunded', 'critical');
    return 'refused_before';
  end if;
  if v_code = 20 then
    perform 1 from resolve_payments(array[p_reseller], array[v_payment], array[53]::smallint[], array['Refund'],
                                    array[null]::text[], array[null]::text[], array[null]::text[],
                                    array[null]::bytea[], array[null]::integer[], array[null]::smallint[],
                                    array[p_evidence]) r
      where not r.is_contradiction;
    if not found then raise exception 'payment % could not be voided', v_payment; end if;
  end if;
  if not change_case(p_reseller, p_case, 'resolved', p_author, p_text) then
    raise exception 'case % could not be resolved', v_case.number;
  end if;
  return 'approved';
end $$;

-- The provider does not take voids: whoever was about to ask lets go, and a person takes it further. Only while that
-- somebody still has it.
create function end_asking(p_reseller bigint, p_case bigint, p_holder uuid) returns void language plpgsql as $$
declare
  v_case cases;
begin
  select * into v_case from cases where reseller_id = p_reseller and id = p_case for no key update;
  delete from case_work where reseller_id = p_reseller and case_id = p_case and holder = p_holder;
  if found and v_case.state = 'open' then perform await_person(v_case); end if;
end $$;

-- Cases past their due time: operators are told, and again each time that so much longer has passed. The provider is
-- still asked. Returns how many.
create function watch_cases(p_limit integer, p_again_seconds integer) returns integer language plpgsql as $$
declare
  v_case cases;
  v_count integer := 0;
begin
  for v_case in
    select * from cases where watch_at <= now() order by watch_at limit p_limit for no key update skip locked
  loop
    update cases set watch_at = now() + make_interval(secs => p_again_seconds)
     where reseller_id = v_case.reseller_id and id = v_case.id;
    perform raise_alert('case_overdue', v_case.number,
      'case ' || v_case.number || ' (' || v_case.kind || ' of payment ' || v_case.payment_id || ') is past its due time',
      'critical');
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- Staging: brings an account's outstanding times nearer. What somebody is at is theirs until their lease ends. Cases
-- before their work, as everybody does it.
create function advance_cases(p_reseller bigint, p_seconds integer) returns void language plpgsql as $$
begin
  perform 1 from cases where reseller_id = p_reseller and closed_at is null order by id for no key update;
  update cases set due_at = due_at - make_interval(secs => p_seconds),
                   watch_at = watch_at - make_interval(secs => p_seconds)
   where reseller_id = p_reseller and closed_at is null;
  update case_work set next_at = next_at - make_interval(secs => p_seconds)
   where reseller_id = p_reseller and holder is null;
end $$;
