import type { Database } from '../../../db/database.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { resellerNotFound } from '../../accounts/service.ts'
import type { Executor } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { AuditCaller, Done } from '../../audit/types.ts'
import type { CaseContext, OperatorCase, OperatorReport } from '../../cases/operators.service.ts'
import {
  approveCase,
  getAnyCase,
  listAnyCases,
  refuseCase,
  resolveDispute,
  takeCase,
  writeMessage,
} from '../../cases/operators.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Page } from '../console/pages.rules.ts'
import { isPlain, PAGE_RULES, pageOf, plainText, unknown } from '../console/pages.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import type { Decided } from './alone.service.ts'
import { decideAlone } from './alone.service.ts'
import { caseStateView } from './cases.view.ts'
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

export async function getCaseForOperators(context: CaseContext, number: string): Promise<OperatorReport> {
  if (!isPlain(number)) throw unknown('case')
  return getAnyCase(context, number)
}

/** Input of a step. The text goes to the reseller; the text of an approval is the evidence for it. */
export type CaseStepInput = { readonly text: string; readonly reason: unknown }

const STEPS = {
  take: (context: CaseContext, number: string) => takeCase(context, number),
  message: writeMessage,
  refuse: refuseCase,
  resolve: resolveDispute,
  approve: (context: CaseContext, number: string, evidence: string) =>
    approveCase(context, number, { evidence }),
} as const satisfies Record<
  string,
  (context: CaseContext, number: string, text: string) => Promise<OperatorReport>
>

export type CaseStepName = keyof typeof STEPS

/** Takes a step of a case, for every face. */
export async function stepCase(
  context: Pick<MoneyContext, 'log'>,
  caller: AuditCaller,
  number: string,
  step: CaseStepName,
  { text, reason }: CaseStepInput,
): Promise<OperatorReport> {
  const read = readReason(reason)
  if (!isPlain(number)) throw unknown('case')
  return audited(context.log, { caller, action: `case.${step}`, reason: read }, (_tx, database) =>
    stepped(database, number, step, text),
  )
}

/** Takes the step within the caller's transaction. */
export async function stepped(
  database: Database,
  number: string,
  step: CaseStepName,
  text: string,
): Promise<Done<OperatorReport>> {
  const before = await getAnyCase({ database }, number)
  const after = await STEPS[step]({ database }, number, text)
  const said = step === 'take' ? {} : { text }
  return {
    target: { kind: 'case', id: number },
    before: caseStateView(before),
    after: { ...caseStateView(after), ...said },
    result: after,
  }
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
  input: CaseStepInput,
): Promise<Decided<OperatorReport>> {
  const reason = readReason(input.reason)
  const { case: found } = await getCaseForOperators(context, number)
  const about = await getForOperators(context, String(found.paymentId))
  return decideAlone(context, caller, {
    about,
    action: 'case.approve',
    reason,
    work: (database) => stepped(database, number, 'approve', input.text),
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
  const { target, before, after } = await stepped(database, number, 'approve', evidence)
  return { target, before, after, result: after }
}
