import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Database } from '../../db/database.ts'
import type { Failpoint } from '../../lib/failpoints.ts'
import { noFailpoint } from '../../lib/failpoints.ts'
import { FAILURE_CODES } from '../../lib/failure-codes.ts'
import type { Amount } from '../../lib/money.ts'
import { createReseller } from '../../modules/accounts/service.ts'
import type { KeyCaps } from '../../modules/accounts/types.ts'
import type { NonceCommand } from '../../modules/auth/nonces.types.ts'
import type { Payment, PaymentCode, PaymentExtras } from '../../modules/payments/core/types.ts'
import type { Resolver } from '../../modules/payments/outcomes/resolve.service.ts'
import { createResolver } from '../../modules/payments/outcomes/resolve.service.ts'
import type { Intake } from '../../modules/payments/take/intake.service.ts'
import { createIntake } from '../../modules/payments/take/intake.service.ts'
import type { IntakeCommand, IntakeResult, RequestTimes } from '../../modules/payments/take/intake.types.ts'
import { deposit } from '../../modules/wallet/balance/service.ts'
import type { TestDatabase } from '../database.ts'
import { openTestDatabase } from '../database.ts'

export const LATER = Number.POSITIVE_INFINITY
export const LEASE_MS = 60_000
export const NO_EXTRAS: PaymentExtras = { subproductCode: null, billerCode: null, ref2: null, icNumber: null }

/** Process of the service, with the parts that move money. */
export type Node = { readonly database: Database; readonly intake: Intake; readonly resolver: Resolver }

export type PaymentsBench = TestDatabase & {
  newReseller(balance?: Amount): Promise<bigint>
  deposit(resellerId: bigint, amount: Amount): Promise<void>
  /** Opens a node with its own pool. */
  openNode(settings?: { leaseMs?: number; failpoint?: Failpoint }): Node
  balanceOf(resellerId: bigint): Promise<Amount>
  codeOf(payment: Pick<Payment, 'resellerId' | 'id'>): Promise<PaymentCode>
  workOf(payment: Pick<Payment, 'resellerId' | 'id'>): Promise<Work | undefined>
  entriesOf(resellerId: bigint): Promise<EntryRow[]>
  refidsOf(resellerId: bigint): Promise<string[]>
  /** Makes the payment's work older: moves all of its times, its lease included, into the past. */
  age(payment: Pick<Payment, 'resellerId' | 'id'>, seconds: number): Promise<void>
}

export type Work = {
  attempt: number
  questions: number
  is_leased: boolean
  submitted_at: Date
  next_at: Date
}
export type EntryRow = {
  sequence: bigint
  kind: string
  amount: Amount
  balance_after: Amount
  payment_id: bigint | null
}

export async function openPaymentsBench(given?: TestDatabase): Promise<PaymentsBench> {
  const test = given ?? (await openTestDatabase())
  const { database, vault } = test
  const one = async <R extends object>(text: string, values: readonly unknown[]): Promise<R | undefined> =>
    (await database.query<R>(text, values)).rows[0]
  const bench: PaymentsBench = {
    ...test,
    async newReseller(balance = 0n) {
      const settings = { database, vault, environment: 'staging' } as const
      const named = { name: 'Kedai Bayar', email: 'bayar@example.com', priceLevel: 'STANDARD' }
      const { id } = await createReseller(settings, named)
      if (balance > 0n) await bench.deposit(id, balance)
      return id
    },
    deposit: async (resellerId, amount) =>
      void (await database.transaction((tx) => deposit(tx, { resellerId, amount, remarks: 'Cash' }))),
    openNode({ leaseMs = LEASE_MS, failpoint = noFailpoint } = {}) {
      const own = test.openAnother()
      return {
        database: own,
        intake: createIntake({ database: own, vault, failpoint, leaseMs }),
        resolver: createResolver({ database: own, vault, failpoint }),
      }
    },
    async balanceOf(resellerId) {
      const row = await one<{ balance: bigint }>('select balance from wallets where reseller_id = $1', [
        resellerId,
      ])
      if (row === undefined) throw new Error('no such wallet')
      return row.balance
    },
    async codeOf({ resellerId, id }) {
      const row = await one<{ code: PaymentCode }>(
        'select code from payments where reseller_id = $1 and id = $2',
        [resellerId, id],
      )
      if (row === undefined) throw new Error('no such payment')
      return row.code
    },
    workOf: ({ resellerId, id }) =>
      one<Work>(
        `select attempt, questions, is_leased, submitted_at, next_at from payment_work
          where reseller_id = $1 and payment_id = $2`,
        [resellerId, id],
      ),
    async entriesOf(resellerId) {
      const { rows } = await database.query<EntryRow>(
        `select sequence, kind, amount, balance_after, payment_id from transfers
          where reseller_id = $1 order by sequence`,
        [resellerId],
      )
      return rows
    },
    async refidsOf(resellerId) {
      const { rows } = await database.query<{ refid: string }>(
        'select refid from payments where reseller_id = $1 order by id',
        [resellerId],
      )
      return rows.map(({ refid }) => refid)
    },
    async age({ resellerId, id }, seconds) {
      await database.query(
        `update payment_work set submitted_at = submitted_at - make_interval(secs => $3),
                next_at = next_at - make_interval(secs => $3), due_at = due_at - make_interval(secs => $3)
          where reseller_id = $1 and payment_id = $2`,
        [resellerId, id, seconds],
      )
    },
  }
  return bench
}

