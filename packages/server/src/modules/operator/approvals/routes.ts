import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { DECISION_ACTS } from '../../approvals/acts.ts'
import type { DecisionWorld, Hold } from '../../approvals/types.ts'
import { isGrantKind } from '../../grants/rules.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import {
  APPROVAL,
  ApprovalListParameters,
  ApprovalListResponse,
  ApprovalParameters,
  ApprovalResponse,
  approvalLineView,
} from '../kit/approvals.codec.ts'
import { scopeOf } from '../kit/approvals.rules.ts'
import { pageView } from '../kit/pages.rules.ts'
import type { Permission } from '../kit/roles.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import { listForOperators, readApprovalId } from './service.ts'

const TAG = 'Approvals'
const PATH = '/operator/v1/approvals'

export function operatorApprovalOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  const { log, approvals, onCommitted } = context
  const world = { ...approvals.world, hold: holdOperator }
  const stage = { authenticate, log, approvals, world, onCommitted }
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listApprovals',
        summary: 'List requests that need a second person, newest first',
        description:
          'Operators of finance, admins and `read_only` see every request; `support` and `catalogue` see the kinds that ' +
          'they may ask for, and their own.',
        tag: TAG,
      },
      schemas: {
        query: ApprovalListParameters,
        responses: { 200: ApprovalListResponse },
      },
      authenticate: authenticate(...rolesFor('approvals.read')),
      async handle({ caller, query }) {
        const page = await listForOperators(context, query, scopeOf(caller))
        return { status: 200, body: pageView(page, approvalLineView) }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: { operationId: 'getApproval', summary: 'One of them', tag: TAG },
      schemas: {
        params: ApprovalParameters,
        responses: { 200: ApprovalResponse },
      },
      authenticate: authenticate(...rolesFor('approvals.read')),
      async handle({ caller, params }) {
        const approval = await context.approvals.get(readApprovalId(params.id), scopeOf(caller))
        return { status: 200, body: { data: APPROVAL.encode(approval) } }
      },
    }),
    decisionOperation(stage, 'approve'),
    decisionOperation(stage, 'refuse'),
    decisionOperation(stage, 'withdraw'),
  ]
}

const DECISIONS = {
  approve: {
    permission: 'approvals.decide',
    operationId: 'approveApproval',
    summary: 'Approve it, which carries it out at once',
    description:
      'By another operator than who asked, signed in: no token can; and one whom who asked has not let in, nor the ' +
      'other way round, nor the same admin both, unless somebody vouched for them. The change and the approval are one commit; ' +
      'sent again by the same operator it answers what came of it.',
  },
  refuse: {
    permission: 'approvals.decide',
    operationId: 'refuseApproval',
    summary: 'Refuse it; it is never carried out',
    description: 'By another operator than who asked, signed in.',
  },
  withdraw: {
    permission: 'approvals.withdraw',
    operationId: 'withdrawApproval',
    summary: 'Withdraw what you asked for yourself',
    description: 'While nobody has decided.',
  },
} as const satisfies Record<keyof typeof DECISION_ACTS, { permission: Permission } & Record<string, string>>

function decisionOperation(
  { onCommitted, ...stage }: OperatorStage<DecisionWorld> & Pick<MoneyContext, 'onCommitted'>,
  decision: keyof typeof DECISION_ACTS,
): Operation {
  const { permission, ...docs } = DECISIONS[decision]
  return operatorAct(stage, {
    act: DECISION_ACTS[decision],
    method: 'POST',
    path: `${PATH}/:id/${decision}`,
    docs: { ...docs, tag: TAG },
    permission,
    body: 'Reason request',
    answer: APPROVAL.schema,
    also: [409],
    view: (approval) => APPROVAL.encode(approval),
    onDone: onCommitted,
  })
}

/** Asks for a fresh proof in the commit that gives somebody access. */
const holdOperator: Hold = async (tx, { kind }, caller, verdict) => {
  if (verdict === 'approved' && isGrantKind(kind)) await holdProof(tx, caller)
}
