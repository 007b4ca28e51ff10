import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { Instant } from '../../../http/schemas.ts'
import { tillCookieOf } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { MemberAuthenticator } from '../people/types.ts'
import { TILL_RULES } from '../shared-tills/rules.ts'
import { closeSharedTill, endPinLocks, listSharedTills, openSharedTill } from '../shared-tills/service.ts'
import { isSecure, tillSecretOf } from './authentication.service.ts'
import { readId } from './routes.ts'
import { IdParams, Nothing, TILL } from './schemas.ts'

const TAG = 'Shared tills'
const PATH = '/portal/v1/shared-tills'

const TillBody = Type.Object(
  {
    name: documentedAs(TILL_RULES.name, Type.String()),
    idle_seconds: documentedAs(
      TILL_RULES.idleSeconds,
      Type.Integer({ description: 'Seconds without a key or a touch after which it locks itself' }),
    ),
  },
  { title: 'Shared till request' },
)

const OpenedResponse = Type.Object(
  { data: Type.Object({ id: Type.String(), ...TILL }) },
  { title: 'New shared till' },
)

const TillsResponse = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        ...TILL,
        is_this: Type.Boolean({ description: 'Whether it is this browser' }),
        is_locked: Type.Boolean({ description: 'Whether it takes no PIN after too many wrong ones' }),
        locked: Type.Array(Type.String(), { description: 'Names of those whose PIN is locked there' }),
        opened_by: Type.String({ description: 'Name of the member who opened it' }),
        created_at: Instant,
        last_used_at: Instant,
      }),
    ),
  },
  { title: 'Shared tills' },
)

/** Operations on the browsers at which people take over by PIN. */
export function sharedTillOperations(
  options: SessionsOptions,
  authenticate: MemberAuthenticator,
): Operation[] {
  const { config, database } = options
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listSharedTills', summary: 'Shared tills, the oldest first', tag: TAG },
      schemas: { responses: { 200: TillsResponse } },
      authenticate: authenticate('team.read'),
      async handle({ caller, request }) {
        const secret = tillSecretOf(config, request, 'member')
        const tills = await listSharedTills(database, caller.reseller.id, secret)
        const data = tills.map((till) => ({
          id: String(till.id),
          name: till.name,
          idle_seconds: till.idleSeconds,
          is_this: till.isThis,
          is_locked: till.isLocked,
          locked: [...till.locked],
          opened_by: till.openedBy,
          created_at: till.createdAt.toISOString(),
          last_used_at: till.lastUsedAt.toISOString(),
        }))
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'openSharedTill',
        summary: 'Make this browser a shared till',
        description:
          'Members with a PIN then take over here without their password. It ends when it is closed, or was not used for ' +
          '30 days.',
        tag: TAG,
      },
      schemas: { body: TillBody, responses: { 201: OpenedResponse } },
      also: [409],
      authenticate: authenticate('shared_tills.write'),
      async handle({ caller, body }) {
        const { till, secret } = await openSharedTill(options, caller, body)
        return {
          status: 201,
          body: { data: { id: String(till.id), name: till.name, idle_seconds: till.idleSeconds } },
          headers: { 'Set-Cookie': tillCookieOf(isSecure(config), secret) },
        }
      },
    }),
    operation({
      method: 'DELETE',
      path: `${PATH}/:id`,
      docs: {
        operationId: 'closeSharedTill',
        summary: 'Close a shared till',
        description:
          'The sessions there end, but for the caller’s own, and nobody takes over there any more.',
        tag: TAG,
      },
      schemas: { params: IdParams, responses: { 204: Nothing } },
      authenticate: authenticate('shared_tills.write'),
      async handle({ caller, params }) {
        await closeSharedTill(options, caller, readId(params.id, 'shared till'))
        return { status: 204, body: null }
      },
    }),
    operation({
      method: 'DELETE',
      path: `${PATH}/:id/locks`,
      docs: { operationId: 'endPinLocks', summary: 'End the locks of PINs at a shared till', tag: TAG },
      schemas: { params: IdParams, responses: { 204: Nothing } },
      authenticate: authenticate('shared_tills.write'),
      async handle({ caller, params }) {
        await endPinLocks(options, caller, readId(params.id, 'shared till'))
        return { status: 204, body: null }
      },
    }),
  ]
}
