import type { Rule } from './input/fields.ts'
import { textRule } from './input/fields.ts'

/** Sender of mails. */
export type Sender = { readonly name: string; readonly address: string }

export const ADDRESS_LENGTH_MAX = 254

// LOCAL_PART allows one address alone: no character that could end a header or add a recipient.
const LOCAL_PART = /^[^\s@<>(),;:"\\[\]\p{Cc}\p{Cs}]{1,64}$/u
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Tells whether an address is plausible; only a mail can show that it is read. */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  return (
    text.length <= ADDRESS_LENGTH_MAX &&
    more.length === 0 &&
    LOCAL_PART.test(local) &&
    domain.split('.').every((label) => LABEL.test(label))
  )
}

/** Rule for a mail address in a field. */
export const MAIL_ADDRESS: Rule<string> = textRule({
  message: `must be an e-mail address of at most ${ADDRESS_LENGTH_MAX} characters`,
  schema: { format: 'email', minLength: 3, maxLength: ADDRESS_LENGTH_MAX },
  parse(text) {
    const address = text.trim()
    return isMailAddress(address) ? address : undefined
  },
})

/** Returns each address once, in the spelling that came first; invalid ones are left out. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const bySpelling = new Map<string, string>()
  for (const address of addresses) {
    const key = address.toLowerCase()
    if (isMailAddress(address) && !bySpelling.has(key)) bySpelling.set(key, address)
  }
  return [...bySpelling.values()]
}

/** Turns text into one line for a header or a body: no line break, nothing unprintable, of bounded length. */
export function oneLine(text: string, lengthMax: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= lengthMax ? line : `${characters.slice(0, lengthMax - 1).join('')}…`
}

const NAME_LENGTH_MAX = 100

/** Rule for the sender of mails. */
export const SENDER: Rule<Sender> = textRule({
  message: 'must be an address, or a name with it: Warung <mail@example.com>',
  schema: { maxLength: ADDRESS_LENGTH_MAX + NAME_LENGTH_MAX + ' <>'.length },
  parse: parseSender,
})

/** Parses `Name <address>` or an address alone; undefined when it is neither. */
export function parseSender(text: string): Sender | undefined {
  const trimmed = text.trim()
  const named = /^(?<name>[^<>"]*)<(?<address>[^<>]+)>$/.exec(trimmed)?.groups
  const name = (named?.name ?? '').trim()
  const address = named?.address ?? trimmed
  return isMailAddress(address) && name === oneLine(name, NAME_LENGTH_MAX) ? { name, address } : undefined
}
