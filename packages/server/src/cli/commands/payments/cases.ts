import { getReseller } from '../../../modules/accounts/service.ts'
import type { CaseContext, OperatorCase, OperatorReport } from '../../../modules/cases/operators.service.ts'
import { getAnyCase, listAnyCases } from '../../../modules/cases/operators.service.ts'
import { caseReportView, caseView } from '../../../modules/cases/view.ts'
import type { CaseStepName } from '../../../modules/operator/support/cases.service.ts'
import { stepCase, stepped } from '../../../modules/operator/support/cases.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { chooseReference, EXIT_CODES, postedOutput, REFERENCE_OPTION, runMoneyStepOnce } from '../../money.ts'
import { readLimit } from '../../options.ts'
import { openAct } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const NUMBER: Option = { value: 'NUMBER', help: 'the case, such as C-2026-000123', required: true }
const message = (help: string): Option => ({ value: 'TEXT', help, required: true })

export const caseCommands: readonly Command[] = [
  {
    name: 'case list',
    summary: 'list disputes and voids, newest first',
    options: {
      reseller: { value: 'ACCOUNT', help: 'of this reseller alone', names: 'reseller' },
      state: { value: 'STATE', help: 'open, in_progress, resolved or refused' },
      kind: { value: 'KIND', help: 'dispute or void' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' },
    },
    async run(call) {
      const limit = readLimit(call, 100)
      const context = await openContext(call)
      const account = call.find('reseller')
      const cases = await listAnyCases(context, {
        resellerId: account === undefined ? null : (await getReseller(context.database, account)).id,
        state: call.find('state'),
        kind: call.find('kind'),
        limit,
      })
      return showList(cases)
    },
  },
  {
    name: 'case show',
    summary: 'show a case with its messages',
    options: { number: NUMBER },
    run: async (call) => showReport(await getAnyCase(await openContext(call), call.text('number'))),
  },
  {
    name: 'case take',
    summary: 'take an open case; its reseller gets a message',
    options: { number: NUMBER },
    run: (call) => step(call, 'take', ''),
  },
  {
    name: 'case message',
    summary: 'send a message about a case to the reseller',
    options: { number: NUMBER, text: message('what the reseller reads') },
    run: (call) => step(call, 'message', call.text('text')),
  },
  {
    name: 'case approve',
    summary: 'the biller approved a void: refund it and resolve the case',
    details:
      'The refund, the state 53 of the payment and the end of the case are one commit, and happen once however ' +
      `often it is called. It cannot be taken back.\n${EXIT_CODES}`,
    options: {
      number: NUMBER,
      evidence: message("your proof; for the payment's timeline, not shown to the reseller"),
      reference: REFERENCE_OPTION,
    },
    run: approve,
  },
  {
    name: 'case refuse',
    summary: 'refuse a case, with the reason',
    details: 'Refuse a void only when the biller has refused it: a later approval refunds nothing.',
    options: { number: NUMBER, reason: message('what the reseller reads') },
    run: (call) => step(call, 'refuse', call.text('reason')),
  },
  {
    name: 'case resolve',
    summary: 'resolve a dispute, with an answer to the reseller',
    options: { number: NUMBER, message: message('what the reseller reads') },
    run: (call) => step(call, 'resolve', call.text('message')),
  },
]

async function openContext(call: Call): Promise<CaseContext> {
  const { database } = await call.runtime()
  return { database }
}

/** Approves a case: the money is refunded. */
async function approve(call: Call): Promise<Output> {
  const [number, evidence] = [call.text('number'), call.text('evidence')]
  const context = await openContext(call)
  const reference = chooseReference(call)
  const { result, isRepeat } = await runMoneyStepOnce(call, {
    action: 'case.approve',
    reference,
    target: { kind: 'case', id: number },
    show: () => getAnyCase(context, number),
    work: (_tx, database) => stepped(database, number, 'approve', evidence),
  })
  return postedOutput(showReport(result), reference, isRepeat)
}

async function step(call: Call, name: CaseStepName, text: string): Promise<Output> {
  const { caller, reason, ...context } = await openAct(call)
  return showReport(await stepCase(context, caller, call.text('number'), name, { text, reason }))
}

function showList(cases: readonly OperatorCase[]): Output {
  const views = cases.map((each) => ({ reseller: each.account, ...caseView(each) }))
  return { json: { cases: views }, text: formatTable(views, 'There are no such cases.') }
}

function showReport({ account, ...report }: OperatorReport): Output {
  const { messages, ...fields } = caseReportView(report)
  return {
    json: { reseller: account, ...fields, messages },
    text: `${formatFields({ reseller: account, ...fields })}\n\n${formatTable(messages, '')}`,
  }
}
