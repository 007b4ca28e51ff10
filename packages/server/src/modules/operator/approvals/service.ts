import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { RESELLER } from '../../accounts/resellers.codec.ts'
import type { Operator } from '../../accounts/types.ts'
import { USER } from '../../accounts/users.codec.ts'
import { executorOf } from '../../acts/service.ts'
import { createApprovals } from '../../approvals/service.ts'
import type { Approval, ApprovalScope, Approvals, Executor } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import { caseState } from '../../cases/acts.ts'
import { namedSummaryView } from '../../catalog/summary.view.ts'
import { creditDeposit, creditRow } from '../../deposits/acts.ts'
import { addOperator, editOperator } from '../../grants/operators.acts.ts'
import { editReseller } from '../../grants/resellers.acts.ts'
import { addUser, editUser } from '../../grants/users.acts.ts'
import { importCatalogue, setPrice } from '../../margins/prices.acts.ts'
import { dropRoute, switchProvider, writeRoute } from '../../margins/routes.acts.ts'
import { acceptProposals } from '../../offers/acts.ts'
import { ACCEPTED_VIEW } from '../../offers/codec.ts'
import type { ChangeWorld } from '../../providers/acts.ts'
import { connectionRow, routeRow } from '../../providers/connections/operators.service.ts'
import { setProducts, upgradeProvider } from '../../providers/packs.acts.ts'
import { mapAnswer } from '../../providers/proofs/acts.ts'
import { UNKNOWN_ANSWER } from '../../providers/proofs/codec.ts'
import { setRate } from '../../rates/acts.ts'
import { RATE_VIEW } from '../../rates/codec.ts'
import type { SessionsOptions } from '../../sessions/people/settings.types.ts'
import { entryRow, postAdjustment, postDeposit } from '../../wallet/acts.ts'
import type { ApprovalKind } from '../kit/approvals.rules.ts'
import { LIST_RULES, mayDecide, mayRequest } from '../kit/approvals.rules.ts'
import type { Page } from '../kit/pages.rules.ts'
import { pageOf, unknown } from '../kit/pages.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import { approveVoid, resolutionOutcome, resolvePayment } from '../payments/acts.ts'

const NO_SUPPLY: Pick<ChangeWorld, 'kinds' | 'countUnfinished'> = {
  kinds: new Map(),
  countUnfinished: async () => 0,
}

/**
 * Kinds of request that the back office knows, each with its executor. The API and the command line use the same ones.
 */
export function createOperatorApprovals(settings: {
  readonly log: AuditLog
  readonly priceChangeMaxPercent: number
  readonly sessions: SessionsOptions
  /** Left out: no connection to a supplier is changed. */
  readonly supply?: Pick<ChangeWorld, 'kinds' | 'countUnfinished'>
}): Approvals {
  const { log, priceChangeMaxPercent, sessions, supply = NO_SUPPLY } = settings
  const connectors = { vault: log.vault, ...supply }
  const world = { log, maxPercent: priceChangeMaxPercent }
  return createApprovals({
    log,
    executors: {
      deposit: executorOf(postDeposit, world, entryRow),
      adjustment: executorOf(postAdjustment, world, entryRow),
      deposit_request: executorOf(creditDeposit, world, creditRow),
      rate_change: executorOf(setRate, undefined, (rate) => RATE_VIEW.encode(rate)),
      price_change: executorOf(setPrice, world, ({ summary, comparison, ...rest }) => ({
        ...rest,
        ...namedSummaryView(summary),
        comparison,
      })),
      catalogue_change: executorOf(importCatalogue, world, ({ imported: { summary, differences } }) => ({
        summary: namedSummaryView(summary),
        differences_total: differences.length,
      })),
      offers_accept: executorOf(acceptProposals, world, (done) => ACCEPTED_VIEW.encode(done)),
      route_change: executorOf(writeRoute, world, ({ route }) => routeRow(route)),
      route_removal: executorOf(dropRoute, world, ({ route }) => routeRow(route)),
      provider_switch: executorOf(switchProvider, world, ({ connection }) => connectionRow(connection)),
      provider_upgrade: executorOf(upgradeProvider, connectors, ({ connection }) =>
        connectionRow(connection),
      ),
      provider_products: executorOf(setProducts, connectors, connectionRow),
      answer_meaning: executorOf(mapAnswer, connectors, (answer) => UNKNOWN_ANSWER.encode(answer)),
      payment_resolution: executorOf(resolvePayment, log, resolutionOutcome),
      void: executorOf(approveVoid, log, caseState),
      reseller_email: executorOf(editReseller, { sessions }, (reseller) => RESELLER.encode(reseller)),
      user_create: executorOf(addUser, { sessions }, ({ user }) => USER.encode(user)),
      user_change: executorOf(editUser, { sessions }, (user) => USER.encode(user)),
      operator_create: executorOf(addOperator, { sessions }, ({ operator }) => outcomeOf(operator)),
      operator_change: executorOf(editOperator, { sessions }, outcomeOf),
    } satisfies Readonly<Record<ApprovalKind, Executor>>,
    mayDecide,
    mayRequest,
  })
}

function outcomeOf({ id, email, name, role, status }: Operator) {
  return { id: String(id), email, name, role, status }
}

export async function listForOperators(
  { approvals }: Pick<MoneyContext, 'approvals'>,
  query: { readonly [name in keyof typeof LIST_RULES]?: string | undefined },
  /** null: every request, for a person who works at the machine. */
  scope: ApprovalScope | null = null,
): Promise<Page<Approval>> {
  const { limit, cursor, state, kind } = readFields(LIST_RULES, query)
  const beforeId = cursor === null ? null : (parseId(cursor) ?? 0n)
  const found = await approvals.list({ scope, state, kind, beforeId, limit: limit + 1 })
  return pageOf(found, limit, ({ id }) => String(id))
}

export function readApprovalId(id: string): bigint {
  const read = parseId(id)
  if (read === undefined) throw unknown('approval')
  return read
}
