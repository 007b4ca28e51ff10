import type { Queryable } from '../../../db/database.ts'
import type { Authenticated, IncomingRequest } from '../../../http/operation.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import type { OperatorRole, UserRole } from '../../accounts/types.ts'
import type { PersonKind } from '../people/people.types.ts'
import { sessionEnded } from '../people/proof.service.ts'
import type { Origins } from '../people/rules.ts'
import {
  cookieName,
  coversRole,
  csrfTokenOf,
  findCookie,
  isForeign,
  isSameSecret,
  SESSION_LIMITS,
  sessionDigestOf,
} from '../people/rules.ts'
import type { SessionSettings } from '../people/settings.types.ts'
import type { LiveSession } from '../people/sql.ts'
import { findLiveSession, touchSession } from '../people/sql.ts'
import type {
  MemberAuthenticator,
  MemberCaller,
  OperatorAuthenticator,
  OperatorCaller,
} from '../people/types.ts'
import { hasPasskeys } from '../second-factor/passkeys.service.ts'
import { hasSecondFactor } from '../second-factor/totp.service.ts'
import { findLiveToken, touchToken } from '../tokens/tokens.sql.ts'

export type AuthenticationOptions = {
  readonly database: Queryable
  readonly config: SessionSettings
  /**
   * True for requests that a page makes by itself. They are no sign of a person, so that a page which is left open does
   * not keep its session from ending.
   */
  readonly isUnattended?: boolean
}

/** Tells whether cookies are restricted to TLS: that is so when the service is reached over TLS. */
export function isSecure({ publicUrl }: SessionSettings): boolean {
  return publicUrl?.startsWith('https:') === true
}

/** Authenticates operators. If a second factor is required, it refuses operators who have none. */
export function createOperatorAuthenticator(options: AuthenticationOptions): OperatorAuthenticator {
  return operatorAuthenticator(options, (caller) => requireFactor(options, caller))
}

/** Authenticates operators also without the required second factor, for the operations that set one up or sign out. */
export function createEnrolmentAuthenticator(options: AuthenticationOptions): OperatorAuthenticator {
  return operatorAuthenticator(options, async (caller) => {
    if (caller.via === 'token') await requireFactor(options, caller)
  })
}

/**
 * Refuses operators without a second factor. A passkey is one in the sessions that it opened, and for the tokens of its
 * operator; beside a session that a password alone opened it proves nothing.
 */
async function requireFactor(
  { config, database }: AuthenticationOptions,
  caller: OperatorCaller,
): Promise<void> {
  if (config.operatorSecondFactor === 'optional') return
  const key = { kind: 'operator', resellerId: 0n, id: caller.operatorId } as const
  if (await hasSecondFactor(database, key)) return
  const countsPasskeys = caller.via === 'token' || caller.passkeyId !== undefined
  if (!countsPasskeys || !(await hasPasskeys(database, caller))) throw secondFactorRequired()
}

function operatorAuthenticator(
  options: AuthenticationOptions,
  checkFactor: (caller: OperatorCaller) => Promise<void>,
): OperatorAuthenticator {
  return (...roles) => {
    const allowed = new Set<OperatorRole>(['admin', ...roles])
    return async (request) => {
      const { caller, ownRole } = await identifyOperator(options, request)
      await checkFactor(caller)
      // A token may do only what its own role and its operator's role both may, because no role includes all operations
      // of another.
      if (!allowed.has(caller.role) || !allowed.has(ownRole)) throw insufficientRole()
      return authenticated(request, caller, {
        operator_id: String(caller.operatorId),
        credential: caller.credentialId,
      })
    }
  }
}

export function createMemberAuthenticator(options: AuthenticationOptions): MemberAuthenticator {
  return (permission) => async (request) => {
    const live = await identifyBySession(options, request, 'member')
    const caller = memberOf(live, request.address)
    if (!memberMay(caller, permission)) throw insufficientRole()
    return authenticated(request, caller, {
      reseller: caller.reseller.account,
      user_id: String(caller.userId),
      credential: caller.credentialId,
    })
  }
}

function authenticated<Caller>(
  request: IncomingRequest,
  caller: Caller,
  logFields: Readonly<Record<string, string>>,
): Authenticated<Caller> {
  return { caller, query: parseQuery(request.rawQuery), logFields }
}

type IdentifiedOperator = {
  readonly caller: OperatorCaller
  /** Present role of the operator, also when they came with a token. */
  readonly ownRole: OperatorRole
}

async function identifyOperator(
  options: AuthenticationOptions,
  request: IncomingRequest,
): Promise<IdentifiedOperator> {
  const bearer = /^bearer +(\S+) *$/i.exec(headerOf(request, 'authorization') ?? '')?.[1]
  if (bearer !== undefined) return identifyByToken(options, request, bearer)
  const { id, person, passkeyId } = await identifyBySession(options, request, 'operator')
  const ownRole = person.role as OperatorRole
  const caller: OperatorCaller = {
    kind: 'operator',
    operatorId: person.id,
    email: person.email,
    name: person.name,
    role: ownRole,
    via: 'session',
    credentialId: `session:${id}`,
    passkeyId: passkeyId ?? undefined,
    address: request.address,
  }
  return { caller, ownRole }
}

