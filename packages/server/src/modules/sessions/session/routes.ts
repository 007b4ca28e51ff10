import type { Authenticate, IncomingRequest, Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseId } from '../../../lib/input/ids.ts'
import type { SignInApi } from '../people/apis.types.ts'
import { keyOf } from '../people/proof.service.ts'
import { cookieOf, csrfTokenOf, deviceCookieOf, SESSION_LIMITS, tillCookieOf } from '../people/rules.ts'
import type { SessionSettings, SessionsOptions } from '../people/settings.types.ts'
import type { MemberCaller, OperatorCaller } from '../people/types.ts'
import { hasSecondFactor } from '../second-factor/totp.service.ts'
import { sharedTillOf } from '../shared-tills/service.ts'
import {
  deviceSecretOf,
  headerOf,
  isSecure,
  refuseForeignOrigin,
  sessionSecretOf,
  tillSecretOf,
} from './authentication.service.ts'
import { EndedResponse, IdParams, Nothing, SessionParameters, SessionsResponse } from './schemas.ts'
import type { SignedIn, Visitor } from './service.ts'
import { endOtherSessions, endOwnSession, getPerson, listOwnSessions, signIn, signOut } from './service.ts'
import { sessionListView, sessionView } from './view.ts'

type PersonCaller = OperatorCaller | MemberCaller

export const TAG = 'Session'

/** Operations to sign in and out, and to list the open sessions. */
export function ownSessionOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  return [
    signInOperation(options, api),
    getSessionOperation(options, api),
    signOutOperation(options, api),
    ...sessionListOperations(options, api),
  ]
}

export function visitorOf(request: IncomingRequest): Visitor {
  return { address: request.address, userAgent: headerOf(request, 'user-agent') ?? '' }
}

/** Answer to a person who has just got a session. */
export function signedInOutput(config: SessionSettings, signedIn: SignedIn) {
  const { person, secret, deviceSecret, tillSecret } = signedIn
  const seconds = SESSION_LIMITS[person.kind].lifetimeSeconds
  const cookies = [
    cookieOf(person.kind, isSecure(config), { value: secret, seconds }),
    ...(deviceSecret === undefined ? [] : [deviceCookieOf(person.kind, isSecure(config), deviceSecret)]),
    // It lives on with its use.
    ...(tillSecret === undefined ? [] : [tillCookieOf(isSecure(config), tillSecret)]),
  ]
  return {
    status: 200,
    body: sessionView(person, signedIn),
    headers: { 'Set-Cookie': cookies },
  } as const
}

type SignInFields = { email?: string; username?: string; password: string; code?: string }

function signInOperation(options: SessionsOptions, api: SignInApi): Operation {
  const { config } = options
  return operation({
    method: 'POST',
    path: `${api.prefix}/session`,
    docs: {
      operationId: `create${api.name}Session`,
      summary: 'Sign in',
      description:
        'Sets the session’s cookie, and one by which the browser is known at the next sign-in. ' +
        '`code_required`: the same again, with the code of the second factor.',
      tag: TAG,
    },
    schemas: { body: api.schemas.signIn, responses: { 200: api.schemas.session } },
    also: [401],
    authenticate: anyone,
    async handle({ request, body }) {
      refuseForeignOrigin(config, request)
      const fields = body as SignInFields
      const signedIn = await signIn(options, {
        ...visitorOf(request),
        kind: api.kind,
        login: fields[api.loginField] ?? '',
        password: fields.password,
        // A page may send a field that was left empty.
        code: fields.code === '' ? undefined : fields.code,
        previousSecret: sessionSecretOf(config, request, api.kind),
        deviceSecret: deviceSecretOf(config, request, api.kind),
        tillSecret: tillSecretOf(config, request, api.kind),
      })
      return signedInOutput(config, signedIn)
    },
  })
}

