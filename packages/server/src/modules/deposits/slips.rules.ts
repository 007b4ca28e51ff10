import { invalidFields } from '../../lib/errors.ts'
import type { Slip, SlipKind } from './types.ts'

// Slips are told apart by their content, never by a name or a header that a client sends. A file passes when its
// structure is whole; that its picture can be shown is not checked, and nothing here decodes one.

export const SLIP_BYTES_MAX = 2 * 1024 * 1024
/** Length of the largest slip in base64. */
export const SLIP_TEXT_MAX = Math.ceil(SLIP_BYTES_MAX / 3) * 4

const PIXELS_MAX = 30_000
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Reads a slip from base64. Throws a 400 about `slip`. */
export function readSlip(encoded: string): Slip {
  const isEncoded = encoded.length % 4 === 0 && BASE64.test(encoded)
  const bytes = isEncoded ? Buffer.from(encoded, 'base64') : Buffer.alloc(0)
  if (bytes.length === 0) throw invalidFields({ slip: ['must be a file in base64'] })
  if (bytes.length > SLIP_BYTES_MAX) throw invalidFields({ slip: ['must be a file of at most 2 MB'] })
  const kind = slipKindOf(bytes)
  if (kind === undefined) {
    throw invalidFields({ slip: ['must be a picture (PNG, JPEG or WebP) or a PDF that is whole'] })
  }
  return { kind, bytes }
}

const READERS: Readonly<Record<SlipKind, (bytes: Buffer) => boolean>> = {
  jpeg: isJpeg,
  pdf: isPdf,
  png: isPng,
  webp: isWebp,
}

/** Kind of a file. undefined: it is none of them, or it is broken. */
export function slipKindOf(bytes: Buffer): SlipKind | undefined {
  return (Object.keys(READERS) as SlipKind[]).find((kind) => READERS[kind](bytes))
}

function isSize(width: number, height: number): boolean {
  return width > 0 && height > 0 && width <= PIXELS_MAX && height <= PIXELS_MAX
}

const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex')
/** Length, type and check sum of a chunk. */
const PNG_FRAME_BYTES = 12

/** Walks the chunks: a header first, a picture, and an end that is the end of the file. */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(PNG_HEAD)) return false
  let hasPicture = false
  for (let at = 8; at + PNG_FRAME_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const next = at + PNG_FRAME_BYTES + length
    if (next > bytes.length || !/^[A-Za-z]{4}$/.test(type)) return false
    if (at === 8 && !isPngHeader(bytes, at, type, length)) return false
    if (type === 'IDAT') hasPicture = true
    if (type === 'IEND') return hasPicture && length === 0 && next === bytes.length
    at = next
  }
  return false
}

function isPngHeader(bytes: Buffer, at: number, type: string, length: number): boolean {
  return type === 'IHDR' && length === 13 && isSize(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12))
}

const JPEG_START = 0xffd8
const JPEG_END = Buffer.from('ffd9', 'hex')
const JPEG_SCAN = 0xda
/** Markers of a frame's header, which has the size; three numbers of the range mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Walks the segments up to the picture's data, which must follow a frame with a size and come to its end. */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== JPEG_START) return false
  let hasSize = false
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes.readUInt8(at) !== 0xff) return false
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    const next = at + 2 + length
    if (length < 2 || next > bytes.length) return false
    if (isFrame(marker)) {
      if (length < 8 || !isSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))) return false
      hasSize = true
    }
    // Cameras may add data after the end, so the end is looked for and need not be the last bytes.
    if (marker === JPEG_SCAN) return hasSize && bytes.indexOf(JPEG_END, next) > next
    at = next
  }
  return false
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X'])

/** Checks the frame around the picture: its length is the file's, and its first chunk lies inside. */
function isWebp(bytes: Buffer): boolean {
  if (bytes.length < 30) return false
  const text = (from: number) => bytes.toString('latin1', from, from + 4)
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP' || !WEBP_CHUNKS.has(text(12))) return false
  return bytes.readUInt32LE(4) + 8 === bytes.length && bytes.readUInt32LE(16) + 20 <= bytes.length
}

const PDF_HEAD = /^%PDF-[12]\.\d/
const PDF_TAIL_BYTES = 1_024
/** Parts that a bank's slip does not have, and that make a PDF act when it is opened. */
const PDF_ACTIVE = ['/JavaScript', '/Launch', '/EmbeddedFile', '/RichMedia']

function isPdf(bytes: Buffer): boolean {
  if (!PDF_HEAD.test(bytes.toString('latin1', 0, 8))) return false
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - PDF_TAIL_BYTES))
  if (!/startxref\s+\d+\s+%%EOF\s*$/.test(tail)) return false
  return PDF_ACTIVE.every((part) => !bytes.includes(part))
}
