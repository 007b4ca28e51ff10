import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { assert } from '../../../lib/errors.ts'
import { ID } from '../../../lib/input/ids.ts'
import { DECISION_ACTS } from '../../approvals/acts.ts'
import type { Hold } from '../../approvals/types.ts'
import { stopGrant } from '../../grants/stops.service.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import { holdSession, isSignedIn } from '../../sessions/people/proof.service.ts'
import { refuseForeignOrigin } from '../../sessions/session/authentication.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { dataOf, listOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { PORTAL_APPROVAL, STOPPED } from './approvals.codec.ts'

const TAG = 'Members'
const PATH = '/portal/v1/approvals'
const SHOWN_MAX = 50
const TOKEN_LENGTH_MAX = 200

const PARAMS = { id: documentedAs(ID, Type.String({ description: 'The id of a request' })) }
const Body = Type.Object({
  token: Type.String({ maxLength: TOKEN_LENGTH_MAX, description: 'That of the mail, `wst_…`' }),
})

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
      schemas: { responses: { 200: listOf(PORTAL_APPROVAL.schema) } },
      authenticate: settings.authenticate('team.write'),
      async handle({ caller }) {
        const approvals = await settings.approvals.listOfReseller(caller.reseller.id, SHOWN_MAX)
        return { status: 200, body: { data: approvals.map((each) => PORTAL_APPROVAL.encode(each)) } }
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
  const { authenticate, log, approvals, sessions } = settings
  const hold: Hold = async (tx, _, caller, verdict) => {
    assert(isSignedIn(caller), 'members decide in a session')
    await (verdict === 'approved' ? holdProof(tx, caller) : holdSession(sessions, tx, caller))
  }
  const stage = { authenticate, log, world: { ...approvals.world, hold } }
  return memberAct(stage, {
    act: DECISION_ACTS[decision],
    method: 'POST',
    path: `${PATH}/:id/${decision}`,
    docs: { ...DECISIONS[decision], tag: TAG },
    permission: 'team.write',
    hasBody: false,
    schemas: PARAMS,
    answer: PORTAL_APPROVAL.schema,
    view: (approval) => PORTAL_APPROVAL.encode(approval),
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
      body: Body,
      responses: { 200: dataOf(STOPPED) },
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
