// Search for many secrets at once in bytes: logs, dumps and raw files of a database.

/** Secrets by name, such as `password of the member`. */
export type Secrets = ReadonlyMap<string, string>

/** Returns the names of the secrets that stand in the bytes in some spelling. */
export type Scanner = (bytes: Buffer) => string[]

/** A shorter needle would be found by chance in megabytes of random bytes. */
const NEEDLE_BYTES_MIN = 8

type Needle = { readonly name: string; readonly bytes: Buffer }

/**
 * Makes a scanner that reads the bytes once, however many secrets there are: most positions are ruled out by a table
 * of the first two bytes of all needles.
 */
export function createScanner(secrets: Secrets): Scanner {
  const needles = [...secrets].flatMap(([name, value]) => spellingsOf(name, value))
  const byStart = new Map<number, Needle[]>()
  const starts = new Uint8Array(65_536)
  for (const needle of needles) {
    const start = needle.bytes.readUInt16BE(0)
    starts[start] = 1
    byStart.set(start, [...(byStart.get(start) ?? []), needle])
  }
  return (bytes) => {
    const found = new Set<string>()
    let previous = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const start = (previous << 8) | (bytes[at] as number)
      previous = start & 0xff
      if (starts[start] !== 1) continue
      for (const needle of byStart.get(start) ?? []) if (isAt(bytes, at - 1, needle)) found.add(needle.name)
    }
    return [...found].sort()
  }
}

function isAt(bytes: Buffer, at: number, { bytes: needle }: Needle): boolean {
  if (at < 0 || at + needle.length > bytes.length) return false
  for (let index = 0; index < needle.length; index += 1) {
    if (bytes[at + index] !== needle[index]) return false
  }
  return true
}

/** Spells a secret as it could lie about: as text, in Base64, as the bytes that it stands for, and each in hex. */
function spellingsOf(name: string, value: string): Needle[] {
  const plain = Buffer.from(value)
  const raw = [plain, Buffer.from(value.replaceAll('-', '')), ...decodedOf(value)]
  const texts = raw.flatMap((bytes) => [
    bytes,
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('hex').toUpperCase()),
    Buffer.from(bytes.toString('base64').replace(/=+$/, '')),
    Buffer.from(bytes.toString('base64url')),
  ])
  const distinct = new Map(texts.map((bytes) => [bytes.toString('latin1'), bytes]))
  for (const bytes of distinct.values()) {
    if (bytes.length < NEEDLE_BYTES_MIN) throw new Error(`${name} is too short to be searched for`)
  }
  return [...distinct.values()].map((bytes) => ({ name, bytes }))
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the bytes of a secret that is shown in Base64 or, as an authenticator's is, in Base32. */
function decodedOf(value: string): Buffer[] {
  const base64 = value.replace(/^whsec_/, '')
  if (/^[A-Z2-7]{32}$/.test(value)) {
    const bits = [...value].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
    return [Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))]
  }
  return /^[A-Za-z0-9+/]{43}=$/.test(base64) ? [Buffer.from(base64, 'base64')] : []
}
