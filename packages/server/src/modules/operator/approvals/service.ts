import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { createApprovals } from '../../approvals/service.ts'
import type { Approval, Approvals } from '../../approvals/types.ts'
import { APPROVAL_STATES } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import { priceExecutors } from '../catalog/price-approvals.service.ts'
import type { Page } from '../console/pages.rules.ts'
import { PAGE_RULES, pageOf, plainText, readId, unknown } from '../console/pages.rules.ts'
import type { Permission } from '../console/roles.rules.ts'
import { mayDo } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { postingExecutors } from '../money/money.service.ts'
import { voidExecutor } from '../support/cases.service.ts'
import { resolutionExecutor } from '../support/payments.service.ts'

/** Who may ask for what is no posting. */
const REQUESTED_BY: Readonly<Record<string, Permission>> = {
  payment_resolution: 'payments.resolve',
  void: 'cases.write',
  price_change: 'levels.write',
  catalogue_change: 'catalogue.write',
  route_change: 'providers.write',
}

/** Every kind of request that the back office knows, with its executor: the same for the API and the command line. */
export function createOperatorApprovals(settings: {
  readonly log: AuditLog
  readonly priceChangeMaxPercent: number
}): Approvals {
  const { log, priceChangeMaxPercent } = settings
  return createApprovals({
    log,
    executors: {
      ...postingExecutors,
      ...priceExecutors(priceChangeMaxPercent),
      payment_resolution: resolutionExecutor(log.vault),
      void: voidExecutor,
    },
    mayDecide: (role) => mayDo(role, 'approvals.decide'),
    mayRequest: (role, kind) => mayDo(role, REQUESTED_BY[kind] ?? 'money.write'),
  })
}

const LIST_RULES = {
  ...PAGE_RULES,
  state: optional(oneOf(APPROVAL_STATES), null),
  kind: optional(plainText(40), null),
}

export async function listForOperators(
  { approvals }: Pick<MoneyContext, 'approvals'>,
  query: { readonly [name in keyof typeof LIST_RULES]?: string | undefined },
): Promise<Page<Approval>> {
  const { limit, cursor, state, kind } = readFields(LIST_RULES, query)
  const beforeId = cursor === null ? null : (readId(cursor) ?? 0n)
  const found = await approvals.list({ state, kind, beforeId, limit: limit + 1 })
  return pageOf(found, limit, ({ id }) => String(id))
}

export function readApprovalId(id: string): bigint {
  const read = readId(id)
  if (read === undefined) throw unknown('approval')
  return read
}
