import { createHmac, randomBytes } from 'node:crypto'
import { parseQuery } from '../../../lib/input/forms.ts'
import { isFresh, isSameText } from './callbacks.rules.ts'
import type { SimulatorAuth } from './types.ts'
import { REQUEST_SIGNATURE_HEADERS } from './wire.schemas.ts'

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>
export type SignedQuestion = { method: string; url: string; headers: Headers; body: string }

export type IssuedToken = { access_token: string; token_type: 'Bearer'; expires_in: number }

/** Authentication of clients. */
export type Gate = {
  admits(question: SignedQuestion): boolean
  /** Returns undefined when the credentials are not the client's, or this simulator issues no tokens. */
  issueToken(question: SignedQuestion): IssuedToken | undefined
  /** Makes every token issued so far invalid. */
  revokeTokens(): void
}

export type GateSettings = { auth: SimulatorAuth; nowMs: () => number; tokenLifetimeMs: number }

const TOKENS_MAX = 1_000

export function createGate({ auth, nowMs, tokenLifetimeMs }: GateSettings): Gate {
  const tokens = new Map<string, number>()

  function admitsToken(token: string): boolean {
    const expiresAtMs = tokens.get(token)
    return expiresAtMs !== undefined && expiresAtMs > nowMs()
  }

  return {
    admits(question) {
      const authorization = headerOf(question.headers, 'authorization')
      switch (auth.kind) {
        case 'none':
          return true
        case 'basic':
          return isSameText(authorization, basicOf(auth.username, auth.password))
        case 'bearer':
          return isSameText(authorization, `Bearer ${auth.token}`)
        case 'hmac':
          return isWellSigned(auth.secret, question, nowMs())
        case 'oauth2':
          return authorization.startsWith('Bearer ') && admitsToken(authorization.slice('Bearer '.length))
      }
    },
    issueToken(question) {
      if (auth.kind !== 'oauth2' || !isClient(auth, question)) return undefined
      if (tokens.size >= TOKENS_MAX) tokens.clear()
      const token = randomBytes(24).toString('base64url')
      tokens.set(token, nowMs() + tokenLifetimeMs)
      return { access_token: token, token_type: 'Bearer', expires_in: Math.floor(tokenLifetimeMs / 1_000) }
    },
    revokeTokens: () => tokens.clear(),
  }
}

/** Checks the credentials as RFC 6749 allows: in the form, or as Basic. */
function isClient(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  { headers, body }: SignedQuestion,
): boolean {
  const { grant_type, client_id, client_secret } = parseQuery(body)
  if (grant_type !== 'client_credentials') return false
  if (isSameText(headerOf(headers, 'authorization'), basicOf(clientId, clientSecret))) return true
  return isSameText(String(client_id), clientId) && isSameText(String(client_secret), clientSecret)
}

function isWellSigned(
  secret: string,
  { method, url, headers, body }: SignedQuestion,
  nowMs: number,
): boolean {
  const timestamp = headerOf(headers, REQUEST_SIGNATURE_HEADERS.timestamp)
  if (!isFresh(timestamp, nowMs)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.${method}.${url}.${body}`).digest('hex')
  return isSameText(headerOf(headers, REQUEST_SIGNATURE_HEADERS.signature).toLowerCase(), expected)
}

function basicOf(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function headerOf(headers: Headers, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
