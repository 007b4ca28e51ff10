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
