import { countUnfinished } from '../../../app/unfinished.ts'
import { RequestError } from '../../../lib/errors.ts'
import { listOperators } from '../../../modules/accounts/service.ts'
import type { Operator } from '../../../modules/accounts/types.ts'
import { DECISION_ACTS } from '../../../modules/approvals/acts.ts'
import type { Approval, ApprovalOperator, Approvals } from '../../../modules/approvals/types.ts'
import { createOperatorApprovals, listForOperators } from '../../../modules/operator/approvals/service.ts'
import { APPROVAL } from '../../../modules/operator/kit/approvals.codec.ts'
import { APPROVAL_KINDS } from '../../../modules/operator/kit/approvals.rules.ts'
import { PAGE_RULES, PAGE_USUAL } from '../../../modules/operator/kit/pages.rules.ts'
import { proveAtMachine, takesCode } from '../../../modules/sessions/session/machine.service.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openSessions, readId, readLimit } from '../../options.ts'
import { loginName } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'
import { openConnections } from '../suppliers/providers.ts'

const ID: Option = { value: 'NUMBER', help: 'the approval', required: true }

const DECISION = {
  options: {
    operator: { value: 'EMAIL', help: 'the operator who decides', required: true, names: 'operator' },
    reason: { value: 'TEXT', help: 'why, for the audit log', required: true },
  },
  world: async (_: Runtime, call: Call) => (await openApprovals(call)).world,
  caller: getOperator,
  show: showOne,
} as const

const RULES =
  'The rules are those of the back office: operators cannot decide about their own request, nor about one of an operator whom they ' +
  'let in or who has the same person behind them. The audit log names the operator and the user at the machine.\n' +
  "The operator's own password is asked for, and the code of their second factor where they have one. Without a terminal\n" +
  'they are read from standard input, a line each.'

export const approvalCommands: readonly Command[] = [
  {
    name: 'approval list',
    summary: 'list requests that need a second person, newest first',
    options: {
      state: { value: 'STATE', help: 'pending, approved, refused, withdrawn or expired' },
      kind: { value: 'KIND', help: APPROVAL_KINDS.join(', ') },
      cursor: { value: 'NUMBER', help: 'go on after this approval: the cursor of the page before' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 200 (default 50)' },
    },
    async run(call) {
      const limit = readLimit(call, PAGE_USUAL, PAGE_RULES.limit)
      const approvals = await openApprovals(call)
      const query = {
        state: call.find('state'),
        kind: call.find('kind'),
        cursor: call.find('cursor'),
        limit: String(limit),
      }
      const { items, cursor } = await listForOperators({ approvals }, query)
      return showList(items, cursor)
    },
  },
  {
    name: 'approval show',
    summary: 'show a request and its decision',
    options: { id: ID },
    run: async (call) => showOne(await (await openApprovals(call)).get(readId(call, 'id'))),
  },
  actCommand({
    name: 'approval approve',
    summary: 'approve a request, which carries it out at once',
    details: `${RULES}\nWhen the same operator repeats it, it shows the result, and does nothing twice.`,
    act: DECISION_ACTS.approve,
    ...DECISION,
  }),
  actCommand({
    name: 'approval reject',
    summary: 'reject a request; it is never carried out',
    details: RULES,
    act: DECISION_ACTS.refuse,
    ...DECISION,
  }),
]

async function openApprovals(call: Call): Promise<Approvals> {
  const { config } = await call.runtime()
  const sessions = await openSessions(call)
  const { priceChangeMaxPercent } = config
  const { kinds } = await openConnections(call)
  const supply = { kinds, countUnfinished }
  return createOperatorApprovals({ log: sessions.audit, priceChangeMaxPercent, sessions, supply })
}

/**
 * Returns the operator at the machine, who proves their identity with their password and the code of their second
 * factor.
 */
async function getOperator(call: Call): Promise<ApprovalOperator> {
  const operator = await findOperator(call)
  const options = await openSessions(call)
  const password = await call.readSecret(`Password of ${operator.email}: `)
  const code = (await takesCode(options, operator)) ? await call.readSecret('Code: ') : undefined
  return proveAtMachine(options, operator, loginName(), { password, code })
}

async function findOperator(call: Call): Promise<Operator> {
  const { database } = await call.runtime()
  const wanted = call.text('operator').trim().toLowerCase()
  const found = (await listOperators(database)).find(({ email }) => email.toLowerCase() === wanted)
  if (found !== undefined) return found
  throw new RequestError({ status: 404, code: 'not_found', publicText: `There is no operator ${wanted}.` })
}

function showList(approvals: readonly Approval[], cursor: string | null): Output {
  const views = approvals.map((each) => APPROVAL.encode(each))
  const rows = views.map(({ id, kind, state, target, requested_by, requested_at, expires_at }) => ({
    id,
    kind,
    state,
    target: `${target.kind} ${target.id}`,
    requested_by,
    requested_at,
    expires_at,
  }))
  const more = cursor === null ? '' : `\n\nThere are more: --cursor ${cursor}`
  return {
    json: { approvals: views, cursor },
    text: `${formatTable(rows, 'There is no such approval.')}${more}`,
  }
}

function showOne(approval: Approval): Output {
  const view = APPROVAL.encode(approval)
  const { target, command, decision, ...fields } = view
  const asked = command as Readonly<Record<string, unknown>>
  const decided = decision === null ? {} : { ...decision, outcome: JSON.stringify(decision.outcome) }
  const named = (prefix: string, from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(from).map(([name, value]) => [`${prefix}.${name}`, value]))
  return {
    json: view,
    text: formatFields({
      ...fields,
      target: `${target.kind} ${target.id}`,
      ...named('command', asked),
      ...named('decision', decided),
    }),
  }
}
