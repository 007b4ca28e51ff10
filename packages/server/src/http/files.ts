import { createHash } from 'node:crypto'
import type { FileOutput, IncomingRequest } from './operation.ts'

/** File that is served from memory, also in its compressed forms. */
export type ServedFile = {
  readonly bytes: Buffer
  readonly compressed: Readonly<Partial<Record<Encoding, Buffer>>>
  readonly headers: Readonly<Record<string, string>>
}

export type Encoding = 'br' | 'gzip'

/** Encodings in the order of preference: the smaller one first. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

export type FileOptions = {
  readonly headers: Readonly<Record<string, string>>
  readonly compressed?: ServedFile['compressed']
  /** True for names that carry a digest of their contents: such a file never changes. */
  readonly isImmutable?: boolean
}

const NOTHING = Buffer.alloc(0)
const YEAR_S = 31_536_000

export function fileOf(contents: string | Buffer, options: FileOptions): ServedFile {
  const bytes = typeof contents === 'string' ? Buffer.from(contents, 'utf8') : contents
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  // no-cache lets clients keep the file but makes them ask each time, so that a new release shows at once.
  const cache = options.isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'no-cache'
  const compressed = options.compressed ?? {}
  return {
    bytes,
    compressed,
    headers: {
      ...options.headers,
      'Cache-Control': cache,
      ETag: `"${tag}"`,
      ...(Object.keys(compressed).length === 0 ? {} : { Vary: 'Accept-Encoding' }),
    },
  }
}

/** Answers with the file, in the smallest form that the caller takes; 304 when the caller has it already. */
export function answerFile({ bytes, compressed, headers }: ServedFile, request: IncomingRequest): FileOutput {
  if (isKnown(request.headers['if-none-match'], headers.ETag ?? '')) {
    return { status: 304, body: NOTHING, headers }
  }
  const encoding = ENCODINGS.find((each) => compressed[each] !== undefined && accepts(request, each))
  const body = encoding === undefined ? undefined : compressed[encoding]
  if (encoding === undefined || body === undefined) return { status: 200, body: bytes, headers }
  return { status: 200, body, headers: { ...headers, 'Content-Encoding': encoding } }
}

/** Compares tags without the weak mark: a proxy that compresses adds it, and for a GET it makes no difference. */
function isKnown(header: string | string[] | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = String(header).split(',')
  return tags.some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
}

function accepts({ headers }: IncomingRequest, encoding: Encoding): boolean {
  const offered = String(headers['accept-encoding'] ?? '').toLowerCase()
  return offered.split(',').some((each) => {
    const [name = '', quality = ''] = each.split(';').map((part) => part.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(quality)
  })
}
