import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { ID } from '../../../lib/input/ids.ts'
import type { Hold } from '../../approvals/types.ts'
import { stopGrant } from '../../grants/stops.service.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import { holdSession } from '../../sessions/people/proof.service.ts'
import { refuseForeignOrigin } from '../../sessions/session/authentication.service.ts'
import { notFound } from '../access/access.service.ts'
import { REASON } from '../access/log.service.ts'
import type { PortalSettings } from '../access/types.ts'
import {
  ApprovalListResponse,
  ApprovalParams,
  ApprovalResponse,
  StopBody,
  StopResponse,
} from './approvals.schemas.ts'
import { portalApprovalView } from './approvals.view.ts'

const TAG = 'Members'
const PATH = '/portal/v1/approvals'
const SHOWN_MAX = 50

/** Operations on what operators ask for about an account: an admin of it is a second person. */
export function portalApprovalOperations(settings: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListApprovals',
        summary: 'Requests of operators for access, newest first',
        description: `An operator alone gives nobody access to an account that has people or money: an admin of the account decides, or another operator. The last ${SHOWN_MAX}.`,
        tag: TAG,
      },
      schemas: { responses: { 200: ApprovalListResponse } },
      authenticate: settings.authenticate('admin'),
      async handle({ caller }) {
        const approvals = await settings.approvals.listOfReseller(caller.reseller.id, SHOWN_MAX)
        return { status: 200, body: { data: approvals.map(portalApprovalView) } }
      },
    }),
    decisionOperation(settings, 'approve'),
    decisionOperation(settings, 'refuse'),
    stopOperation(settings),
  ]
}

const DECISIONS = {
  approve: {
    operationId: 'portalApproveApproval',
    summary: 'Approve a request for access, which carries it out at once',
    description:
      'By an admin. The change and the approval are one commit. Sent again by the same admin it answers what came of it.',
  },
  refuse: {
    operationId: 'portalRefuseApproval',
    summary: 'Refuse a request for access; it is never carried out',
    description: 'By an admin.',
  },
} as const

function decisionOperation(settings: PortalSettings, decision: keyof typeof DECISIONS): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/:id/${decision}`,
    docs: { ...DECISIONS[decision], tag: TAG },
    schemas: { params: ApprovalParams, responses: { 200: ApprovalResponse } },
    authenticate: settings.authenticate('admin'),
    async handle({ caller, params }) {
      const id = ID.read(params.id)
      if (id === undefined) throw notFound('approval')
      const hold: Hold = (tx) =>
        decision === 'approve' ? holdProof(tx, caller) : holdSession(settings.sessions, tx, caller)
      const approval = await settings.approvals[decision](caller, id, REASON, hold)
      return { status: 200, body: { data: portalApprovalView(approval) } }
    },
  })
}

function stopOperation(settings: PortalSettings): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/stop`,
    docs: {
      operationId: 'stopApproval',
      summary: 'Stop a request for access by a mailed token',
      description:
        'For whoever got the mail; nobody has to be signed in. A request that waits is refused. One that was carried out is ' +
        'undone: the login is disabled with everybody whom it invited since, and their sessions and the API keys that they made ' +
        'end at once; a registered address becomes the former one. The token works for 10 days; sent again it answers the ' +
        'same and does nothing.',
      tag: TAG,
    },
    schemas: {
      body: StopBody,
      responses: { 200: StopResponse },
    },
    authenticate: anyone,
    async handle({ body, request }) {
      const { sessions, approvals } = settings
      refuseForeignOrigin(sessions.config, request)
      const context = { sessions, approvals, log: settings.log }
      const outcome = await stopGrant(context, { token: body.token, address: request.address })
      return { status: 200, body: { data: { outcome } } }
    },
  })
}
