import type { Rule } from '../../lib/input/fields.ts'
import { textRule } from '../../lib/input/fields.ts'

export const LOGO_BYTES_MAX = 24 * 1024
/** Longest side; a printer of 80 mm has 576 dots. */
export const LOGO_SIDE_MAX = 576

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Base64 of a small PNG; an empty text is none. Everything else that browsers show may hold scripts, or addresses of others. */
export const LOGO: Rule<Buffer | null> = textRule<Buffer | null>({
  message: `must be the base64 of a PNG of at most ${LOGO_BYTES_MAX} bytes and ${LOGO_SIDE_MAX} by ${LOGO_SIDE_MAX} pixels`,
  schema: { contentEncoding: 'base64', maxLength: base64Length(LOGO_BYTES_MAX) },
  parse(text) {
    if (text === '') return null
    if (text.length > base64Length(LOGO_BYTES_MAX) || !BASE64.test(text)) return undefined
    const bytes = Buffer.from(text, 'base64')
    return isSmallPng(bytes) ? bytes : undefined
  },
})

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/** Reads signature, the first chunk with the size, and the last one: nothing stands behind it. */
function isSmallPng(bytes: Buffer): boolean {
  if (bytes.length < 57 || bytes.length > LOGO_BYTES_MAX) return false
  if (!bytes.subarray(0, 8).equals(SIGNATURE) || !bytes.subarray(-END.length).equals(END)) return false
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return false
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)].every((side) => side > 0 && side <= LOGO_SIDE_MAX)
}
