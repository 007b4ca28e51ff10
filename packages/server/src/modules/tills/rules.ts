import type { Amount } from '../../lib/money.ts'
import type { Movement, MovementKind, ShiftSale } from './types.ts'

const SIGNS: Readonly<Record<MovementKind, bigint>> = { pay_in: 1n, pay_out: -1n, not_cash: -1n }

/** Cash that a drawer should hold: the float and the sales, with what was put in, taken out or paid otherwise. */
export function expectedCash(
  float: Amount,
  sales: readonly Pick<ShiftSale, 'faceValue'>[],
  movements: readonly Pick<Movement, 'kind' | 'amount'>[],
): Amount {
  const sold = sales.reduce((sum, { faceValue }) => sum + faceValue, 0n)
  return movements.reduce((sum, { kind, amount }) => sum + SIGNS[kind] * amount, float + sold)
}

const COOKIE = 'warung_till'
const LIFETIME_SECONDS = 400 * 86_400

/** Name of the cookie that makes a browser a till. The prefix makes browsers refuse it from anywhere but this host, over TLS. */
export function tillCookieName(isSecure: boolean): string {
  return isSecure ? `__Host-${COOKIE}` : COOKIE
}

/** Text of the cookie. It stays when people sign out: it gives no access, and says only where a signed-in person is. */
export function tillCookieOf(secret: string, isSecure: boolean): string {
  const parts = [`${tillCookieName(isSecure)}=${secret}`, 'Path=/', `Max-Age=${LIFETIME_SECONDS}`, 'HttpOnly']
  return [...parts, 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ')
}
