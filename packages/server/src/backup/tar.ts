import { join, normalize } from 'node:path'

// Reader of the archive that the server sends: plain files and directories, in the old form of tar.

const BLOCK = 512

export type Entry = {
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly bytes: number
}

export type EntryHandler = {
  begin(entry: Entry): Promise<void>
  data(chunk: Buffer): Promise<void>
  end(entry: Entry): Promise<void>
}

/** Reads an archive and passes on its entries, one after the other. An archive that ends early is an error. */
export async function readTar(source: AsyncIterable<Buffer>, handler: EntryHandler): Promise<void> {
  const reader = createReader(source)
  try {
    for (;;) {
      const header = await reader.readBlock()
      if (header === undefined || header.every((byte) => byte === 0)) return
      const entry = readHeader(header)
      await handler.begin(entry)
      const padding = (BLOCK - (entry.bytes % BLOCK)) % BLOCK
      const isWhole = (await reader.pass(entry.bytes, handler.data)) && (await reader.pass(padding, IGNORE))
      if (!isWhole) throw new Error(`the archive ends in the middle of ${entry.path}`)
      await handler.end(entry)
    }
  } finally {
    await reader.close()
  }
}

const IGNORE = async () => {}

/** Cuts a stream of bytes into pieces of wanted lengths. */
function createReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  /** Reads on when nothing is left; false: the stream has ended. */
  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await chunks.next()
      if (next.done === true) return false
      rest = next.value
    }
    return true
  }

  /** Passes on so many bytes; false: the stream ended before. */
  async function pass(length: number, take: (chunk: Buffer) => Promise<void>): Promise<boolean> {
    for (let left = length; left > 0; ) {
      if (!(await fill())) return false
      const part = rest.subarray(0, left)
      rest = rest.subarray(part.length)
      left -= part.length
      await take(part)
    }
    return true
  }

  return {
    pass,
    /** Reads a header; undefined: the stream has ended. */
    async readBlock(): Promise<Buffer | undefined> {
      const parts: Buffer[] = []
      const isWhole = await pass(BLOCK, async (part) => void parts.push(part))
      return isWhole ? Buffer.concat(parts) : undefined
    },
    async close(): Promise<void> {
      await chunks.return?.()
    },
  }
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { '0': 'file', '\0': 'file', '5': 'directory' }

function readHeader(header: Buffer): Entry {
  const path = join(textAt(header, 345, 155), textAt(header, 0, 100))
  const kind = KINDS[String.fromCharCode(header[156] ?? 0)]
  if (checksumOf(header) !== numberAt(header, 148, 8))
    throw new Error('the archive is damaged: a wrong checksum')
  if (kind === undefined) throw new Error(`${path}: links are not restored`)
  if (path === '' || path.startsWith('/') || normalize(path).startsWith('..')) {
    throw new Error(`${path} is outside of the archive`)
  }
  return { path, kind, bytes: kind === 'file' ? numberAt(header, 124, 12) : 0 }
}

function textAt(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.subarray(0, end === -1 ? length : end).toString('utf8')
}

/** Reads a number in octal digits, or, above 8 GB, in binary. */
function numberAt(header: Buffer, start: number, length: number): number {
  const field = header.subarray(start, start + length)
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(BigInt(`0x${field.subarray(1).toString('hex')}`))
  const digits = field
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trim()
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

function checksumOf(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  return sum
}
