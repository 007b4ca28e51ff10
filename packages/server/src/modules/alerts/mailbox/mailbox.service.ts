import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { parseQuery } from '../../../lib/input/forms.ts'
import type { MasterKey } from '../../../lib/secrets/sealing.ts'

const TOKEN_BYTES = 24
const COOKIE = 'warung_mailbox'

/**
 * Makes the token from the master key, so that it is the same on every process and node of a service, and after a
 * restart.
 */
export function mailboxToken([current]: readonly MasterKey[]): string {
  if (current === undefined) throw new Error('there is no master key')
  const bytes = hkdfSync('sha256', current.bytes, '', 'warung mailbox token', TOKEN_BYTES)
  return Buffer.from(bytes).toString('base64url')
}

/** Tells whether the request carries the token, in its query or in the cookie that an earlier page set. */
export function opensMailbox(token: string, request: { rawQuery: string; cookies: string }): boolean {
  const asked = parseQuery(request.rawQuery).token
  if (typeof asked === 'string' && isSame(token, asked)) return true
  const pairs = request.cookies.split(';')
  return pairs.some((pair) => {
    const [name, value = ''] = pair.trim().split('=')
    return name === COOKIE && isSame(token, value)
  })
}

export function cookieOfMailbox(token: string): string {
  return `${COOKIE}=${token}; Path=/mailbox; HttpOnly; SameSite=Strict`
}

function isSame(token: string, given: string): boolean {
  const a = Buffer.from(token, 'utf8')
  const b = Buffer.from(given, 'utf8')
  return a.length === b.length && timingSafeEqual(a, b)
}
