import { createHash } from 'node:crypto'
import type { Outbound, OutboundRequest } from '../../../outbound/types.ts'
import type { Auth } from '../language/auth.rules.ts'
import { percentEncode } from '../language/filters.rules.ts'
import { textAt, valueAt } from '../language/paths.rules.ts'
import type { SecretReference } from '../language/types.ts'
import { keyOf, signatureOf, timestampText } from './signing.rules.ts'
import type { Writer } from './writing.rules.ts'
import { textOf, writeHeaders } from './writing.rules.ts'

/** A request as it will be sent, before authentication is added. */
export type UnsignedRequest = {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
  readonly nonce: string
  readonly now: Date
}

export type Proof =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  /** The request cannot be sent. */
  | { readonly ok: false; readonly reason: string }

export type Authentication = {
  prove(request: UnsignedRequest, signal: AbortSignal): Promise<Proof>
  /** Called when the supplier refused this proof. True: a fresh proof is possible, so another try makes sense. */
  renew(refused: Proof): boolean
  /** Secrets that it holds beside those it was created with. */
  secrets(): readonly string[]
}

export type AuthenticationSettings = {
  auth: Auth
  secretOf: (reference: string | SecretReference) => string
  outbound: Outbound
  connectionsMax: number
  nowMs: () => number
  tokenTimeoutMs: number
}

export function createAuthentication(settings: AuthenticationSettings): Authentication {
  const { auth, secretOf } = settings
  switch (auth.type) {
    case 'none':
      return constant()
    case 'basic':
      return constant(basic(secretOf(auth.username), secretOf(auth.password)), 'Basic')
    case 'bearer':
      return constant(secretOf(auth.token), 'Bearer')
    case 'hmac':
      return signing(auth, keyOf(auth, secretOf(auth.secret)))
    case 'oauth2_client_credentials':
      return withTokens(auth, settings)
  }
}

