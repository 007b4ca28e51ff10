import { timingSafeEqual } from 'node:crypto'
import { parseQuery } from '../../../lib/input/forms.ts'

const COOKIE = 'warung_mailbox'

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
