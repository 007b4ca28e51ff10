import { assert, invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { resellerNotFound } from '../../accounts/service.ts'
import type { Executor } from '../../approvals/types.ts'
import { readReason } from '../../audit/service.ts'
import { approved } from '../../cases/acts.ts'
import type { OperatorCase, OperatorReport } from '../../cases/operators.service.ts'
import { getAnyCase, listAnyCases } from '../../cases/operators.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Page } from '../kit/pages.rules.ts'
import { PAGE_RULES, pageOf, plainText } from '../kit/pages.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import type { Decided } from './alone.service.ts'
import { decideAlone } from './alone.service.ts'
import { getForOperators } from './payments.service.ts'

export const LIST_RULES = { ...PAGE_RULES, account: optional(plainText(40), null) }

export type CaseListQuery = {
  readonly account?: string | undefined
  readonly state?: string | undefined
  readonly kind?: string | undefined
  readonly order?: string | undefined
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

export async function listCasesForOperators(
  context: MoneyContext,
  query: CaseListQuery,
): Promise<Page<OperatorCase>> {
  const { account, limit, cursor } = readFields(LIST_RULES, query)
  const reseller = account === null ? undefined : await findReseller(context.database, account)
  if (account !== null && reseller === undefined) {
    throw invalidFields({ account: [(await resellerNotFound(context.database, account)).publicText] })
  }
  const found = await listAnyCases(context, {
    resellerId: reseller?.id ?? null,
    state: query.state,
    kind: query.kind,
    order: query.order,
    before: cursor ?? undefined,
    limit: limit + 1,
  })
  return pageOf(found, limit, ({ number }) => number)
}

// ── Voids ──

/**
 * Refunds a payment whose void the biller approved. A refund beyond the limits for one operator waits until a second one
 * approves it.
 */
export async function approveVoidForOperators(
  context: MoneyContext,
  caller: OperatorCaller,
  number: string,
  input: { readonly text: string; readonly reason: unknown },
): Promise<Decided<OperatorReport>> {
  const reason = readReason(input.reason)
  const { case: found } = await getAnyCase(context, number)
  const about = await getForOperators(context, String(found.paymentId))
  return decideAlone(context, caller, {
    about,
    action: 'case.approve',
    reason,
    work: (database) => approved(database, number, input.text),
    request: {
      kind: 'void',
      target: { kind: 'case', id: number },
      command: { case: number, payment_id: String(about.payment.id), evidence: input.text },
      reason,
    },
  })
}

export const voidExecutor: Executor = async (_tx, database, { command }) => {
  const { case: number, evidence } = command
  assert(typeof number === 'string' && typeof evidence === 'string', 'a void names its case and its evidence')
  const { target, before, after } = await approved(database, number, evidence)
  return { target, before, after, result: after }
}
