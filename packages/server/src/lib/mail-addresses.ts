/** Whom mails come from. */
export type Sender = { readonly name: string; readonly address: string }

// One address and nothing else: whatever could end a header or add a recipient is not in it.
const ADDRESS = /^[^\s@<>(),;:"\\\p{Cc}\p{Cs}]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/u
const ADDRESS_LENGTH_MAX = 254

export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(text)
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
