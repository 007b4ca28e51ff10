import type { Database, Queryable } from '../../../db/database.ts'
import { joined, withSavepoint } from '../../../db/joined.ts'
import type { Vault } from '../../../db/vault.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { parseRate } from '../../../lib/rates.ts'
import type { Outcome } from '../../providers/port/types.ts'
import { holdWallet } from '../../wallet/balance/service.ts'
import type { Reference } from '../core/schedule.rules.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { findPaymentRowById } from '../core/sql.ts'
import { isFinal } from '../core/states.rules.ts'
import type { TimelineKind } from '../core/types.ts'
import { notePayment } from '../fulfil/callbacks.sql.ts'
import { createResolver } from '../outcomes/resolve.service.ts'
import { attemptStateOf } from './settled.rules.ts'
import type { AttemptPlace, AttemptRow, CostRow } from './settled.sql.ts'
import {
  findAttempts,
  findByWords,
  findCosts,
  findOpenAttempts,
  holdWork,
  listOpenAttempts,
  listSoldReferences,
} from './settled.sql.ts'
import type { AnsweredCost, SettledAttempt } from './settled.types.ts'

// Reads of payments and their providers for other modules, and the way in which they bring evidence.

/** Lists the given attempts that this provider had; others are left out. */
export async function listAttemptsOf(
  connection: Queryable,
  provider: string,
  references: readonly Reference[],
): Promise<SettledAttempt[]> {
  if (references.length === 0) return []
  const found = await findAttempts(connection, references)
  const rows = found.filter((row) => row.attempt_provider === provider)
  const open = rows.filter(({ code }) => !isFinal(code))
  const undecided = new Set(open.length === 0 ? [] : (await findOpenAttempts(connection, open)).map(keyOf))
  const costs = new Map((await findCosts(connection, rows)).map((row) => [keyOf(row), costOf(row)]))
  return rows.map((row) => toAttempt(row, undecided.has(keyOf(row)), costs.get(keyOf(row)) ?? null))
}

function costOf({ amount, currency, rate }: CostRow): AnsweredCost {
  return { amount, currency, rate: rate === null ? null : (parseRate(rate) ?? null) }
}

/** Lists the attempts that this provider knows by these words: our references in its form, or its own ids. */
export function listNamedBy(
  connection: Queryable,
  provider: string,
  of: 'ours' | 'theirs',
  words: readonly string[],
): Promise<(Reference & { readonly reference: string })[]> {
  return findByWords(connection, provider, of, words)
}

function keyOf(row: AttemptPlace): string {
  return `${row.reseller_id}:${row.payment_id}:${row.attempt}`
}

/**
 * Lists a page of payments that this provider fulfilled, taken from one day to another by GMT+8, both inclusive. `next`
 * is where the next page begins; undefined when this was the last.
 */
export async function listFulfilled(
  connection: Queryable,
  provider: string,
  page: { readonly fromDay: number; readonly toDay: number; readonly after: bigint; readonly limit: number },
): Promise<{ attempts: SettledAttempt[]; next: bigint | undefined }> {
  const first = idAt(startOfDayMs(page.fromDay)) - 1n
  const references = await listSoldReferences(connection, {
    afterId: page.after > first ? page.after : first,
    beforeId: idAt(startOfDayMs(page.toDay + 1)),
    limit: page.limit,
  })
  return {
    attempts: await listAttemptsOf(connection, provider, references),
    next: references.length < page.limit ? undefined : references.at(-1)?.paymentId,
  }
}

const ID_MAX = 2n ** 63n - 1n

/**
 * Returns the first id of a millisecond. A payment's id begins with the millisecond in which it was taken. No id has a
 * millisecond before 1970 or after 2248: the nearest possible id stands for it.
 */
function idAt(instantMs: number): bigint {
  const id = BigInt(Math.max(0, instantMs)) << 20n
  return id < ID_MAX ? id : ID_MAX
}

