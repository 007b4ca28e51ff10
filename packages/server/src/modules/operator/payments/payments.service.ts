import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { dayOf } from '../../../lib/dates.ts'
import { assert } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import type { Executor } from '../../approvals/types.ts'
import { readReason } from '../../audit/service.ts'
import type { Done } from '../../audit/types.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import { listPaymentCallbacks } from '../../events/log/subject-log.service.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import { getAttemptHistory } from '../../payments/read/attempt-history.service.ts'
import type { AttemptHistory } from '../../payments/read/attempt-history.types.ts'
import type { AnyPaymentReport, FoundPayment } from '../../payments/read/search.service.ts'
import { findAnyPayment, findPayments } from '../../payments/read/search.service.ts'
import { resolveStuckPayment } from '../../payments/support/support.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Page } from '../kit/pages.rules.ts'
import { pageOf, unknown } from '../kit/pages.rules.ts'
import type { AloneLimits, MoneyContext } from '../kit/types.ts'
import type { Decided } from './alone.service.ts'
import { decideAlone, needsSecondPerson } from './alone.service.ts'
import type { SearchParameters } from './payments.rules.ts'
import { RESOLUTION_RULES, readPaymentSearch } from './payments.rules.ts'

type PaymentContext = Pick<
  MoneyContext,
  'database' | 'vault' | 'log' | 'approvals' | 'aloneLimits' | 'nowMs' | 'numbers'
>

/** Limit of a search through the payments of all resellers: it holds a connection that new payments need. */
const SEARCH_TIMEOUT_MS = 8_000

export async function searchForOperators(
  { database, nowMs, numbers }: Pick<PaymentContext, 'database' | 'nowMs' | 'numbers'>,
  query: SearchParameters,
): Promise<Page<FoundPayment>> {
  const search = readPaymentSearch(query, dayOf(nowMs()))
  const found = await readWithin(database, SEARCH_TIMEOUT_MS, (tx) =>
    findPayments(tx, { ...search, limit: search.limit + 1 }, numbers.current),
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
  /** Rule by which the operator who reads this may end the payment, should it get stuck. */
  readonly resolution: { readonly needsSecondPerson: boolean; readonly limits: AloneLimits }
  readonly history: AttemptHistory
  readonly callbacks: readonly LoggedDelivery[]
  readonly cases: Awaited<ReturnType<MoneyContext['cases']['listOfPayment']>>
}

/** Reads a payment with its attempts, the deliveries to its reseller and the reseller's cases. */
export async function getPageForOperators(
  context: Pick<MoneyContext, 'database' | 'vault' | 'cases' | 'deliveryLog' | 'aloneLimits'>,
  caller: Pick<OperatorCaller, 'operatorId'>,
  id: string,
): Promise<PaymentPage> {
  const report = await getForOperators(context, id)
  const { resellerId, payment, timeline } = report
  const log = { database: context.database, log: context.deliveryLog }
  const states = timeline.filter(({ kind }) => kind === 'state')
  return {
    ...report,
    resolution: {
      needsSecondPerson: await needsSecondPerson(context, context.database, caller, report),
      limits: context.aloneLimits,
    },
    history: await getAttemptHistory(context.database, payment),
    callbacks: await listPaymentCallbacks(log, resellerId, payment.id, states),
    cases: await context.cases.listOfPayment(resellerId, payment.id),
  }
}

// ── Stuck payments ──

export type ResolutionInput = {
  readonly as: 'succeeded' | 'failed'
  readonly evidence: string
  readonly serialNumber: string
  readonly pin: string
}

/**
 * Ends a payment past its due time with the result that an operator found out. Beyond the limits for one operator it waits
 * until a second one approves it.
 */
export async function resolveForOperators(
  context: PaymentContext,
  caller: OperatorCaller,
  id: string,
  input: ResolutionInput,
  givenReason: unknown,
): Promise<Decided<AnyPaymentReport>> {
  const reason = readReason(givenReason)
  const asked = readFields(RESOLUTION_RULES, input)
  const about = await getForOperators(context, id)
  const paymentId = String(about.payment.id)
  const command = {
    payment_id: paymentId,
    as: asked.as,
    evidence: asked.evidence,
    serial_number: asked.serialNumber,
    pin: asked.pin,
  }
  return decideAlone(context, caller, {
    about,
    action: 'payment.resolve',
    reason,
    work: (database) => resolve({ database, vault: context.vault }, command),
    request: {
      kind: 'payment_resolution',
      target: { kind: 'payment', id: paymentId },
      command,
      reason,
    },
  })
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
