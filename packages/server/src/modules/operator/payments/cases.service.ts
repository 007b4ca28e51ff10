import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { resellerNotFound } from '../../accounts/service.ts'
import type { OperatorCase } from '../../cases/operators.service.ts'
import { listAnyCases } from '../../cases/operators.service.ts'
import type { Page } from '../kit/pages.rules.ts'
import { PAGE_RULES, pageOf, plainText } from '../kit/pages.rules.ts'
import type { MoneyContext } from '../kit/types.ts'

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