// ── Commands ──

export type CommandChange = {
  refid?: string
  cost?: Amount
  /** Amount; by default the cost. */
  amount?: Amount
  account?: string
  remarks?: string
  extras?: Partial<PaymentExtras>
  nonce?: NonceCommand | undefined
  requestId?: string
  provider?: string
  /** True: the payment is sold from the stock. */
  reservesStock?: boolean
  routeNote?: string
  product?: string
  category?: string
  memberId?: string
  /** Face value; by default the amount. */
  faceValue?: Amount
  /** Purpose of the key that pays, and what that key may pay. */
  purposeId?: bigint
  caps?: Partial<KeyCaps>
  /** True: the request was rejected (`isJudgedNo`), or only looks for the payment (`onlyLooks`). */
  isJudgedNo?: boolean
  isLookupOnly?: boolean
  times?: Partial<RequestTimes>
}

export const NO_TIMES: RequestTimes = { signedAtSeconds: null, receivedAtMs: null, notAfterMs: null }

const NO_CAPS: KeyCaps = { purposeId: 0n, maxAmount: null, dailyCap: null, monthlyCap: null }

let refids = 0

export function newRefid(): string {
  refids += 1
  return `R-${refids}-${randomUUID().slice(0, 8)}`
}

export function commandFor(resellerId: bigint, change: CommandChange = {}): IntakeCommand {
  const { refid = newRefid(), cost = 10_000n, account = '60123456789', remarks = '', nonce } = change
  const { product = 'NOVA', amount = cost } = change
  return {
    resellerId,
    request: {
      refid,
      product,
      account,
      amount,
      remarks,
      extras: { ...NO_EXTRAS, ...change.extras },
      problems: {},
    },
    decision:
      change.isJudgedNo === true
        ? null
        : {
            productCode: product,
            productName: 'Nova',
            amount,
            faceValue: change.faceValue ?? amount,
            category: change.category,
            cost,
            planCode: null,
            dueAfterSeconds: 600,
          },
    isLookupOnly: change.isLookupOnly ?? false,
    times: { ...NO_TIMES, ...change.times },
    provider: change.provider ?? 'scripted',
    reservesStock: change.reservesStock ?? false,
    routeNote: change.routeNote ?? null,
    purposeId: change.purposeId,
    caps: change.caps && { ...NO_CAPS, ...change.caps },
    nonce,
    requestId: change.requestId,
    sender: '203.0.113.7',
    memberId: change.memberId ?? '1',
  }
}

export function newNonce(): NonceCommand {
  return { digest: randomUUID(), requestId: randomUUID(), timestampSeconds: Math.floor(Date.now() / 1_000) }
}

/** Submits all commands in one turn of the event loop: one batch, in this order. */
export function takeTogether(node: Node, commands: readonly IntakeCommand[]): Promise<IntakeResult[]> {
  return Promise.all(commands.map((command) => node.intake.submit(command, LATER)))
}

export async function payWith(node: Node, resellerId: bigint, change: CommandChange = {}): Promise<Payment> {
  const result = await node.intake.submit(commandFor(resellerId, change), LATER)
  if (result.verdict !== 'created') throw new Error(`not created: ${result.verdict}`)
  return result.payment
}

export function verdictsOf(results: readonly IntakeResult[]): string[] {
  return results.map(({ verdict }) => verdict)
}

// ── Is the state coherent? ──

type Odd = { what: string; reseller_id: bigint; id: bigint }

/**
 * Expects correct money, which must hold at every moment: wallets and house accounts sum to zero; statements replay
 * without a gap, in the order of their dates; each payment was charged once, and refunded exactly when it failed; only payments that are not final
 * have work.
 */
export async function expectSoundMoney(database: Database): Promise<void> {
  const { rows } = await database.query<Odd>(ODDITIES, [
    [...FAILURE_CODES, 53],
    [0, 1, 20, 53, ...FAILURE_CODES],
  ])
  expect(rows).toEqual([])
}

