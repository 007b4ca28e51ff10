import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { dayOf } from '../../../lib/dates.ts'
import { parseId } from '../../../lib/input/ids.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import { listPaymentCallbacks } from '../../events/log/subject-log.service.ts'
import { getAttemptHistory } from '../../payments/read/attempt-history.service.ts'
import type { AttemptHistory } from '../../payments/read/attempt-history.types.ts'
import type { AnyPaymentReport, FoundPayment } from '../../payments/read/search.service.ts'
import { findAnyPayment, findPayments } from '../../payments/read/search.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Page } from '../kit/pages.rules.ts'
import { pageOf, unknown } from '../kit/pages.rules.ts'
import type { AloneLimits, MoneyContext } from '../kit/types.ts'
import { needsSecondPerson } from './alone.service.ts'
import type { SearchParameters } from './payments.rules.ts'
import { readPaymentSearch } from './payments.rules.ts'

/** Limit of a search through the payments of all resellers: it holds a connection that new payments need. */
const SEARCH_TIMEOUT_MS = 8_000

export async function searchForOperators(
  { database, nowMs, numbers }: Pick<MoneyContext, 'database' | 'nowMs' | 'numbers'>,
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
