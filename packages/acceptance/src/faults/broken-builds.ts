import type { Focus } from './schedule.ts'

/** Replacement of one text, which must be in its file exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string }

export type BrokenBuild = {
  readonly name: string
  /** Mistake that somebody could make. */
  readonly mistake: string
  /** Edits of compiled files, below `packages/server/dist`. */
  readonly code?: readonly Edit[]
  /** Edits of SQL functions, below `packages/server/functions`. */
  readonly functions?: readonly Edit[]
  /** Statements before these functions, for what a function alone cannot break. */
  readonly statements?: readonly string[]
  /** Rules that name the mistake: a run that breaks none of them has not caught the build. */
  readonly caughtBy: readonly string[]
  /** Faults that come to the mistake soon; left out: the usual ones. */
  readonly focus?: Focus
}

/** Little more than load, for mistakes that need no fault: some connections of clients are cut. */
const CALM: Focus = { weights: { cut: 1 }, links: ['client'] }

/** Node that is frozen or killed, while the others take its work over. */
const VICTIM = [0]

/**
 * Freezes of one node from which others have taken its work over, and have sent it again: lease, and time after which
 * “not found” is a proof.
 */
function frozenUntilSentAgain(kind: 'freeze' | 'suspend', payments?: RegExp): Focus {
  return {
    weights: { [kind]: 1 },
    places: ['dispatch.before'],
    freezeLeases: [3, 4],
    nodes: VICTIM,
    payments,
  }
}

/** Freezes of one node that has an answer and has not written it, until others have asked and written it. */
function frozenWithAnswer(place: 'resolve.before' | 'refund.before', payments?: RegExp): Focus {
  return { weights: { freeze: 1 }, places: [place], freezeLeases: [1.7, 2.3], nodes: VICTIM, payments }
}

const DISPATCH = 'modules/payments/fulfil/dispatch.service.js'
const DISPATCH_RULES = 'modules/payments/fulfil/dispatch.rules.js'
const RESOLVE = 'payments/resolve_payments.sql'
const TAKE = 'payments/take_payments.sql'

/** Posts the debits of payments that were sent without one. */
const DEBIT_LATE = `
create or replace function debit_late(p_resellers bigint[], p_ids bigint[]) returns void language plpgsql as $$
declare
  v_row record;
  v_wallet record;
begin
  for v_row in
    select p.* from unnest(p_resellers, p_ids) as c (reseller_id, id)
      join payments p on p.reseller_id = c.reseller_id and p.id = c.id
     where not exists (select from transfers t where t.reseller_id = p.reseller_id and t.payment_id = p.id)
     order by p.reseller_id, p.id
  loop
    select * into v_wallet from lock_wallets(array[v_row.reseller_id]);
    perform post_entries(
      p_kind => 'payment', p_house_account => 'provider_clearing', p_resellers => array[v_row.reseller_id],
      p_sequences => array[v_wallet.sequence + 1], p_amounts => array[-v_row.cost],
      p_balances => array[v_wallet.balance - v_row.cost], p_payments => array[v_row.id], p_remarks => array['late'],
      p_at => greatest(clock_timestamp(), v_wallet.last_entry_at));
  end loop;
end $$`

const POST_NOTHING = `
create or replace function post_nothing(
  p_kind text, p_house_account text, p_resellers bigint[], p_sequences bigint[], p_amounts bigint[],
  p_balances bigint[], p_payments bigint[], p_remarks text[], p_at timestamptz
) returns void language sql as 'select'`

