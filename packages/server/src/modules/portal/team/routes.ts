import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { ID } from '../../../lib/input/ids.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { getReseller, listUsers } from '../../accounts/service.ts'
import { listAddressees, REGISTERED } from '../../alerts/mail/preferences.service.ts'
import { editUser } from '../../grants/users.acts.ts'
import { standingsOf } from '../../sessions/people/standings.service.ts'
import { listThresholds } from '../../wallet/balance/thresholds.service.ts'
import { notFound } from '../access/access.service.ts'
import { accessStage, memberAct } from '../access/acts.service.ts'
import { listOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import {
  AddresseesResponse,
  MailSwitchBody,
  MEMBER,
  MEMBER_SCHEMAS,
  ThresholdBody,
  ThresholdParameters,
  ThresholdsResponse,
} from './schemas.ts'
import { changeOwnMail, changeOwnThresholds } from './service.ts'
import { addresseesView, thresholdsView } from './view.ts'

export function portalTeamOperations(settings: PortalSettings): Operation[] {
  return [...memberOperations(settings), ...thresholdOperations(settings), ...mailOperations(settings)]
}

const MEMBERS = 'Members'

function memberOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/members',
      docs: { operationId: 'portalListMembers', summary: 'Who may sign in', tag: MEMBERS },
      schemas: { responses: { 200: listOf(MEMBER.schema) } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const { id } = caller.reseller
        const users = await listUsers(database, id)
        const standingOf = await standingsOf(
          database,
          id,
          users.map((user) => user.id),
        )
        const data = users.map((user) =>
          MEMBER.encode(user, { self: caller.userId, standing: standingOf(user.id) }),
        )
        return { status: 200, body: { data } }
      },
    }),
    memberAct(accessStage(settings), {
      act: editUser,
      method: 'PATCH',
      path: '/portal/v1/members/:id',
      role: 'admin',
      docs: {
        operationId: 'portalChangeMember',
        summary: "Change a member's role, or disable them",
        description: 'It takes effect at once, in their open sessions too. Members cannot change themselves.',
        tag: MEMBERS,
      },
      without: ['username'],
      schemas: MEMBER_SCHEMAS,
      answer: MEMBER.schema,
      async view(user, caller) {
        const standingOf = await standingsOf(database, caller.reseller.id, [user.id])
        return MEMBER.encode(user, { self: caller.userId, standing: standingOf(user.id) })
      },
    }),
  ]
}

const ALERTS = 'Alerts'
const THRESHOLDS_PATH = '/portal/v1/thresholds'

function thresholdOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: THRESHOLDS_PATH,
      docs: {
        operationId: 'portalListThresholds',
        summary: 'Balances under which a mail is sent, highest first',
        tag: ALERTS,
      },
      schemas: { responses: { 200: ThresholdsResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const thresholds = await listThresholds(database, caller.reseller.id)
        return { status: 200, body: { data: thresholdsView(thresholds) } }
      },
    }),
    operation({
      method: 'POST',
      path: THRESHOLDS_PATH,
      docs: { operationId: 'portalAddThreshold', summary: 'Add a threshold', tag: ALERTS },
      schemas: { body: ThresholdBody, responses: { 200: ThresholdsResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const thresholds = await changeOwnThresholds(settings, caller, 'threshold.add', body.amount)
        return { status: 200, body: { data: thresholdsView(thresholds) } }
      },
    }),
    operation({
      method: 'DELETE',
      path: THRESHOLDS_PATH,
      docs: { operationId: 'portalRemoveThreshold', summary: 'Take a threshold away', tag: ALERTS },
      schemas: { query: ThresholdParameters, responses: { 200: ThresholdsResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, query }) {
        const { amount } = readFields({ amount: required('amount', EXACT) }, { amount: query.amount })
        const thresholds = await changeOwnThresholds(settings, caller, 'threshold.remove', amount)
        return { status: 200, body: { data: thresholdsView(thresholds) } }
      },
    }),
  ]
}

const MAILS_PATH = '/portal/v1/mail-preferences'

function mailOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: MAILS_PATH,
      docs: {
        operationId: 'portalListMailPreferences',
        summary: 'Show which members get which mails',
        tag: ALERTS,
      },
      schemas: { responses: { 200: AddresseesResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const owner = await getReseller(database, caller.reseller.account)
        return { status: 200, body: { data: addresseesView(await listAddressees(database, owner)) } }
      },
    }),
    operation({
      method: 'PATCH',
      path: MAILS_PATH,
      docs: {
        operationId: 'portalSwitchMail',
        summary: 'Switch a kind of mail on or off for somebody',
        description: 'The registered address is always told of a low balance and of cases.',
        tag: ALERTS,
      },
      schemas: { body: MailSwitchBody, responses: { 200: AddresseesResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const userId = body.member_id === null ? REGISTERED : ID.read(body.member_id)
        if (userId === undefined) throw notFound('member')
        const wish = { kind: String(body.kind), isOn: body.on }
        return {
          status: 200,
          body: { data: addresseesView(await changeOwnMail(settings, caller, userId, wish)) },
        }
      },
    }),
  ]
}