function memberOf(
  { id, person, passkeyId, isByPin, sharedTillId }: LiveSession,
  address: string,
): MemberCaller {
  return {
    kind: 'member',
    userId: person.id,
    username: person.login,
    email: person.email,
    role: person.role as UserRole,
    reseller: { id: person.resellerId, account: person.account, name: person.resellerName },
    credentialId: `session:${id}`,
    passkeyId: passkeyId ?? undefined,
    isByPin,
    sharedTillId: sharedTillId ?? undefined,
    address,
  }
}

async function identifyByToken(
  { database, config }: AuthenticationOptions,
  request: IncomingRequest,
  bearer: string,
): Promise<IdentifiedOperator> {
  const token = await findLiveToken(database, digestOf(bearer), config.environment === 'production')
  // A token loses its rights when its operator's role no longer covers its role.
  if (token === undefined || !coversRole(token.operator.role, token.role)) {
    throw refused('invalid_token', 'The token is unknown, expired or revoked.')
  }
  if (token.isDue) await touchToken(database, token.id)
  const caller: OperatorCaller = {
    kind: 'operator',
    operatorId: token.operator.id,
    email: token.operator.email,
    name: token.operator.name,
    role: token.role,
    via: 'token',
    credentialId: `token:${token.id}`,
    address: request.address,
  }
  return { caller, ownRole: token.operator.role }
}

async function identifyBySession(
  { database, config, isUnattended = false }: AuthenticationOptions,
  request: IncomingRequest,
  kind: PersonKind,
): Promise<LiveSession> {
  const secret = sessionSecretOf(config, request, kind)
  if (secret === undefined) throw refused('unauthorized', 'Sign in first.')
  const live = await findLiveSession(database, {
    digest: sessionDigestOf(secret),
    kind,
    idleSeconds: SESSION_LIMITS[kind].idleSeconds,
    refusesDemo: config.environment === 'production',
  })
  if (live === undefined) throw sessionEnded()
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForged(config, request, secret)
  if (live.isDue && !isUnattended) await touchSession(database, live.id)
  return live
}

/** Session secret in the browser's cookie. undefined: it has none for this service. */
export function sessionSecretOf(
  config: SessionSettings,
  request: IncomingRequest,
  kind: PersonKind,
): string | undefined {
  return findCookie(headerOf(request, 'cookie'), cookieName(kind, isSecure(config)))
}

/** Secret by which the browser is known from an earlier sign-in. undefined: it has none. */
export function deviceSecretOf(
  config: SessionSettings,
  request: IncomingRequest,
  kind: PersonKind,
): string | undefined {
  return findCookie(headerOf(request, 'cookie'), cookieName(kind, isSecure(config), 'device'))
}

/** Secret of the shared till that the browser is. undefined: it is none. */
export function tillSecretOf(
  config: SessionSettings,
  request: IncomingRequest,
  kind: PersonKind,
): string | undefined {
  if (kind === 'operator') return undefined
  return findCookie(headerOf(request, 'cookie'), cookieName(kind, isSecure(config), 'till'))
}

/**
 * Refuses forged writes. A browser sends the cookie whichever page made the request, so a write must also show a token
 * that only our own pages know.
 */
function refuseForged(config: SessionSettings, request: IncomingRequest, secret: string): void {
  refuseForeignOrigin(config, request)
  const given = headerOf(request, 'x-csrf-token')
  if (given === undefined || !isSameSecret(given, csrfTokenOf(secret))) {
    throw forbidden('invalid_csrf_token', 'The X-CSRF-Token header is missing or not this session’s.')
  }
}

/**
 * Refuses requests from pages of other sites. Signing in has this guard only: there is no session yet that a token
 * could belong to.
 */
export function refuseForeignOrigin(config: SessionSettings, request: IncomingRequest): void {
  const sent = {
    origin: headerOf(request, 'origin'),
    site: headerOf(request, 'sec-fetch-site'),
    host: headerOf(request, 'host'),
  }
  if (isForeign(originsOf(config), sent)) {
    throw forbidden('foreign_origin', 'The request was made by a page of another site.')
  }
}

function originsOf(config: SessionSettings): Origins {
  const urls = [config.publicUrl, config.dashboardUrl].filter((url) => url !== undefined)
  return { own: urls.map((url) => new URL(url).origin), isSecure: isSecure(config) }
}

export function headerOf(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function refused(code: string, publicText: string): RequestError {
  return new RequestError({ status: 401, code, publicText })
}

function forbidden(code: string, publicText: string): RequestError {
  return new RequestError({ status: 403, code, publicText })
}

function secondFactorRequired(): RequestError {
  return forbidden(
    'second_factor_required',
    'Operators need a second factor here: sign in with a passkey, or set up a code with POST /operator/v1/two-factor.',
  )
}

function insufficientRole(): RequestError {
  return forbidden('insufficient_role', 'Your role does not allow this.')
}