function basic(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

function constant(credentials?: string, scheme?: 'Basic' | 'Bearer'): Authentication {
  const headers: Record<string, string> =
    credentials === undefined ? {} : { authorization: `${scheme} ${credentials}` }
  const proof: Proof = { ok: true, headers }
  const secrets = credentials === undefined ? [] : [credentials]
  return { prove: () => Promise.resolve(proof), renew: () => false, secrets: () => secrets }
}

function signing(auth: Extract<Auth, { type: 'hmac' }>, key: Buffer | undefined): Authentication {
  if (key === undefined) throw new Error('the key that signs is not Base64')
  return {
    renew: () => false,
    secrets: () => [],
    prove({ method, url, body = '', nonce, now }) {
      const { pathname, search } = new URL(url)
      const timestamp = timestampText(now, auth.timestamp.form)
      const signature = signatureOf(auth, key, {
        method,
        path: pathname,
        query: search.slice(1),
        target: `${pathname}${search}`,
        body,
        body_sha256: createHash('sha256').update(body).digest('hex'),
        body_sha256_base64: createHash('sha256').update(body).digest('base64'),
        timestamp,
        nonce,
      })
      const headers = {
        [auth.header]: signature,
        ...(auth.timestamp.header !== null && { [auth.timestamp.header]: timestamp }),
        ...(auth.nonceHeader !== null && { [auth.nonceHeader]: nonce }),
      }
      return Promise.resolve({ ok: true, headers })
    },
  }
}

// ── OAuth 2 client credentials ──

type Token = { readonly proof: Proof; readonly usableUntilMs: number; readonly secret: string }

/** Margin before a token's end, so that it does not expire on the way. */
const TOKEN_MARGIN_MS = 30_000
/** Lifetime assumed when the supplier does not state one. */
const TOKEN_LIFE_S = 300
const TOKEN_LIFE_S_MAX = 24 * 3_600
const TOKEN_BYTES_MAX = 64 * 1_024
const TOKENS_HIDDEN = 3

function withTokens(
  auth: Extract<Auth, { type: 'oauth2_client_credentials' }>,
  settings: AuthenticationSettings,
): Authentication {
  let token: Token | undefined
  let asking: Promise<Token> | undefined
  const credentials = clientCredentials(auth, settings)
  /** Recent tokens, which must stay hidden: an order sent with one may be answered after the next one was granted. */
  let granted: readonly string[] = []

  /** Asks for a token once for all waiting requests, with its own deadline. */
  function ask(): Promise<Token> {
    asking ??= fetchToken(auth, settings)
      .then((fetched) => {
        token = fetched
        if (fetched.secret !== '') granted = [fetched.secret, ...granted].slice(0, TOKENS_HIDDEN)
        return fetched
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  return {
    async prove(_, signal) {
      if (token?.proof.ok && settings.nowMs() < token.usableUntilMs) return token.proof
      return untilAborted(
        ask().then(({ proof }) => proof),
        signal,
      )
    },
    renew(refused) {
      // A newer token may have been fetched meanwhile; keep that one.
      if (token?.proof === refused) token = undefined
      return true
    },
    secrets: () => [credentials, ...granted],
  }
}

function clientCredentials(
  auth: Extract<Auth, { type: 'oauth2_client_credentials' }>,
  { secretOf }: Pick<AuthenticationSettings, 'secretOf'>,
): string {
  // RFC 6749, 2.3.1: both are form-encoded first.
  return basic(percentEncode(secretOf(auth.clientId)), percentEncode(secretOf(auth.clientSecret)))
}

/** Returns the seconds that a token lives; a supplier that names no time above zero gets the usual one. */
function lifeOf(value: unknown): number {
  const seconds = Number(value ?? TOKEN_LIFE_S)
  return seconds > 0 ? seconds : TOKEN_LIFE_S
}

async function fetchToken(
  auth: Extract<Auth, { type: 'oauth2_client_credentials' }>,
  settings: AuthenticationSettings,
): Promise<Token> {
  const askedAtMs = settings.nowMs()
  const answer = await settings.outbound.send(tokenRequest(auth, settings))
  const none = (reason: string): Token => ({ proof: { ok: false, reason }, usableUntilMs: 0, secret: '' })
  if (answer.kind === 'failed') return none(`no token: ${answer.reason}`)
  if (answer.status !== 200) return none(`no token: the token endpoint answered ${answer.status}`)
  const granted = parseJson(answer.body)
  const accessToken = valueAt(granted, auth.tokenPath)
  const lifeS = textAt(granted, auth.expiresPath)
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(accessToken)) {
    return none('no token: the token endpoint answered something else')
  }
  const life = Math.min(lifeOf(lifeS), TOKEN_LIFE_S_MAX) * 1_000
  // A token that lives less than twice the margin is used for half its life.
  return {
    proof: { ok: true, headers: { authorization: `Bearer ${accessToken}` } },
    usableUntilMs: askedAtMs + Math.max(life - TOKEN_MARGIN_MS, life / 2),
    secret: accessToken,
  }
}

function tokenRequest(
  auth: Extract<Auth, { type: 'oauth2_client_credentials' }>,
  settings: AuthenticationSettings,
): OutboundRequest {
  const { secretOf, connectionsMax, tokenTimeoutMs } = settings
  const writer: Writer = { values: {}, secretOf, onMade: () => {} }
  const fields: (readonly [string, string])[] = [
    ['grant_type', 'client_credentials'],
    ...(auth.scope === null ? [] : [['scope', auth.scope] as const]),
    ...(auth.clientAuth === 'basic'
      ? []
      : [
          ['client_id', secretOf(auth.clientId)] as const,
          ['client_secret', secretOf(auth.clientSecret)] as const,
        ]),
    ...auth.extra.map(([name, source]) => [name, textOf(source, writer)] as const),
  ]
  const isJson = auth.request === 'json'
  return {
    method: 'POST',
    url: auth.tokenUrl,
    headers: {
      accept: 'application/json',
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      ...writeHeaders(auth.headers, writer),
      ...(auth.clientAuth === 'basic' && { authorization: `Basic ${clientCredentials(auth, settings)}` }),
    },
    body: isJson
      ? JSON.stringify(Object.fromEntries(fields))
      : fields.map(([name, value]) => `${name}=${percentEncode(value)}`).join('&'),
    answerBytesMax: TOKEN_BYTES_MAX,
    connectionsMax,
    resolvesWithinMs: tokenTimeoutMs / 2,
    signal: AbortSignal.timeout(tokenTimeoutMs),
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Stops waiting when the signal aborts; other requests still get the token. */
function untilAborted(proof: Promise<Proof>, signal: AbortSignal): Promise<Proof> {
  const tooLate: Proof = { ok: false, reason: 'no token in time' }
  if (signal.aborted) return Promise.resolve(tooLate)
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(tooLate)
    signal.addEventListener('abort', giveUp, { once: true })
    proof.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
