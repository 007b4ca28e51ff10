import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { ID } from '../../../lib/input/ids.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { MemberAuthenticator } from '../people/types.ts'
import { NEW_PIN } from '../shared-tills/rules.ts'
import { findTillOf, hasPin, removePin, setPin } from '../shared-tills/service.ts'
import { refuseForeignOrigin, sessionSecretOf, tillSecretOf } from './authentication.service.ts'
import { signInByPin } from './pins.service.ts'
import { readId, signedInOutput, visitorOf } from './routes.ts'
import { MemberSessionResponse, Nothing, TILL } from './schemas.ts'

const TAG = 'Shared tills'
const PATH = '/portal/v1/pin'

const TillResponse = Type.Object(
  {
    data: Type.Object({
      ...TILL,
      is_locked: Type.Boolean({ description: 'Whether it takes no PIN after too many wrong ones' }),
      people: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          is_locked: Type.Boolean({ description: 'Whether their PIN is locked at this till' }),
        }),
        { description: 'Members who have a PIN, by name' },
      ),
    }),
  },
  { title: 'Shared till of this browser' },
)

/** Members alone come in by PIN; their view is that of both APIs. */
const SESSION: TSchema = MemberSessionResponse

const PinSessionBody = Type.Object(
  {
    member_id: documentedAs(ID, Type.String({ description: 'The id of a member' })),
    pin: Type.String({ maxLength: 20, description: 'Their PIN' }),
  },
  { title: 'PIN sign-in request' },
)

const PinBody = Type.Object({ pin: documentedAs(NEW_PIN, Type.String()) }, { title: 'PIN request' })

const PinResponse = Type.Object(
  { data: Type.Object({ is_set: Type.Boolean({ description: 'Whether one can take over by it' }) }) },
  { title: 'Own PIN' },
)

/** Operations on one's own PIN, and coming in by it. */
export function pinOperations(options: SessionsOptions, authenticate: MemberAuthenticator): Operation[] {
  return [...comingInOperations(options), ...ownOperations(options, authenticate)]
}

function comingInOperations(options: SessionsOptions): Operation[] {
  const { config } = options
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/shared-till',
      docs: {
        operationId: 'getSharedTill',
        summary: 'The shared till that this browser is, and who may take over',
        description: '204: it is none.',
        tag: TAG,
      },
      schemas: { responses: { 200: TillResponse, 204: Nothing } },
      authenticate: anyone,
      async handle({ request }) {
        const found = await findTillOf(options, tillSecretOf(config, request, 'member'))
        if (found === undefined) return { status: 204, body: null }
        const { till, people } = found
        const data = {
          name: till.name,
          idle_seconds: till.idleSeconds,
          is_locked: till.isLocked,
          people: people.map(({ id, name, isLocked }) => ({ id: String(id), name, is_locked: isLocked })),
        }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'POST',
      path: '/portal/v1/shared-till/session',
      docs: {
        operationId: 'createPinSession',
        summary: 'Take over a shared till by PIN',
        description:
          'At a browser that is one, and nowhere else (401 `not_shared_till`). The session has the rights of a cashier, ' +
          'whatever else the person may do, and the one before it ends. 401 `invalid_pin`; 403 `pin_locked` after 5 wrong ' +
          'PINs of a person in a row, or 50 of all people within a day, at this till.',
        tag: TAG,
      },
      schemas: { body: PinSessionBody, responses: { 200: SESSION } },
      also: [401, 403, 429],
      authenticate: anyone,
      async handle({ request, body }) {
        refuseForeignOrigin(config, request)
        const signedIn = await signInByPin(options, {
          ...visitorOf(request),
          userId: readId(body.member_id, 'member'),
          pin: body.pin,
          previousSecret: sessionSecretOf(config, request, 'member'),
          tillSecret: tillSecretOf(config, request, 'member'),
        })
        return signedInOutput(config, signedIn)
      },
    }),
  ]
}

function ownOperations(options: SessionsOptions, authenticate: MemberAuthenticator): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'getPin', summary: 'Whether one has a PIN', tag: TAG },
      schemas: { responses: { 200: PinResponse } },
      authenticate: authenticate('pin.write'),
      async handle({ caller }) {
        return { status: 200, body: { data: { is_set: await hasPin(options.database, caller) } } }
      },
    }),
    operation({
      method: 'PUT',
      path: PATH,
      docs: {
        operationId: 'setPin',
        summary: 'Set one’s PIN for shared tills',
        description: 'It counts until the password changes. Sessions that the one before opened end.',
        tag: TAG,
      },
      schemas: { body: PinBody, responses: { 204: Nothing } },
      authenticate: authenticate('pin.write'),
      async handle({ caller, body }) {
        await setPin(options, caller, body.pin)
        return { status: 204, body: null }
      },
    }),
    operation({
      method: 'DELETE',
      path: PATH,
      docs: { operationId: 'removePin', summary: 'Remove one’s PIN', tag: TAG },
      schemas: { responses: { 204: Nothing } },
      also: [404],
      authenticate: authenticate('pin.write'),
      async handle({ caller }) {
        await removePin(options, caller)
        return { status: 204, body: null }
      },
    }),
  ]
}
