import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Hold } from '../../approvals/types.ts'
import { isGrantKind } from '../../grants/rules.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { scopeOf } from '../kit/approvals.rules.ts'
import {
  ApprovalListParameters,
  ApprovalListResponse,
  ApprovalParameters,
  ApprovalResponse,
  DecisionBody,
} from '../kit/approvals.schemas.ts'
import { approvalLineView, approvalView } from '../kit/approvals.view.ts'
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
        return { status: 200, body: { data: approvalView(approval) } }
      },
    }),
    decisionOperation(authenticate, context, 'approve'),
    decisionOperation(authenticate, context, 'refuse'),
    decisionOperation(authenticate, context, 'withdraw'),
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
} as const satisfies Record<string, { permission: Permission } & Record<string, string>>

/** Asks for a fresh proof in the commit that gives somebody access. */
function holdFor(caller: OperatorCaller, decision: keyof typeof DECISIONS): Hold {
  return async (tx, { kind }) => {
    if (decision === 'approve' && isGrantKind(kind)) await holdProof(tx, caller)
  }
}

function decisionOperation(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
  decision: keyof typeof DECISIONS,
): Operation {
  const { permission, ...docs } = DECISIONS[decision]
  return operation({
    method: 'POST',
    path: `${PATH}/:id/${decision}`,
    docs: { ...docs, tag: TAG },
    schemas: {
      params: ApprovalParameters,
      body: DecisionBody,
      responses: { 200: ApprovalResponse },
    },
    also: [409],
    authenticate: authenticate(...rolesFor(permission)),
    async handle({ caller, params, body }) {
      const id = readApprovalId(params.id)
      const approval = await context.approvals[decision](caller, id, body.reason, holdFor(caller, decision))
      context.onCommitted()
      return { status: 200, body: { data: approvalView(approval) } }
    },
  })
}
