import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { listUsers } from '../../accounts/service.ts'
import type { User } from '../../accounts/types.ts'
import { LOGIN_STATUSES } from '../../accounts/types.ts'
import { USER_ROLE } from '../../accounts/users.codec.ts'
import { editUser } from '../../grants/users.acts.ts'
import { setMemberLimits } from '../../payments/limits/acts.ts'
import { MEMBER_LIMIT } from '../../payments/limits/codec.ts'
import { listMemberLimits } from '../../payments/limits/service.ts'
import type { MemberLimitInUse } from '../../payments/limits/types.ts'
import type { Standing } from '../../sessions/people/standings.service.ts'
import { standingsOf } from '../../sessions/people/standings.service.ts'
import { accessStage, memberAct } from '../access/acts.service.ts'
import { Instant, listOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const MEMBER = resource<User, { readonly self: bigint; readonly standing: Standing }>()('Member', {
  id: [Type.String(), ({ id }) => String(id)],
  username: [Type.String(), ({ username }) => username],
  email: [Type.String(), ({ email }) => email],
  role: [USER_ROLE, ({ role }) => role],
  status: [enumOf(LOGIN_STATUSES), ({ status }) => status],
  is_self: [Type.Boolean(), ({ id }, { self }) => id === self],
  two_factor: [Type.Boolean(), (_, { standing }) => standing.secondFactorAt !== null],
  last_seen_at: [
    orNull(Instant, 'ISO 8601, UTC; null: not signed in now'),
    (_, { standing }) => standing.lastSeenAt?.toISOString() ?? null,
  ],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
})

type LimitedMember = { readonly member: User; readonly limits: readonly MemberLimitInUse[] }

const MEMBER_LIMITS = resource<LimitedMember>()('Limits of a member', {
  member_id: [Type.String(), ({ member }) => String(member.id)],
  username: [Type.String(), ({ member }) => member.username],
  limits: [Type.Array(MEMBER_LIMIT.schema), ({ limits }) => limits.map((each) => MEMBER_LIMIT.encode(each))],
})

const MEMBER_SCHEMAS = {
  id: documentedAs(ID, Type.String({ description: 'The id of a member' })),
  status: Type.Optional(enumOf(LOGIN_STATUSES)),
}

const MEMBERS = 'Members'

/** Operations on who may sign in. */
export function portalTeamOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/members',
      docs: { operationId: 'portalListMembers', summary: 'Who may sign in', tag: MEMBERS },
      schemas: { responses: { 200: listOf(MEMBER.schema) } },
      authenticate: authenticate('team.read'),
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
    operation({
      method: 'GET',
      path: '/portal/v1/member-limits',
      docs: {
        operationId: 'portalListMemberLimits',
        summary: 'Limits of what members may sell, and what is used',
        description: 'Of members who have any. Days and months are of GMT+8.',
        tag: MEMBERS,
      },
      schemas: { responses: { 200: listOf(MEMBER_LIMITS.schema) } },
      authenticate: authenticate('team.read'),
      async handle({ caller }) {
        const limits = await listMemberLimits(database, caller.reseller.id)
        const users = await listUsers(database, caller.reseller.id)
        const data = users
          .map((member) => ({ member, limits: limits.filter(({ userId }) => userId === member.id) }))
          .filter((each) => each.limits.length > 0)
          .map((each) => MEMBER_LIMITS.encode(each))
        return { status: 200, body: { data } }
      },
    }),
    memberAct(accessStage(settings), {
      act: setMemberLimits,
      method: 'PUT',
      path: '/portal/v1/members/:id/limits',
      permission: 'member_limits.write',
      docs: {
        operationId: 'portalPutMemberLimits',
        summary: 'Replace the limits of what a member may sell',
        description:
          'Judged in the commit that takes the money, as other limits: `Member_Daily_Limit` or `Member_Monthly_Limit` ' +
          'with 54. Owners set them for everybody else, managers for cashiers. More than before needs a fresh proof.',
        tag: MEMBERS,
      },
      body: 'Limits of a member request',
      schemas: { id: MEMBER_SCHEMAS.id },
      answer: MEMBER_LIMITS.schema,
      view: (result) => MEMBER_LIMITS.encode(result),
    }),
    memberAct(accessStage(settings), {
      act: editUser,
      method: 'PATCH',
      path: '/portal/v1/members/:id',
      permission: 'team.write',
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
