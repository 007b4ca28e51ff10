import type { Database, Tx } from '../../db/database.ts'
import type { InputCodec } from '../../http/codec.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import type { Done } from '../audit/types.ts'
import { CASE_KEY, messageInput } from './operators.codec.ts'
import type { CaseContext, OperatorReport } from './operators.service.ts'
import {
  approveCase,
  getAnyCase,
  refuseCase,
  resolveDispute,
  takeCase,
  writeMessage,
} from './operators.service.ts'
import { lockCase } from './sql.ts'

type Key = { readonly number: string }
type Step<Input> = (context: CaseContext, input: Input) => Promise<OperatorReport>

/** Lock that every change of a case takes. */
export function lockOfCase(tx: Tx, { number }: Key): Promise<void> {
  return lockCase(tx, number)
}

/** Declares a step of a case that one operator takes. */
function stepAct<Input extends Key>(name: string, input: InputCodec<Input>, step: Step<Input>) {
  return act({
    name: `case.${name}`,
    input,
    lock: lockOfCase,
    run: (_tx, given, { database }: By<unknown>) => stepped(database, given, step),
  })
}

/** Steps of a case beside its approval, which moves money. */
export const CASE_ACTS = {
  take: stepAct('take', CASE_KEY, (context, { number }) => takeCase(context, number)),
  message: stepAct('message', messageInput('text'), (context, { number, message }) =>
    writeMessage(context, number, message),
  ),
  refuse: stepAct('refuse', messageInput('reason'), (context, { number, message }) =>
    refuseCase(context, number, message),
  ),
  resolve: stepAct('resolve', messageInput('message'), (context, { number, message }) =>
    resolveDispute(context, number, message),
  ),
}

/** Refunds a void that the biller approved, in the caller's transaction. */
export function approved(
  database: Database,
  number: string,
  evidence: string,
): Promise<Done<OperatorReport>> {
  return stepped(database, { number, message: evidence }, (context, given) =>
    approveCase(context, given.number, { evidence }),
  )
}

async function stepped<Input extends Key & { readonly message?: string }>(
  database: Database,
  input: Input,
  step: Step<Input>,
): Promise<Done<OperatorReport>> {
  const { number, message } = input
  const before = await getAnyCase({ database }, number)
  const after = await step({ database }, input)
  return {
    target: { kind: 'case', id: number },
    before: caseState(before),
    after: { ...caseState(after), ...(message !== undefined && { text: message }) },
    result: after,
  }
}

/** Shows the parts of a case that a step can change. */
export function caseState({ case: each, messages }: OperatorReport) {
  return { kind: each.kind, state: each.state, payment_id: String(each.paymentId), messages: messages.length }
}
