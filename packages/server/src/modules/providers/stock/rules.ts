import { createHmac } from 'node:crypto'
import type { FulfilledOutput } from '../port/types.ts'
import type { ItemContent } from './types.ts'

const REFERENCE = /^W(\d{1,19})-\d+$/
const ID_MAX = 2n ** 63n - 1n

/** Returns the payment that an order's reference names, for any attempt; undefined when the reference is not ours. */
export function paymentIdOf(reference: string): bigint | undefined {
  const digits = REFERENCE.exec(reference)?.[1]
  if (digits === undefined) return undefined
  const id = BigInt(digits)
  return id <= ID_MAX ? id : undefined
}

const FINGERPRINT_BYTES = 16

/**
 * Identifies an item among all that were ever loaded. The same PIN with other spaces or dashes, or under another
 * product, is the same PIN: it can be used only once.
 */
export function fingerprintOf(key: Buffer, { pin, link }: ItemContent): Buffer {
  const subject = pin === '' ? `link:${link}` : `pin:${pin.replace(/[\s-]/g, '')}`
  return createHmac('sha256', key).update(subject, 'utf8').digest().subarray(0, FINGERPRINT_BYTES)
}

/** Context that an item is sealed with: moved to another row, it does not open there. */
export function contextOf(fingerprint: Buffer): string {
  return `stock_item:${fingerprint.toString('hex')}`
}

export function packContent({ pin, serialNumber, link }: ItemContent): Buffer {
  return Buffer.from(JSON.stringify([pin, serialNumber, link]), 'utf8')
}

export function unpackContent(packed: Buffer): ItemContent {
  const [pin, serialNumber, link] = JSON.parse(packed.toString('utf8')) as [string, string, string]
  return { pin, serialNumber, link }
}

export function outputOf({ pin, serialNumber, link }: ItemContent, expiry: string): FulfilledOutput {
  return { serialNumber, pin, expiry, voucherLink: link, note: '' }
}
