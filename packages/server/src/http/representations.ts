import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FileOutput, IncomingRequest } from './operation.ts'

/** Bytes of one answer, with the tag and the compressed forms, each derived at most once. */
export type Representation = {
  readonly identity: Buffer
  readonly etag: string
  /** Returns a promise only when this form is asked for the first time. */
  encoded(encoding: Encoding): Buffer | Promise<Buffer>
  /** Returns the headers of an answer in this form, made once for each set of `extra` ones. */
  headersOf(encoding: Encoding, extra: Headers): Headers
  /** Returns the bytes it holds now, compressed forms included. */
  bytes(): number
}

type Headers = Readonly<Record<string, string>>

export type Encoding = 'br' | 'gzip' | 'identity'

/** Smallest answer that is compressed: below it, compression saves less than it costs. */
const COMPRESS_FROM_BYTES = 1_024
// Level 5 of 11 has most of the gain for a twentieth of the time; an answer is compressed once and sent often.
const BROTLI_QUALITY = 5

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export function representationOf(identity: Buffer, onGrowth: () => void = () => {}): Representation {
  const forms = new Map<Encoding, Buffer | Promise<Buffer>>()
  const heads = new WeakMap<Headers, Map<Encoding, Headers>>()
  let bytes = identity.length
  let etag: string | undefined
  return {
    identity,
    get etag() {
      // The tag is weak: the compressed forms mean the same but have other bytes.
      etag ??= `W/"${hash('sha256', identity, 'base64url').slice(0, 27)}"`
      return etag
    },
    encoded(encoding) {
      if (encoding === 'identity') return identity
      const existing = forms.get(encoding)
      if (existing !== undefined) return existing
      const form = compress(identity, encoding)
      forms.set(encoding, form)
      form.then(
        (compressed) => {
          forms.set(encoding, compressed)
          bytes += compressed.length
          onGrowth()
        },
        () => forms.delete(encoding),
      )
      return form
    },
    headersOf(encoding, extra) {
      let known = heads.get(extra)
      if (known === undefined) {
        known = new Map()
        heads.set(extra, known)
      }
      let headers = known.get(encoding)
      if (headers === undefined) {
        headers = headersIn(encoding, this.etag, extra)
        known.set(encoding, headers)
      }
      return headers
    },
    bytes: () => bytes,
  }
}

function headersIn(encoding: Encoding, etag: string, extra: Headers): Headers {
  const encoded = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
  return { ...extra, ...cacheHeaders(etag), 'Content-Type': 'application/json; charset=utf-8', ...encoded }
}

/** Request headers that the kept answers depend on: the account, the release, the language and the form. */
const VARY = 'Accept-Encoding, Accept-Language, Authorization, X-Api-Key, X-API-Version'

function cacheHeaders(etag: string): Headers {
  return { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: VARY }
}

function compress(identity: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(identity)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  return toBrotli(identity, { params })
}

const NO_HEADERS: Headers = {}

/** Answers 200 in the encoding the caller prefers, or 304 when the caller already has it. */
export async function answerWith(
  request: IncomingRequest,
  representation: Representation,
  headers = NO_HEADERS,
): Promise<FileOutput> {
  if (matches(single(request.headers['if-none-match']), representation.etag)) {
    return { status: 304, body: null, headers: { ...headers, ...cacheHeaders(representation.etag) } }
  }
  const { body, encoding } = await encodedFor(request, representation)
  return { status: 200, body, headers: representation.headersOf(encoding, headers) }
}

/** Returns the bytes in the encoding the caller prefers. */
export async function encodedFor(
  request: Pick<IncomingRequest, 'headers'>,
  representation: Representation,
): Promise<{ readonly body: Buffer; readonly encoding: Encoding }> {
  const encoding =
    representation.identity.length < COMPRESS_FROM_BYTES
      ? 'identity'
      : chooseEncoding(single(request.headers['accept-encoding']))
  const form = representation.encoded(encoding)
  return { body: form instanceof Buffer ? form : await form, encoding }
}

/** Chooses the best form the caller accepts: br before gzip where both have the same weight. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity'
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.trim().split(';')
    const quality = parameters
      .map((each) => /^\s*q=([0-9.]+)\s*$/.exec(each)?.[1])
      .find((each) => each !== undefined)
    weights.set(name.trim(), quality === undefined ? 1 : Number(quality))
  }
  const weigh = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, zipped] = [weigh('br'), weigh('gzip')]
  if (br > 0 && br >= zipped) return 'br'
  return zipped > 0 ? 'gzip' : 'identity'
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = etag.slice('W/'.length)
  return ifNoneMatch.split(',').some((each) => {
    const candidate = each.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === opaque
  })
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}

export type RepresentationCache = {
  /** Returns the representation under these two keys; it is built once while `owner` lives and there is room. */
  get(owner: object, key: string, build: () => Buffer): Representation
  readonly bytes: number
}

type Entry = { owner: WeakRef<object>; key: string; representation: Representation }

/**
 * Caches the answers that were asked for last, up to a number of bytes. An entry belongs to the object it was made
 * from. Equal views are the same object, so they share it. The entry of a view that is no longer used is not found
 * again, and leaves as the oldest.
 */
export function createRepresentationCache(bytesMax: number): RepresentationCache {
  const byOwner = new WeakMap<object, Map<string, Entry>>()
  // Entries in the order of their last use, oldest first.
  const entries = new Set<Entry>()
  let bytes = 0

  function recount(): void {
    bytes = 0
    for (const entry of entries) bytes += entry.representation.bytes()
    for (const entry of entries) {
      if (bytes <= bytesMax || entries.size === 1) return
      entries.delete(entry)
      bytes -= entry.representation.bytes()
      const owner = entry.owner.deref()
      if (owner !== undefined) byOwner.get(owner)?.delete(entry.key)
    }
  }

  return {
    get bytes() {
      return bytes
    },
    get(owner, key, build) {
      let kept = byOwner.get(owner)
      if (kept === undefined) {
        kept = new Map()
        byOwner.set(owner, kept)
      }
      const existing = kept.get(key)
      if (existing !== undefined) {
        entries.delete(existing)
        entries.add(existing)
        return existing.representation
      }
      const representation = representationOf(build(), recount)
      const entry: Entry = { owner: new WeakRef(owner), key, representation }
      kept.set(key, entry)
      entries.add(entry)
      recount()
      return representation
    },
  }
}