/** Builds in the order in which the report lists them. */
export const BUILDS: readonly BrokenBuild[] = [
  {
    name: 'debit-after-send',
    caughtBy: ['debit-late'],
    focus: CALM,
    mistake: 'the wallet is debited when the supplier has answered, not before the order is sent',
    statements: [POST_NOTHING, DEBIT_LATE],
    functions: [
      {
        file: TAKE,
        find: "perform post_entries(\n      p_kind => 'payment'",
        replace: "perform post_nothing(\n      p_kind => 'payment'",
      },
      {
        file: RESOLVE,
        find: 'begin\n  -- Most batches hold successes only.',
        replace: 'begin\n  perform debit_late(p_resellers, p_ids);\n  -- Most batches hold successes only.',
      },
    ],
  },
  {
    name: 'nonce-in-memory',
    caughtBy: ['nonce-accepted-twice'],
    focus: CALM,
    mistake: 'each node remembers the nonces of payments in its memory, and no other node knows them',
    code: [
      {
        file: 'modules/payments/take/intake.service.js',
        find: 'const digests = new Set()',
        replace: 'const digests = (globalThis.spentNonces ??= new Set())',
      },
      {
        file: 'modules/payments/take/intake.sql.js',
        find: '({ nonce }) => nonce?.digest ?? null',
        replace: '() => null',
      },
    ],
  },
  {
    name: 'refund-on-timeout',
    caughtBy: ['delivered-twice', 'refund-of-delivered'],
    focus: { weights: { supplier: 1 }, on: ['submit'] },
    mistake:
      'an order without an answer counts as not carried out: it goes to another supplier, or the money goes back',
    code: [
      {
        file: DISPATCH,
        find: "if (outcome.kind === 'unsent')",
        replace: "if (outcome.kind === 'unsent' || outcome.kind === 'unknown')",
      },
    ],
  },
  {
    name: 'lease-ignored',
    caughtBy: ['delivered-twice', 'order-repeated'],
    focus: { weights: { freeze: 1 }, places: ['dispatch.before'], freezeLeases: [0.2, 0.4], nodes: VICTIM },
    mistake: 'a node claims work that another one holds, and takes “not found” for a proof at once',
    code: [
      {
        file: 'db/leases.js',
        find: `w.\${nextAt} <= now()\n         and (\${isFree} or w.\${nextAt} <= $\${BELIEVED_UNTIL})`,
        replace: `(w.\${nextAt} <= now() or not (\${isFree})) and $\${BELIEVED_UNTIL}::timestamptz is not null`,
      },
      {
        file: 'modules/payments/fulfil/questions.service.js',
        find: 'const provedMs = leaseMs + notFoundProvesAfterMs',
        replace: 'const provedMs = 0 * (leaseMs + notFoundProvesAfterMs)',
      },
    ],
  },
  {
    name: 'second-look-dropped',
    caughtBy: ['state-path'],
    focus: frozenWithAnswer('resolve.before'),
    mistake:
      'the state of a payment is not looked at again under its lock: an answer moves one that is final',
    functions: [{ file: RESOLVE, find: 'else p.code in (0, 1) end', replace: 'else p.code <> 53 end' }],
  },
  {
    name: 'wake-up-writes',
    caughtBy: ['contradiction', 'refund-of-delivered'],
    focus: frozenUntilSentAgain('freeze', /^VOLT/),
    mistake: 'a node that wakes up after its lease may still end a payment that another one works on',
    code: [
      {
        file: 'modules/payments/outcomes/resolve.service.js',
        find: "isOpen || (outcome.kind === 'failed' && isConcluded)",
        replace: 'isOpen',
      },
    ],
  },
  {
    name: 'wake-up-sends',
    caughtBy: ['delivered-twice', 'order-repeated'],
    focus: frozenUntilSentAgain('freeze'),
    mistake: 'a node that wakes up after its lease still sends the order',
    code: [
      {
        file: DISPATCH_RULES,
        find: 'return sentMs + submitTimeoutMs > leaseEndsMs',
        replace: 'return submitTimeoutMs > leaseEndsMs',
      },
      {
        file: DISPATCH,
        find: 'const ready = mustPrepare(settings, provider, dispatch, hasWaited)',
        replace: 'const ready = false',
      },
      {
        file: DISPATCH,
        find: 'submitWithin(provider, order, notAfterMs,',
        replace: 'submitWithin(provider, dispatch.order, notAfterMs + 600_000,',
      },
    ],
  },
  {
    name: 'suspension-unseen',
    caughtBy: ['delivered-twice', 'order-repeated'],
    focus: frozenUntilSentAgain('suspend'),
    mistake:
      'a node counts its leases by the monotonic clock alone, which stands still while its machine is suspended',
    code: [
      {
        file: 'lib/lease-time.js',
        find: 'return nowMs + suspendedMs',
        replace: 'return nowMs',
      },
    ],
  },
  {
    name: 'refused-webhook-counted',
    caughtBy: ['webhook-missing'],
    focus: { weights: { receiver: 1 } },
    mistake: 'a balance webhook that the receiver refused is written down as received',
    code: [
      {
        file: 'modules/events/deliveries/sender.service.js',
        find: 'const answer = await ask(ready)',
        replace:
          "const heard = await ask(ready); const answer = delivery.stream === 'balance' && heard.kind === 'answered' ? { ...heard, status: 200 } : heard",
      },
    ],
  },
  {
    name: 'callback-before-answer',
    caughtBy: ['callback-missing'],
    focus: { weights: { receiver: 1 } },
    mistake:
      'a callback is written down as delivered before it is sent: it is lost with the node, or with its answer',
    code: [
      {
        file: 'modules/events/deliveries/sender.service.js',
        find: 'const answer = await ask(ready)',
        replace:
          "ask(ready).catch(() => undefined); const answer = { kind: 'answered', status: 200, headers: {}, body: Buffer.alloc(0) }",
      },
    ],
  },
  {
    name: 'repeated-commit-counted-twice',
    caughtBy: ['refund-doubled'],
    focus: frozenWithAnswer('refund.before', /0048$|2002$|3002$/),
    mistake: 'a commit that runs again after its answer was lost gives the money back again',
    statements: ['drop index transfers_one_refund'],
    functions: [
      { file: RESOLVE, find: 'else p.code in (0, 1) end', replace: 'else p.code not in (20, 53) end' },
    ],
  },
  {
    name: 'uncertain-is-rejected',
    caughtBy: ['rejected-but-paid'],
    focus: { weights: { lose_answers: 1 }, links: ['database'] },
    mistake: 'a commit whose answer was lost is told to the client as a rejection',
    code: [
      {
        file: 'modules/payments/take/service.js',
        find: 'throw uncertain(error)',
        replace: "return { verdict: 'rolled_back', balance: 0n }",
      },
    ],
  },
  {
    name: 'blind-resend',
    caughtBy: ['delivered-twice', 'order-repeated'],
    focus: { ...CALM, payments: /1002$|2002$|300[12]$/ },
    mistake: 'an order of which the supplier cannot say what became of it is sent again',
    code: [
      {
        file: 'modules/payments/fulfil/recovery.jobs.js',
        find: 'if (isAbsent && provider !== undefined && provesAbsence(settings, provider, present))',
        replace: "if (answer.kind !== 'succeeded' && answer.kind !== 'failed' && provider !== undefined)",
      },
    ],
  },
  {
    name: 'answers-from-memory',
    caughtBy: ['answer-changed', 'end-untold'],
    focus: CALM,
    mistake: 'a node answers polls from what it read before',
    code: [
      {
        file: 'modules/payments/take/intake.service.js',
        find: 'payment: toPayment(vault, row.existing)',
        replace:
          'payment: (globalThis.seenPayments ??= new Map()).get(row.id) ?? globalThis.seenPayments.set(row.id, toPayment(vault, row.existing)).get(row.id)',
      },
    ],
  },
  {
    name: 'void-on-silence',
    caughtBy: ['void-unapproved'],
    focus: { weights: { supplier: 1 }, on: ['void'], payments: /^VOLT 6012345400/ },
    mistake: 'a supplier that does not answer a void is taken to have approved it',
    code: [
      {
        file: 'modules/cases/voids.jobs.js',
        find: 'await askLater(database, work, nextQuestionMs(work.questions))',
        replace: "await keepDecision({ work, provider: code, answer: { kind: 'approved' } })",
      },
    ],
  },
  {
    name: 'feed-number-skipped',
    caughtBy: ['feed-hole'],
    focus: CALM,
    mistake: 'the numbers of the feed are counted on by one too many',
    functions: [
      {
        file: 'events/sequence_facts.sql',
        find: 'set last_sequence = s.last_sequence + excluded.last_sequence',
        replace: 'set last_sequence = s.last_sequence + excluded.last_sequence + 1',
      },
    ],
  },
  {
    name: 'quote-paid-again',
    caughtBy: ['quote-used-twice'],
    focus: CALM,
    mistake: 'a quote is not looked at when it is paid',
    code: [
      {
        file: 'modules/payments/quotes/terms.rules.js',
        find: 'return quote.paymentId === null && !quote.isExpired ? undefined : closedRejection(quote)',
        replace: 'return undefined',
      },
    ],
    functions: [{ file: TAKE, find: 'and q.payment_id is null and q.expires_at > v_clock', replace: '' }],
  },
  {
    name: 'limit-and-one-more',
    caughtBy: ['limit-passed'],
    focus: { ...CALM, payments: /^KITA 60123453001/ },
    mistake: 'a limit lets one payment more pass',
    functions: [
      {
        file: TAKE,
        find: 'v_used_payments[v_counter] >= v_max_payments[v_gauge]',
        replace: 'v_used_payments[v_counter] > v_max_payments[v_gauge]',
      },
    ],
  },
  {
    name: 'part-kept',
    caughtBy: ['count-drifted'],
    focus: CALM,
    mistake: 'a payment that fails does not give its part of a limit back',
    functions: [
      {
        file: RESOLVE,
        find: 'if exists (select from payment_tallies t where t.reseller_id = any (v_wallet_ids)) then',
        replace: 'if false then',
      },
    ],
  },
]
