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
  /** Faults that come to the mistake soon. */
  readonly focus?: Focus
}

const DISPATCH = 'modules/payments/fulfil/dispatch.service.js'
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
        find: 'begin\n  select array_agg(distinct c.reseller_id) into v_refunds',
        replace:
          'begin\n  perform debit_late(p_resellers, p_ids);\n  select array_agg(distinct c.reseller_id) into v_refunds',
      },
    ],
  },
  {
    name: 'nonce-in-memory',
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
    focus: { weights: { freeze: 80 }, places: ['dispatch.before'], freezeLeases: [0.12, 0.24] },
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
    mistake:
      'the state of a payment is not looked at again under its lock: an answer moves one that is final',
    functions: [{ file: RESOLVE, find: 'else p.code in (0, 1) end', replace: 'else p.code <> 53 end' }],
  },
  {
    name: 'wake-up-writes',
    focus: {
      weights: { freeze: 80 },
      places: ['intake.committed', 'dispatch.before'],
      freezeLeases: [2.5, 3.5],
    },
    mistake: 'a node that wakes up after its lease may still end a payment that another one works on',
    code: [
      {
        file: 'modules/payments/outcomes/resolve.service.js',
        find: 'lease: isConcluded ? lease : null',
        replace: 'lease: null',
      },
    ],
  },
  {
    name: 'wake-up-sends',
    focus: {
      weights: { freeze: 80 },
      places: ['intake.committed', 'dispatch.before'],
      freezeLeases: [2.5, 3.5],
    },
    mistake: 'a node that wakes up after its lease still sends the order',
    code: [
      {
        file: DISPATCH,
        find: 'return performance.now() + submitTimeoutMs > leaseEndsMs',
        replace: 'return submitTimeoutMs > leaseEndsMs',
      },
      {
        file: DISPATCH,
        find: 'mustConfirm(settings, dispatch, hasWaited) && ',
        replace: 'false && ',
      },
      {
        file: DISPATCH,
        find: 'submitWithin(provider, dispatch.order, notAfterMs,',
        replace: 'submitWithin(provider, dispatch.order, notAfterMs + 600_000,',
      },
    ],
  },
  {
    name: 'callback-before-answer',
    mistake:
      'a callback is written down as delivered before it is sent: it is lost with the node, or with its answer',
    code: [
      {
        file: 'modules/events/deliveries/sender.service.js',
        find: 'const answer = await ask(requestOf(ready))',
        replace:
          "ask(requestOf(ready)).catch(() => undefined); const answer = { kind: 'answered', status: 200, headers: {}, body: Buffer.alloc(0) }",
      },
    ],
  },
  {
    name: 'repeated-commit-counted-twice',
    mistake: 'a commit that runs again after its answer was lost gives the money back again',
    statements: ['drop index transfers_one_refund'],
    functions: [
      { file: RESOLVE, find: 'else p.code in (0, 1) end', replace: 'else p.code not in (20, 53) end' },
    ],
  },
  {
    name: 'uncertain-is-rejected',
    focus: { weights: { lose_answers: 40, restart_database: 20, refuse: 20 } },
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
    mistake: 'an order of which the supplier cannot say what became of it is sent again',
    code: [
      {
        file: 'modules/payments/fulfil/recovery.jobs.js',
        find: 'if (isAbsent && provider !== undefined && provesAbsence(settings, provider, work))',
        replace: "if (answer.kind !== 'succeeded' && answer.kind !== 'failed' && provider !== undefined)",
      },
    ],
  },
  {
    name: 'answers-from-memory',
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
    mistake: 'the numbers of the feed are counted on by one too many',
    functions: [
      {
        file: 'events/sequence_facts.sql',
        find: 'set last_sequence = s.last_sequence + excluded.last_sequence',
        replace: 'set last_sequence = s.last_sequence + excluded.last_sequence + 1',
      },
    ],
  },
]