function getSessionOperation(options: SessionsOptions, api: SignInApi): Operation {
  const { config, database } = options
  return operation({
    method: 'GET',
    path: `${api.prefix}/session`,
    docs: {
      operationId: `get${api.name}Session`,
      summary: 'Who is signed in',
      description: '204 to a browser that brings no session, if `quiet` asks for that; without it 401.',
      tag: TAG,
    },
    schemas: {
      query: SessionParameters,
      responses: { 200: api.schemas.session, 204: Nothing },
    },
    authenticate: orNobody(options, api),
    async handle({ caller, request }) {
      if (caller === undefined) return { status: 204, body: null }
      const key = keyOf(caller)
      const isToken = caller.kind === 'operator' && caller.via === 'token'
      const secret = isToken ? undefined : sessionSecretOf(config, request, api.kind)
      const person = await getPerson(database, key)
      const body = sessionView(
        { ...person, role: caller.role },
        {
          hasSecondFactor: await hasSecondFactor(database, key),
          csrfToken: secret === undefined ? null : csrfTokenOf(secret),
          isByPin: caller.kind === 'member' && caller.isByPin === true,
          till: await sharedTillOf(database, caller),
        },
      )
      return { status: 200, body }
    },
  })
}

/**
 * Lets requests without any credential pass as nobody's when they ask for it: a page that looks whether somebody is
 * signed in is no failed attempt. A credential that does not hold is refused, and counted, as everywhere.
 */
function orNobody({ config }: SessionsOptions, api: SignInApi): Authenticate<PersonCaller | undefined> {
  return (request) => {
    const nobody = anyone(request)
    const hasCredential =
      sessionSecretOf(config, request, api.kind) !== undefined ||
      headerOf(request, 'authorization') !== undefined
    return hasCredential || nobody.query.quiet !== 'true' ? api.anybody(request) : nobody
  }
}

function signOutOperation(options: SessionsOptions, api: SignInApi): Operation {
  const { config } = options
  return operation({
    method: 'DELETE',
    path: `${api.prefix}/session`,
    docs: { operationId: `delete${api.name}Session`, summary: 'Sign out', tag: TAG },
    schemas: { responses: { 204: Nothing } },
    authenticate: api.leaving,
    async handle({ caller, request }) {
      await signOut(options, caller, sessionSecretOf(config, request, api.kind) ?? '')
      const cookie = cookieOf(api.kind, isSecure(config), { value: '', seconds: 0 })
      return { status: 204, body: null, headers: { 'Set-Cookie': cookie } }
    },
  })
}

function sessionListOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  const path = `${api.prefix}/sessions`
  return [
    operation({
      method: 'GET',
      path,
      docs: { operationId: `list${api.name}Sessions`, summary: 'One’s own sessions', tag: TAG },
      schemas: { responses: { 200: SessionsResponse } },
      authenticate: api.inSession,
      async handle({ caller }) {
        const sessions = await listOwnSessions(options.database, keyOf(caller))
        return { status: 200, body: sessionListView(sessions, caller.credentialId) }
      },
    }),
    operation({
      method: 'DELETE',
      path,
      docs: {
        operationId: `delete${api.name}OtherSessions`,
        summary: 'End all one’s sessions but this',
        tag: TAG,
      },
      schemas: { responses: { 200: EndedResponse } },
      authenticate: api.inSession,
      async handle({ caller }) {
        const current = BigInt(caller.credentialId.slice('session:'.length))
        return {
          status: 200,
          body: { data: { ended: await endOtherSessions(options, caller, current) } },
        }
      },
    }),
    operation({
      method: 'DELETE',
      path: `${path}/:id`,
      docs: { operationId: `delete${api.name}SessionById`, summary: 'End one of one’s sessions', tag: TAG },
      schemas: { params: IdParams, responses: { 204: Nothing } },
      authenticate: api.inSession,
      async handle({ caller, params }) {
        await endOwnSession(options, caller, readId(params.id, 'session'))
        return { status: 204, body: null }
      },
    }),
  ]
}

/** Reads an id. A text that cannot be one gets 404. */
export function readId(text: string, what: string): bigint {
  const id = parseId(text)
  if (id !== undefined) return id
  throw new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}
