import { getReseller } from '../../../modules/accounts/service.ts'
import { CASE_ACTS } from '../../../modules/cases/acts.ts'
import type { CaseContext, OperatorCase, OperatorReport } from '../../../modules/cases/operators.service.ts'
import { getAnyCase, listAnyCases } from '../../../modules/cases/operators.service.ts'
import { caseReportView, caseView } from '../../../modules/cases/view.ts'
import { approveVoid } from '../../../modules/operator/payments/acts.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { EXIT_CODES, REFERENCE_OPTION } from '../../money.ts'
import { readLimit } from '../../options.ts'
import { USUAL_REASON } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const NUMBER: Option = { value: 'NUMBER', help: 'the case, such as C-2026-000123', required: true }
const STEP = { world: () => undefined, reason: () => USUAL_REASON, show: showReport } as const

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
  actCommand({
    name: 'case take',
    summary: 'take an open case; its reseller gets a message',
    act: CASE_ACTS.take,
    ...STEP,
  }),
  actCommand({
    name: 'case message',
    summary: 'send a message about a case to the reseller',
    act: CASE_ACTS.message,
    ...STEP,
  }),
  actCommand({
    name: 'case approve',
    summary: 'the biller approved a void: refund it and resolve the case',
    details:
      'The refund, the state 53 of the payment and the end of the case are one commit, and happen once however ' +
      `often it is called. It cannot be taken back.\n${EXIT_CODES}`,
    act: approveVoid,
    options: { reference: REFERENCE_OPTION },
    ...STEP,
    world: ({ vault }) => ({ vault }),
    once: ({ number }, { database }) => ({
      target: { kind: 'case', id: String(number) },
      show: () => getAnyCase({ database }, String(number)),
    }),
  }),
  actCommand({
    name: 'case refuse',
    summary: 'refuse a case, with the reason',
    details: 'Refuse a void only when the biller has refused it: a later approval refunds nothing.',
    act: CASE_ACTS.refuse,
    ...STEP,
  }),
  actCommand({
    name: 'case resolve',
    summary: 'resolve a dispute, with an answer to the reseller',
    act: CASE_ACTS.resolve,
    ...STEP,
  }),
]

async function openContext(call: Call): Promise<CaseContext> {
  const { database } = await call.runtime()
  return { database }
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
