import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { preferredLanguage } from '../../../lib/text/languages.ts'
import { MAIL_LANGUAGES } from '../../alerts/words/types.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { MemberAuthenticator } from '../people/types.ts'
import { refuseForeignOrigin } from '../session/authentication.service.ts'
import { readId } from '../session/routes.ts'
import {
  AcceptanceBody,
  AcceptanceResponse,
  IdParams,
  InvitationBody,
  InvitationResponse,
  InvitationsResponse,
  Nothing,
} from '../session/schemas.ts'
import { invitationView } from '../session/view.ts'
import { acceptInvitation, invite, listInvitations, revokeInvitation } from './invitations.service.ts'

const TAG = 'Members'
const PATH = '/portal/v1/invitations'

export function invitationOperations(
  options: SessionsOptions,
  authenticate: MemberAuthenticator,
): Operation[] {
  return [
    inviteOperation(options, authenticate),
    listOperation(options, authenticate),
    revokeOperation(options, authenticate),
    acceptOperation(options),
  ]
}

function inviteOperation(options: SessionsOptions, authenticate: MemberAuthenticator): Operation {
  return operation({
    method: 'POST',
    path: PATH,
    docs: {
      operationId: 'createInvitation',
      summary: 'Invite somebody by mail to become a member',
      description: 'The token in the mail works once, within 7 days.',
      tag: TAG,
    },
    schemas: {
      body: InvitationBody,
      responses: { 201: InvitationResponse },
    },
    also: [409, 429],
    authenticate: authenticate('team.write'),
    async handle({ caller, body }) {
      return { status: 201, body: { data: invitationView(await invite(options, caller, body)) } }
    },
  })
}

function listOperation({ database }: SessionsOptions, authenticate: MemberAuthenticator): Operation {
  return operation({
    method: 'GET',
    path: PATH,
    docs: { operationId: 'listInvitations', summary: 'Invitations, newest first', tag: TAG },
    schemas: { responses: { 200: InvitationsResponse } },
    authenticate: authenticate('team.write'),
    async handle({ caller }) {
      const invitations = await listInvitations(database, caller.reseller.id)
      return { status: 200, body: { data: invitations.map(invitationView) } }
    },
  })
}

function revokeOperation(options: SessionsOptions, authenticate: MemberAuthenticator): Operation {
  return operation({
    method: 'DELETE',
    path: `${PATH}/:id`,
    docs: { operationId: 'deleteInvitation', summary: 'Revoke an open invitation', tag: TAG },
    schemas: { params: IdParams, responses: { 204: Nothing } },
    authenticate: authenticate('team.write'),
    async handle({ caller, params }) {
      await revokeInvitation(options, caller, readId(params.id, 'invitation'))
      return { status: 204, body: null }
    },
  })
}

function acceptOperation(options: SessionsOptions): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/accept`,
    docs: {
      operationId: 'acceptInvitation',
      summary: 'Become a member by a mailed token',
      description: 'Sign in afterwards. A wrong name or password does not use up the token.',
      tag: TAG,
    },
    schemas: {
      body: AcceptanceBody,
      responses: { 201: AcceptanceResponse },
    },
    also: [409],
    authenticate: anyone,
    async handle({ body, request }) {
      refuseForeignOrigin(options.config, request)
      const language = preferredLanguage(request.headers['accept-language'], MAIL_LANGUAGES)
      const { user, reseller } = await acceptInvitation(options, {
        ...body,
        address: request.address,
        language,
      })
      const { username, role } = user
      const { account, name } = reseller
      return { status: 201, body: { data: { username, role, reseller: { account, name } } } }
    },
  })
}
