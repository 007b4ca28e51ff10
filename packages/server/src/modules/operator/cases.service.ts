import { invalidFields } from '../../lib/errors.ts'
import { readFields } from '../../lib/fields.ts'
import { optional } from '../../lib/parameters.ts'
import { findReseller } from '../accounts/service.ts'
import { audited, readReason } from '../audit/service.ts'
import type { CaseDesk, OperatorCase, OperatorReport } from '../cases/operators.service.ts'
import {
  approveCase,
  getAnyCase,
  listAnyCases,
  refuseCase,
  resolveDispute,
  takeCase,
  writeMessage,
} from '../cases/operators.service.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import { caseStateView } from './cases.view.ts'
import type { Page } from './desk.rules.ts'
import { isPlain, PAGE_RULES, pageOf, plainText, unknown } from './desk.rules.ts'
import type { MoneyDesk } from './money.types.ts'

const LIST_RULES = { ...PAGE_RULES, account: optional(plainText(40), null) }

export type CaseListQuery = {
  readonly account?: string | undefined
  readonly state?: string | undefined
  readonly kind?: string | undefined
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

export async function listCasesForDesk(desk: MoneyDesk, query: CaseListQuery): Promise<Page<OperatorCase>> {
  const { account, limit, cursor } = readFields(LIST_RULES, query)
  const reseller = account === null ? undefined : await findReseller(desk.database, account)
  if (account !== null && reseller === undefined) {
    throw invalidFields({ account: ['There is no such reseller.'] })
  }
  const found = await listAnyCases(desk, {
    resellerId: reseller?.id ?? null,
    state: query.state,
    kind: query.kind,
    before: cursor ?? undefined,
    limit: limit + 1,
  })
  return pageOf(found, limit, ({ number }) => number)
}

export async function getCaseForDesk(desk: CaseDesk, number: string): Promise<OperatorReport> {
  if (!isPlain(number)) throw unknown('case')
  return getAnyCase(desk, number)
}

/** What is said with it, to the reseller; of an approval, how it is known. */
export type CaseStepInput = { readonly text: string; readonly reason: unknown }

const STEPS = {
  take: (desk: CaseDesk, number: string) => takeCase(desk, number),
  message: writeMessage,
  refuse: refuseCase,
  resolve: resolveDispute,
  approve: (desk: CaseDesk, number: string, evidence: string) => approveCase(desk, number, { evidence }),
} as const satisfies Record<string, (desk: CaseDesk, number: string, text: string) => Promise<OperatorReport>>

export type CaseStepName = keyof typeof STEPS

export async function stepCase(
  desk: MoneyDesk,
  caller: OperatorCaller,
  number: string,
  step: CaseStepName,
  { text, reason }: CaseStepInput,
): Promise<OperatorReport> {
  const read = readReason(reason)
  if (!isPlain(number)) throw unknown('case')
  return audited(desk.log, { caller, action: `case.${step}`, reason: read }, async (_tx, database) => {
    const own = { database, environment: desk.environment }
    const before = await getAnyCase(own, number)
    const after = await STEPS[step](own, number, text)
    const said = step === 'take' ? {} : { text }
    return {
      target: { kind: 'case', id: number },
      before: caseStateView(before),
      after: { ...caseStateView(after), ...said },
      result: after,
    }
  })
}