function toAttempt(row: AttemptRow, isUndecided: boolean, cost: AnsweredCost | null): SettledAttempt {
  return {
    resellerId: row.reseller_id,
    paymentId: row.payment_id,
    attempt: row.attempt,
    amount: row.amount,
    faceValue: row.face_value,
    serialNumber: row.serial_number ?? '',
    cost,
    state: attemptStateOf(row.code, row.attempt, row.present_attempt, row.succeeded_attempt, isUndecided),
    isOpen: !isFinal(row.code),
  }
}

export type Evidence = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly outcome: Extract<Outcome, { kind: 'succeeded' | 'failed' }>
  /** Source of the evidence and the reason to believe it; for the timeline. */
  readonly text: string
  /** True: the outcome is that of every attempt that is undecided, too. */
  readonly isAboutAll?: boolean
}

/**
 * Milliseconds of the hold: longer than it takes to write the outcome. If the outcome moves nothing, the payment is
 * asked about again after it.
 */
const HOLD_MS = 30_000

/**
 * Ends a payment by evidence, in the same way as a provider's answer would. False where it did not move: it was final
 * before, or the attempt is no longer the one that counts. Refused while a node holds the payment, because that node may
 * be about to send it, and for a failure while another attempt is undecided.
 */
export async function resolveByEvidence(
  { database, vault }: { database: Database; vault: Vault },
  evidence: Evidence,
): Promise<boolean> {
  const { resellerId, paymentId: id, attempt, outcome, text, isAboutAll = false } = evidence
  return database.transaction(async (tx) => {
    // Locks are taken in the same order as in all other code: a refund locks the wallet before the work.
    if (outcome.kind === 'failed') await holdWallet(tx, resellerId)
    const hold = await holdWork(tx, resellerId, id, HOLD_MS)
    if (hold?.is_held === false) throw inProgress(hold.leased_until)
    const resolver = createResolver({ database: joined(tx, database), vault, failpoint: noFailpoint })
    const decide = (about: number) =>
      resolver.submit({ resellerId, id, attempt: about, outcome, evidence: text, nextMs: 0 })
    // The payment ended a moment ago: attempts that are undecided beside it stay open.
    const open = hold === undefined ? [] : await listOpenAttempts(tx, resellerId, id)
    if (!isAboutAll) {
      const isMoved = await decide(attempt)
      const others = open.filter((each) => each !== attempt)
      if (!isMoved && others.length > 0) throw undecided(id, others)
      return isMoved
    }
    if (hold === undefined) return false
    return withSavepoint(tx, async () => {
      for (const each of open) await decide(each)
      if (!(await decide(attempt))) throw new NotMovedError()
      return true
    }).catch((error: unknown) => {
      if (error instanceof NotMovedError) return false
      throw error
    })
  })
}

/** Undoes a decision about all attempts, because the present attempt is another one by now. */
class NotMovedError extends Error {}

function inProgress(until: Date): RequestError {
  return new RequestError({
    status: 409,
    code: 'in_progress',
    publicText: `A node works on this payment until ${until.toISOString()} and may be about to send it. Nothing was changed; try again then.`,
  })
}

function undecided(id: bigint, open: readonly number[]): RequestError {
  const references = open.map((attempt) => referenceOf(id, attempt)).join(', ')
  return new RequestError({
    status: 409,
    code: 'attempt_undecided',
    publicText: `The payment waits for ${references}, which is undecided. Nothing was changed; try again when its provider has decided.`,
  })
}

/** Adds a note to a payment's timeline; changes nothing else. */
export async function noteOnPayment(
  connection: Queryable,
  payment: { readonly resellerId: bigint; readonly paymentId: bigint; readonly attempt: number | null },
  kind: TimelineKind,
  detail: string,
): Promise<void> {
  const { resellerId, paymentId: id, attempt } = payment
  const row = await findPaymentRowById(connection, resellerId, id)
  if (row === undefined) return
  await notePayment(connection, { resellerId, id, attempt, code: row.code }, kind, detail)
}