const ODDITIES = `
  with replayed as (
    select t.*, row_number() over w as place, sum(amount) over w as balance, lag(created_at) over w as dated_before
      from transfers t window w as (partition by reseller_id order by sequence)
  ), sums as (
    select p.reseller_id, p.id, p.code, p.cost, p.balance_after,
           count(*) filter (where t.kind = 'payment' and t.amount = -p.cost) as taken,
           count(*) filter (where t.kind = 'refund' and t.amount = p.cost) as returned, count(t.kind) as entries,
           (array_agg(t.balance_after order by t.sequence desc))[1] as last_balance
      from payments p left join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
     group by p.reseller_id, p.id
  )
  select 'an entry does not follow on the one before' as what, reseller_id, sequence as id from replayed
   where place <> sequence or balance <> balance_after or created_at < dated_before
  union all
  select 'a wallet is not where its last entry left it', w.reseller_id, w.sequence from wallets w
   where w.balance <> (select coalesce(sum(amount), 0) from transfers t where t.reseller_id = w.reseller_id)
      or w.sequence <> (select count(*) from transfers t where t.reseller_id = w.reseller_id)
  union all
  select 'a payment has not taken its cost once', reseller_id, id from sums where taken <> 1
  union all
  select 'the money is not where the state says', reseller_id, id from sums
   where returned <> (code = any ($1))::int or entries <> taken + returned
  union all
  select 'the balance shown is not that of the latest movement', reseller_id, id from sums
   where balance_after <> last_balance
  union all
  select 'a state that does not exist', reseller_id, id from payments where not code = any ($2)
  union all
  select 'work and state do not agree', p.reseller_id, p.id from payments p
   where (p.code in (0, 1)) <> exists (
     select from payment_work w where w.reseller_id = p.reseller_id and w.payment_id = p.id)
  union all
  select 'work without a payment', w.reseller_id, w.payment_id from payment_work w
   where not exists (select from payments p where p.reseller_id = w.reseller_id and p.id = w.payment_id)
  union all
  select 'an entry of a payment that is not there', t.reseller_id, t.sequence from transfers t
   where t.kind in ('payment', 'refund')
     and not exists (select from payments p where p.reseller_id = t.reseller_id and p.id = t.payment_id)
  union all
  select 'wallets and house accounts do not sum to zero', 0, (wallets.total - house.total)::bigint
    from (select coalesce(sum(balance), 0) as total from wallets) wallets,
         (select coalesce(sum(amount), 0) as total from transfers) house
   where wallets.total <> house.total
  union all
  select 'a count of ' || kind || ' ' || subject || ' is not that of its payments', reseller_id, payments
    from drifted_counts(null)`

// ── Trouble ──

/** Returns the same database with hooks around each statement: before it is sent, and after it was answered. */
export function withStatementHooks(
  database: Database,
  hooks: { before?: () => void; after?: () => void; onError?: (error: unknown) => void },
): Database {
  return {
    ...database,
    async query(statement, values) {
      hooks.before?.()
      try {
        const rows = await database.query<never>(statement, values)
        hooks.after?.()
        return rows
      } catch (error) {
        hooks.onError?.(error)
        throw error
      }
    },
  }
}

/**
 * Makes batches wait longer than in service for a locked wallet, so that a test can see them wait. Returns a function
 * that restores the setting.
 */
export async function letBatchesWait(database: Database): Promise<() => Promise<void>> {
  const { rows } = await database.query<{ settings: string[] | null }>(
    `select proconfig as settings from pg_proc where proname = 'lock_wallets'`,
  )
  const limit = rows[0]?.settings?.find((each) => each.startsWith('lock_timeout='))?.split('=')[1]
  const change = 'alter function lock_wallets(bigint[])'
  await database.query(`${change} set lock_timeout = '20s'`)
  return async () => {
    const before = limit === undefined ? 'reset lock_timeout' : `set lock_timeout = '${limit}'`
    await database.query(`${change} ${before}`)
  }
}

/** Returns the database's clock in milliseconds since 1970. */
export async function databaseMs(database: Database): Promise<number> {
  const { rows } = await database.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  return Number(rows[0]?.ms)
}

/** Polls a condition, less often the longer it has waited. Throws at the deadline. */
export async function until<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = 60_000,
): Promise<T> {
  const startedAt = performance.now()
  for (let passedMs = 0; passedMs < deadlineMs; passedMs = performance.now() - startedAt) {
    const value = await attempt()
    if (value !== undefined && value !== false) return value
    await new Promise((resolve) => setTimeout(resolve, Math.min(5 + passedMs / 10, 100)))
  }
  throw new Error(`gave up waiting until ${what}`)
}

/** Waits until `count` connections wait for a lock in a statement with this text; `cut` ends them. */
export async function untilWaiting(
  database: Database,
  text: string,
  count: number,
  { cut = false } = {},
): Promise<void> {
  const waiting = await until(`${count} wait in ${text}`, async () => {
    const { rows } = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%' || $1 || '%'
          and pid <> pg_backend_pid()`,
      [text],
    )
    return rows.length >= count && rows.map(({ pid }) => pid)
  })
  if (!cut) return
  await database.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [waiting])
  await until('their connections are gone', async () => {
    const { rows } = await database.query('select pid from pg_stat_activity where pid = any ($1)', [waiting])
    return rows.length === 0
  })
}
