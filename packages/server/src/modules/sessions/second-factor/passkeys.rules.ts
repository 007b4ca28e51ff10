import { createHash } from 'node:crypto'
import { text } from '../../../lib/input/fields.ts'
import type { PersonKey } from '../people/people.types.ts'
import type { RelyingParty } from './passkeys.types.ts'

export const PASSKEYS_MAX = 20
export const CHALLENGE_LIFETIME_SECONDS = 5 * 60
export const CHALLENGE_BYTES = 32

/** Ways to reach a device that browsers report. Others are dropped: they go back to the browser as they are. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** Algorithms of COSE: ES256, EdDSA and RS256. Every device knows one of them. */
export const ALGORITHMS: readonly number[] = [-7, -8, -257]

export const PASSKEY_RULES = { label: text(1, 100) }

/** Name of the person at their device. It is an opaque number of bytes, as the standard asks. */
export function userHandleOf({ kind, resellerId, id }: PersonKey): Buffer {
  return createHash('sha256').update(`passkey:${kind}:${resellerId}:${id}`, 'utf8').digest()
}

/**
 * Finds the site from the addresses of the pages, the preferred one first. undefined: browsers offer no passkeys there,
 * because the page is neither reached by https nor on the person's own machine, or has an address without a name.
 */
export function findRelyingParty(addresses: readonly string[]): RelyingParty | undefined {
  const pages = addresses.map(pageOf)
  const id = pages[0]?.hostname
  if (id === undefined) return undefined
  const origins = pages
    .filter((page) => page !== undefined)
    .filter(({ hostname }) => hostname === id || hostname.endsWith(`.${id}`))
    .map(({ origin }) => origin)
  return { id, origins: [...new Set(origins)] }
}

/** Hosts without a name, in the form to which URL brings them: browsers give them no passkeys. */
const NUMERIC = /^(\[.*\]|[\d.]+)$/
const LOOPBACK = new Set(['127.0.0.1', '[::1]', '0.0.0.0', '[::]'])

/** Address of the page as a browser shows it where passkeys work: the machine's own is `localhost`. */
function pageOf(address: string): URL | undefined {
  const url = new URL(address)
  if (LOOPBACK.has(url.hostname)) url.hostname = 'localhost'
  if (url.hostname === 'localhost' || url.hostname.endsWith('.localhost')) return url
  return url.protocol === 'https:' && !NUMERIC.test(url.hostname) ? url : undefined
}
