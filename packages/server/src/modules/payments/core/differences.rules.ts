import { hash, timingSafeEqual } from 'node:crypto'
import { EXTRA_NAMES } from './request.rules.ts'
import type { Payment, PaymentRequest } from './types.ts'

/** Parameters that a request is compared with. */
type Stored = Pick<Payment, 'productCode' | 'account' | 'canonicalAccount' | 'amount' | 'extras'>

/**
 * Lists the fields in which a request differs from the existing payment of its refid, by wire name; empty when it asks
 * for the same. It compares with what was sent at that time, never with what it would mean today. Remarks do not count,
 * nor does a plan code that is left out: a program may ask for a status with less than it paid with.
 * Two spellings of one number are one account (`canonicalOf`). A field that cannot be read counts as different. No
 * text repeats a value: one of the values is a secret.
 */
export function findDifferences(
  stored: Stored,
  request: PaymentRequest,
  canonicalOf: (account: string) => string = (account) => account,
): Record<string, string[]> {
  const differing: string[] = []
  if (stored.productCode !== request.product) differing.push('product')
  if (!isSameAccount(stored, request.account, canonicalOf)) differing.push('account')
  if (stored.amount !== request.amount) differing.push('amount')
  if (request.problems.extras !== undefined) differing.push('extras')
  else differing.push(...differingExtras(stored, request))
  return Object.fromEntries(differing.map((name) => [name, [`${name} differs from that of this payment.`]]))
}

function isSameAccount(
  { account, canonicalAccount }: Stored,
  sent: string,
  canonicalOf: (account: string) => string,
): boolean {
  return account === sent || (canonicalAccount ?? canonicalOf(account)) === canonicalOf(sent)
}

function differingExtras(stored: Stored, request: PaymentRequest): string[] {
  return EXTRA_NAMES.filter(([name, wireName]) => {
    if (request.problems[`extras.${wireName}`] !== undefined) return true
    if (name === 'subproductCode' && request.extras[name] === null) return false
    return !isSame(stored.extras[name], request.extras[name])
  }).map(([, wireName]) => `extras.${wireName}`)
}

/** Takes the same time for a near miss as for a far one, because an identity number is among the values. */
function isSame(stored: string | null, sent: string | null): boolean {
  if (stored === null || sent === null) return stored === sent
  return timingSafeEqual(hash('sha256', stored, 'buffer'), hash('sha256', sent, 'buffer'))
}
