import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { dayOf } from '../../../lib/dates.ts'
import { assert } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Approval, Executor } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { Done } from '../../audit/types.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import { listPaymentCallbacks } from '../../events/log/subject-log.service.ts'
import { stateOf } from '../../payments/payment/states.rules.ts'
import { getAttemptHistory } from '../../payments/read/attempt-history.service.ts'
import type { AttemptHistory } from '../../payments/read/attempt-history.types.ts'
import type { AnyPaymentReport, FoundPayment } from '../../payments/read/search.service.ts'
import { findAnyPayment, findPayments } from '../../payments/read/search.service.ts'
import { resolveStuckPayment } from '../../payments/support/support.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { rehearse } from '../catalog/rehearsal.service.ts'
import type { Page } from '../console/pages.rules.ts'
import { pageOf, unknown } from '../console/pages.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import type { SearchParameters } from './payments.rules.ts'
import { RESOLUTION_RULES, readPaymentSearch } from './payments.rules.ts'

type PaymentContext = Pick<
  MoneyContext,
  'database' | 'vault' | 'log' | 'approvals' | 'resolveAloneMax' | 'nowMs'
>

/** Limit of a search through the payments of all resellers: it holds a connection that new payments need. */
const SEARCH_TIMEOUT_MS = 8_000

export async function searchForOperators(
  { database, nowMs }: Pick<PaymentContext, 'database' | 'nowMs'>,
  query: SearchParameters,
): Promise<Page<FoundPayment>> {
  const search = readPaymentSearch(query, dayOf(nowMs()))
  const found = await readWithin(database, SEARCH_TIMEOUT_MS, (tx) =>
    findPayments(tx, { ...search, limit: search.limit + 1 }),
  )
  return pageOf(found, search.limit, ({ id }) => String(id))
}

export async function getForOperators(
  settings: { readonly database: Database; readonly vault: Vault },
  id: string,
): Promise<AnyPaymentReport> {
  const paymentId = parseId(id)
  const report = paymentId === undefined ? undefined : await findAnyPayment(settings, paymentId)
  if (report === undefined) throw unknown('payment')
  return report
}

export type PaymentPage = AnyPaymentReport & {
  /** Rule by which an operator may end the payment, should it get stuck. */
  readonly resolution: { readonly needsSecondPerson: boolean; readonly aloneMax: Amount }
  readonly history: AttemptHistory
  readonly callbacks: readonly LoggedDelivery[]
  readonly cases: Awaited<ReturnType<MoneyContext['cases']['listOfPayment']>>
}

/** Reads a payment with its attempts, the deliveries to its reseller and the reseller's cases. */
export async function getPageForOperators(
  context: Pick<MoneyContext, 'database' | 'vault' | 'cases' | 'deliveryLog' | 'resolveAloneMax'>,
  id: string,
): Promise<PaymentPage> {
  const report = await getForOperators(context, id)
  const { resellerId, payment, timeline } = report
  const log = { database: context.database, log: context.deliveryLog }
  const states = timeline.filter(({ kind }) => kind === 'state')
  return {
    ...report,
    resolution: {
      needsSecondPerson: needsSecondPerson(context, payment),
      aloneMax: context.resolveAloneMax,
    },
    history: await getAttemptHistory(context.database, payment),
    callbacks: await listPaymentCallbacks(log, resellerId, payment.id, states),
    cases: await context.cases.listOfPayment(resellerId, payment.id),
  }
}

/** Tells whether the payment costs more than one operator alone may decide about. */
export function needsSecondPerson(
  { resolveAloneMax }: Pick<MoneyContext, 'resolveAloneMax'>,
  { cost }: { readonly cost: Amount },
): boolean {
  return cost > resolveAloneMax
}

// ── Stuck payments ──

export type ResolutionInput = {
  readonly as: 'succeeded' | 'failed'
  readonly evidence: string
  readonly serialNumber: string
  readonly pin: string
}

export type Resolution =
  | { readonly kind: 'resolved'; readonly report: AnyPaymentReport }
  /** The cost is above the limit for one operator. */
  | { readonly kind: 'requested'; readonly approval: Approval }

/**
 * Ends a payment past its due time with the result that an operator found out. A costly one waits until a second
 * operator approves it.
 */
export async function resolveForOperators(
  context: PaymentContext,
  caller: OperatorCaller,
  id: string,
  input: ResolutionInput,
  givenReason: unknown,
): Promise<Resolution> {
  const reason = readReason(givenReason)
  const asked = readFields(RESOLUTION_RULES, input)
  const { payment } = await getForOperators(context, id)
  const command = {
    payment_id: String(payment.id),
    as: asked.as,
    evidence: asked.evidence,
    serial_number: asked.serialNumber,
    pin: asked.pin,
  }
  if (needsSecondPerson(context, payment)) {
    await rehearse(context.database, (database) => resolve({ database, vault: context.vault }, command))
    const target = { kind: 'payment', id: String(payment.id) }
    const approval = await context.approvals.request(caller, {
      kind: 'payment_resolution',
      target,
      command,
      reason,
    })
    return { kind: 'requested', approval }
  }
  const report = await audited(context.log, { caller, action: 'payment.resolve', reason }, (_tx, database) =>
    resolve({ database, vault: context.vault }, command),
  )
  return { kind: 'resolved', report }
}

export function resolutionExecutor(vault: Vault): Executor {
  return async (_tx, database, { command }) => {
    const { before, after, target } = await resolve({ database, vault }, command)
    return { target, before, after, result: after }
  }
}

async function resolve(
  settings: { readonly database: Database; readonly vault: Vault },
  command: Readonly<Record<string, string | null>>,
): Promise<Done<AnyPaymentReport>> {
  const { as, evidence, serialNumber, pin } = readFields(RESOLUTION_RULES, {
    ...command,
    serialNumber: command.serial_number,
  })
  const id = command.payment_id
  assert(typeof id === 'string', 'a resolution names its payment')
  const { payment: before, resellerId } = await getForOperators(settings, id)
  const decision = { as, serialNumber, pin, reason: evidence }
  await resolveStuckPayment(settings, resellerId, { id: before.id }, decision)
  const report = await getForOperators(settings, id)
  return {
    target: { kind: 'payment', id },
    before: { state: stateOf(before.code), code: before.code },
    after: {
      state: stateOf(report.payment.code),
      code: report.payment.code,
      evidence,
      serial_number: serialNumber,
      pin,
    },
    result: report,
  }
}
