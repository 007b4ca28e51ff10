import { RequestError } from '../../../lib/errors.ts'
import { listOperators } from '../../../modules/accounts/service.ts'
import type { Approval, ApprovalOperator, Approvals } from '../../../modules/approvals/types.ts'
import { createAuditLog } from '../../../modules/audit/service.ts'
import { createOperatorApprovals, listForOperators } from '../../../modules/operator/approvals/service.ts'
import { approvalView } from '../../../modules/operator/console/approvals.view.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { readId } from '../../options.ts'
import { loginName } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const ID: Option = { value: 'NUMBER', help: 'the approval', required: true }

const DECISION_OPTIONS = {
  id: ID,
  operator: { value: 'EMAIL', help: 'the operator who decides', required: true },
  reason: { value: 'TEXT', help: 'why, for the audit log', required: true },
} as const satisfies Readonly<Record<string, Option>>

const RULES =
  'The rules are those of the back office: nobody decides about their own request, nor about one of somebody whom they ' +
  'let in or who has the same person behind them. The audit log names the operator and who was logged in at the machine.'

export const approvalCommands: readonly Command[] = [
  {
    name: 'approval list',
    summary: 'list what was asked for and needs a second person, newest first',
    options: {
      state: { value: 'STATE', help: 'pending, approved, refused, withdrawn or expired' },
      kind: { value: 'KIND', help: 'deposit, adjustment, payment_resolution or void' },
      cursor: { value: 'NUMBER', help: 'go on after this approval: the cursor of the page before' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 200 (default 50)' },
    },
    async run(call) {
      const approvals = await openApprovals(call)
      const query = {
        state: call.find('state'),
        kind: call.find('kind'),
        cursor: call.find('cursor'),
        limit: call.find('limit'),
      }
      const { items, cursor } = await listForOperators({ approvals }, query)
      return showList(items, cursor)
    },
  },
  {
    name: 'approval show',
    summary: 'show what was asked for, and what was decided',
    options: { id: ID },
    run: async (call) => showOne(await (await openApprovals(call)).get(readId(call, 'id'))),
  },
  {
    name: 'approval approve',
    summary: 'approve it, which carries it out at once',
    details: `${RULES}\nSent again by the same operator it shows what came of it, and does nothing twice.`,
    options: DECISION_OPTIONS,
    run: (call) => decide(call, 'approve'),
  },
  {
    name: 'approval reject',
    summary: 'reject it; it is never carried out',
    details: RULES,
    options: DECISION_OPTIONS,
    run: (call) => decide(call, 'refuse'),
  },
]

async function openApprovals(call: Call): Promise<Approvals> {
  const { database, vault, config } = await call.runtime()
  const { priceChangeMaxPercent } = config
  return createOperatorApprovals({ log: createAuditLog({ database, vault }), priceChangeMaxPercent })
}

async function decide(call: Call, decision: 'approve' | 'refuse'): Promise<Output> {
  const id = readId(call, 'id')
  const approvals = await openApprovals(call)
  const caller = await getOperator(call)
  return showOne(await approvals[decision](caller, id, call.text('reason')))
}

/** A person at the machine is no script with a token: they decide like somebody who is signed in. */
async function getOperator(call: Call): Promise<ApprovalOperator> {
  const { database } = await call.runtime()
  const wanted = call.text('operator').trim().toLowerCase()
  const found = (await listOperators(database)).find(({ email }) => email.toLowerCase() === wanted)
  if (found === undefined) {
    throw new RequestError({ status: 404, code: 'not_found', publicText: `There is no operator ${wanted}.` })
  }
  return {
    kind: 'operator',
    operatorId: found.id,
    email: found.email,
    via: 'session',
    credentialId: `command:${loginName()}`,
    address: '',
  }
}

function showList(approvals: readonly Approval[], cursor: string | null): Output {
  const views = approvals.map(approvalView)
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
  const view = approvalView(approval)
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
