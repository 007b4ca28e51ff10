import { member } from '../../http/codec.ts'
import { ACCOUNT_NUMBER } from '../../lib/input/codes.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { isPlainAscii } from '../../lib/input/fields.ts'

/** Form of an account in an address or an option. One that no reseller has is answered with the nearest names. */
const KNOWN_ACCOUNT: Rule<string> = {
  ...ACCOUNT_NUMBER,
  read: (value) => (typeof value === 'string' && isPlainAscii(value) ? value : undefined),
  parse: (text) => (isPlainAscii(text) ? text : undefined),
}

/** Reseller that an act is about. In the portal it is always the session's. */
export const OF_RESELLER = member(KNOWN_ACCOUNT, {
  identifies: 'reseller',
  description: "The reseller's account number",
  option: { name: 'reseller', value: 'ACCOUNT', help: "the reseller's account number" },
})
