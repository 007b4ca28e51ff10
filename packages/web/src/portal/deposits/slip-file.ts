/** Largest slip that the service takes. */
const SLIP_BYTES_MAX = 2 * 1024 * 1024

/** Kinds that the service takes, with the bytes that their files begin with. */
const HEADS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
} as const

export const SLIP_ACCEPT = '.png,.jpg,.jpeg,.webp,.pdf,image/png,image/jpeg,image/webp,application/pdf'

export const SLIP_TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const

export type SlipProblem = 'empty' | 'large' | 'kind'

/** Slip ready to be sent, or why it cannot be. */
export type SlipFile =
  | { readonly name: string; readonly base64: string }
  | { readonly name: string; readonly problem: SlipProblem }

/** Checks a file by its size and its first bytes, never by its name, before anything is sent. */
export async function readSlipFile(file: File): Promise<SlipFile> {
  const { name } = file
  if (file.size === 0) return { name, problem: 'empty' }
  if (file.size > SLIP_BYTES_MAX) return { name, problem: 'large' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isSlip(bytes)) return { name, problem: 'kind' }
  return { name, base64: base64Of(bytes) }
}

function isSlip(bytes: Uint8Array): boolean {
  const beginsWith = (head: readonly number[]) => head.every((each, index) => bytes[index] === each)
  return Object.values(HEADS).some(beginsWith) || isWebp(bytes)
}

function isWebp(bytes: Uint8Array): boolean {
  const word = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4))
  return word(0) === 'RIFF' && word(8) === 'WEBP'
}

/** Bytes that `String.fromCharCode` takes at once. */
const SLICE_BYTES = 0x8000

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE_BYTES))
  }
  return btoa(text)
}
