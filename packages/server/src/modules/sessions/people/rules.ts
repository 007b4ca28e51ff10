import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ADDRESS_LENGTH_MAX } from '../../../lib/mail-addresses.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { OperatorRole } from '../../accounts/types.ts'
import type { Target } from '../../audit/types.ts'
import type { Person, PersonKind } from './people.types.ts'

type Limits = { readonly idleSeconds: number; readonly lifetimeSeconds: number }

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS

export const SESSION_LIMITS: Readonly<Record<PersonKind, Limits>> = {
  operator: { idleSeconds: 30 * MINUTE_SECONDS, lifetimeSeconds: 12 * HOUR_SECONDS },
  member: { idleSeconds: 12 * HOUR_SECONDS, lifetimeSeconds: 7 * DAY_SECONDS },
}

/** Days after the last use of a device. Browsers keep no cookie for longer than 400 days. */
export const DEVICE_LIFETIME_DAYS = 365
/** Days after the last use of a shared till. */
export const SHARED_TILL_LIFETIME_DAYS = 30
/** Life of a session that a PIN opened: a long day at the till. */
export const PIN_SESSION_SECONDS = 16 * HOUR_SECONDS
/** Sessions are touched once a minute, so the end for lack of use comes that much after the page locks itself. */
export const TOUCHED_AFTER_SECONDS = MINUTE_SECONDS
/** Days after the last use of a network. It is short, because addresses change their users. */
export const NETWORK_LIFETIME_DAYS = 30
/** How long a proof that a session gave counts, for any number of acts. */
export const PROOF_LIFETIME_SECONDS = 5 * MINUTE_SECONDS
export const RESET_LIFETIME_SECONDS = 30 * MINUTE_SECONDS
/** Limit of mails to one person, so that repeated requests do not fill the mailbox. */
export const RESETS_PER_HOUR_MAX = 3
export const INVITATION_LIFETIME_SECONDS = 7 * DAY_SECONDS
export const INVITATIONS_MAX = 50
export const INVITATIONS_PER_DAY_MAX = 100
/** Limit per day of invitations to one address, by all inviters together, so that they do not fill the mailbox. */
export const INVITATIONS_PER_ADDRESS_MAX = 3
export const OPERATOR_TOKEN_DAYS_MAX = 366
export const OPERATOR_TOKENS_MAX = 50
/** Limit of sessions of one person. A new one ends the one that was used longest ago. */
export const SESSIONS_MAX = 50

/** Limit of a login: an operator's is a mail address, and no other is longer. */
export const LOGIN_LENGTH_MAX = ADDRESS_LENGTH_MAX

/** Tells whether the text can be a name in lower case. Lower case may be longer than the text that was sent. */
export function isLogin(name: string): boolean {
  return name.length <= LOGIN_LENGTH_MAX && !name.includes('\u0000')
}

// ── Secrets ──

const SECRET_BYTES = 32

/** Makes a secret of 256 random bits. The prefix lets secret scanners, and people, see what leaked. */
export function newSecret(prefix: '' | 'wop_' | 'wpr_' | 'wiv_' | 'wst_'): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url')
}

/** Prefix of the secrets of sessions that PINs open. */
const PIN_SECRET = 'pin_'

export function newPinSecret(): string {
  return PIN_SECRET + newSecret('')
}

/**
 * Digest by which a session is found. The one of a PIN is made otherwise: a node of an earlier release, which knows no
 * such sessions and would give them all rights of their person, does not find it.
 */
export function sessionDigestOf(secret: string): Buffer {
  return digestOf(secret.startsWith(PIN_SECRET) ? `session by PIN: ${secret}` : secret)
}

/**
 * CSRF token of a session. It is made from the session's secret, works with no other session, and does not reveal the
 * secret.
 */
export function csrfTokenOf(sessionSecret: string): string {
  return createHmac('sha256', sessionSecret).update('csrf').digest('base64url')
}

/** Compares in constant time, which does not reveal how much of the secret is right. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected))
}

// ── Cookies ──

const COOKIE_NAMES: Readonly<Record<PersonKind, string>> = {
  operator: 'warung_operator',
  member: 'warung_member',
}

/** Cookie of the session, the one by which a browser is known at the next sign-in, or that of a shared till. */
export type CookiePurpose = 'session' | 'device' | 'till'

/** Name of the cookie. The prefix makes browsers refuse it from anywhere but this host, over TLS. */
export function cookieName(kind: PersonKind, isSecure: boolean, purpose: CookiePurpose = 'session'): string {
  const name = purpose === 'session' ? COOKIE_NAMES[kind] : `${COOKIE_NAMES[kind]}_${purpose}`
  return isSecure ? `__Host-${name}` : name
}

export function findCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** Text of the session's cookie. An empty value with no time left removes it. */
export function cookieOf(
  kind: PersonKind,
  isSecure: boolean,
  { value, seconds }: { value: string; seconds: number },
): string {
  return cookieText(cookieName(kind, isSecure), isSecure, { value, seconds })
}

/** Text of the device's cookie. It stays when the person signs out, because it gives no access. */
export function deviceCookieOf(kind: PersonKind, isSecure: boolean, value: string): string {
  const seconds = DEVICE_LIFETIME_DAYS * DAY_SECONDS
  return cookieText(cookieName(kind, isSecure, 'device'), isSecure, { value, seconds })
}

/** Text of the shared till's cookie. It gives no access by itself: it lets people of the shop come in by PIN. */
export function tillCookieOf(isSecure: boolean, value: string): string {
  const seconds = SHARED_TILL_LIFETIME_DAYS * DAY_SECONDS
  return cookieText(cookieName('member', isSecure, 'till'), isSecure, { value, seconds })
}

function cookieText(
  name: string,
  isSecure: boolean,
  { value, seconds }: { value: string; seconds: number },
): string {
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${seconds}`, 'HttpOnly']
  return [...parts, 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ')
}

// ── Origin of a request ──

export type Origins = {
  /** Origins of the service's own pages, if they are configured. */
  readonly own: readonly string[]
  readonly isSecure: boolean
}

/**
 * Tells whether a browser reports that a page of another site made the request. Requests without such headers are not
 * foreign.
 */
export function isForeign(
  { own, isSecure }: Origins,
  sent: { origin: string | undefined; site: string | undefined; host: string | undefined },
): boolean {
  if (sent.site === 'cross-site') return true
  if (sent.origin === undefined) return sent.site === 'same-site'
  if (own.includes(sent.origin)) return false
  if (!URL.canParse(sent.origin)) return true
  const { protocol, host } = new URL(sent.origin)
  return host !== sent.host?.toLowerCase() || (isSecure && protocol !== 'https:')
}

/** Reads the session's id from the id of a caller's credential. undefined: the credential is no session. */
export function findSessionId(credentialId: string): bigint | undefined {
  const id = /^session:(\d+)$/.exec(credentialId)?.[1]
  return id === undefined ? undefined : BigInt(id)
}

// ── The log ──

/** Target in the log. A user name is shown with its account, because people look for it there. */
export function targetOf({ kind, login, account }: Pick<Person, 'kind' | 'login' | 'account'>): Target {
  return kind === 'operator' ? { kind, id: login } : { kind: 'user', id: `${account}/${login}` }
}

// ── Roles ──

/** Tells whether a person of one role may make a token of another. Such a token may do only what both roles may. */
export function coversRole(own: OperatorRole, wanted: OperatorRole): boolean {
  return own === 'admin' || own === wanted || wanted === 'read_only'
}
