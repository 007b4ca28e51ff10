import type { Rule } from './input/fields.ts'
import { text as textOf } from './input/fields.ts'

/** Whom mails come from. */
export type Sender = { readonly name: string; readonly address: string }

const ADDRESS_LENGTH_MAX = 254

// One address and nothing else: whatever could end a header or add a recipient is not in it.
const LOCAL_PART = /^[^\s@<>(),;:"\\[\]\p{Cc}\p{Cs}]{1,64}$/u
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Plausible: whether anybody reads it, only a mail can tell. */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  return (
    text.length <= ADDRESS_LENGTH_MAX &&
    more.length === 0 &&
    LOCAL_PART.test(local) &&
    domain.split('.').every((label) => LABEL.test(label))
  )
}

/** As a field spells it. */
export const MAIL_ADDRESS: Rule<string> = {
  words: `must be an e-mail address of at most ${ADDRESS_LENGTH_MAX} characters`,
  schema: { type: 'string', minLength: 3, maxLength: ADDRESS_LENGTH_MAX },
  read(value) {
    const address = textOf(3, ADDRESS_LENGTH_MAX).read(value)
    return address !== undefined && isMailAddress(address) ? address : undefined
  },
}

/** Each address once, in the spelling that came first; what is none is left out. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const bySpelling = new Map<string, string>()
  for (const address of addresses) {
    const key = address.toLowerCase()
    if (isMailAddress(address) && !bySpelling.has(key)) bySpelling.set(key, address)
  }
  return [...bySpelling.values()]
}

/** Text that stands in a header, or in one line of a body: no line break, nothing unprintable, of bounded length. */
export function oneLine(text: string, lengthMax: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= lengthMax ? line : `${characters.slice(0, lengthMax - 1).join('')}…`
}

const NAME_LENGTH_MAX = 100

/** `Name <address>` or an address alone; undefined when it is neither. */
export function parseSender(text: string): Sender | undefined {
  const named = /^(?<name>[^<>"]*)<(?<address>[^<>]+)>$/.exec(text)?.groups
  const name = (named?.name ?? '').trim()
  const address = named?.address ?? text
  return isMailAddress(address) && name === oneLine(name, NAME_LENGTH_MAX) ? { name, address } : undefined
}
