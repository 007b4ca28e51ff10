import { createHash, createHmac, randomBytes } from 'node:crypto'

/**
 * Signer of a client, written from the contract alone and without the server's code, so that the two agree only when
 * both follow the contract.
 */

export type Credentials = {
  apiKey: string
  /** Secret in Base64, as the dashboard shows it. */
  secretBase64: string
}

/** Reading of "the query" that a client signs. Real clients differ; the service takes each of these. */
export type Reading = {
  /** Encoding. `wire`: as sent. `decoded`: the plain names and values. Others: encoded anew, space as `+` or `%20`. */
  encoding: 'wire' | 'decoded' | 'form' | 'percent'
  /** Marks of `!'()*~` that encoding anew leaves; by default as HTML forms or RFC 3986 do. */
  marks?: string
  empties: 'kept' | 'dropped'
  /** Order of parameters with the same name; different names are always sorted. */
  repeats: 'sent' | 'sorted'
}

export const CONTRACT_READING: Reading = { encoding: 'wire', empties: 'dropped', repeats: 'sent' }

const MARKS = ['', '*', '~', "!'()*~"]

const ENCODINGS: readonly Pick<Reading, 'encoding' | 'marks'>[] = [
  { encoding: 'wire' },
  { encoding: 'decoded' },
  ...MARKS.map((marks) => ({ encoding: 'form' as const, marks })),
  ...MARKS.map((marks) => ({ encoding: 'percent' as const, marks })),
]

export const EVERY_READING: readonly Reading[] = ENCODINGS.flatMap((encoding) =>
  (['kept', 'dropped'] as const).flatMap((empties) =>
    (['sent', 'sorted'] as const).map((repeats) => ({ ...encoding, empties, repeats })),
  ),
)

export type Body = Uint8Array | string | undefined

export type SignInput = Credentials & {
  method: string
  /** Query as sent, without `?`. */
  query?: string | undefined
  body?: Body
  timestamp?: number | string | undefined
  nonce?: string | undefined
  reading?: Reading | undefined
  /** Hashed content. `nothing` hashes the empty string whatever is sent; the service takes that on GET and DELETE. */
  hashOf?: 'body' | 'nothing' | undefined
}

export type SignatureHeaders = {
  'X-Api-Key': string
  'X-Timestamp': string
  'X-Nonce': string
  'X-Signature': string
}

export function signRequest(input: SignInput): SignatureHeaders {
  const timestamp = String(input.timestamp ?? Math.floor(Date.now() / 1000))
  const nonce = input.nonce ?? freshNonce()
  const text = canonicalString({ ...input, timestamp, nonce })
  return {
    'X-Api-Key': input.apiKey,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Signature': signature(input.secretBase64, text),
  }
}

export function canonicalString(
  input: Pick<SignInput, 'method' | 'query' | 'body' | 'reading' | 'hashOf'> & {
    timestamp: string
    nonce: string
  },
): string {
  const query = canonicalQuery(input.query ?? '', input.reading)
  const hash = bodyHash(input.hashOf === 'nothing' ? undefined : input.body)
  return ['v1', input.timestamp, input.nonce, input.method.toUpperCase(), query, hash].join(':')
}

export function signature(secretBase64: string, canonical: string): string {
  const key = Buffer.from(secretBase64, 'base64')
  return `v1=${createHmac('sha256', key).update(canonical, 'utf8').digest('base64')}`
}

export function bodyHash(body: Body): string {
  return createHash('sha256')
    .update(body ?? '')
    .digest('base64')
}

export function freshNonce(): string {
  return randomBytes(18).toString('base64url')
}

export function canonicalQuery(query: string, reading: Reading = CONTRACT_READING): string {
  return parameters(query)
    .filter(([, value]) => reading.empties === 'kept' || value !== '')
    .map(([name, value]): Parameter => [recode(name, reading), recode(value, reading)])
    .sort((a, b) => compare(a[0], b[0]) || (reading.repeats === 'sorted' ? compare(a[1], b[1]) : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/**
 * Returns true if the service may take the decoded reading of this query. `a=1%26b%3D2` decodes to `a=1&b=2`, which is
 * also the text of another request: such a signature does not say which of the two was meant. The signer above does not
 * check this, so that tests can send what a careless client would.
 */
export function decodedReadingCounts(query: string): boolean {
  return parameters(query)
    .flat()
    .every((part) => !/[&=#%+]/.test(decode(part)))
}

type Parameter = [name: string, value: string]

function parameters(query: string): Parameter[] {
  return query
    .split('&')
    .filter((part) => part.includes('='))
    .map((part): Parameter => {
      const at = part.indexOf('=')
      return [part.slice(0, at), part.slice(at + 1)]
    })
}

function recode(part: string, { encoding, marks }: Reading): string {
  switch (encoding) {
    case 'wire':
      return part
    case 'decoded':
      return decode(part)
    case 'form':
      return encodeAnew(decode(part), '+', marks ?? '*')
    case 'percent':
      return encodeAnew(decode(part), '%20', marks ?? '~')
  }
}

function decode(part: string): string {
  return decodeURIComponent(part.replaceAll('+', ' '))
}

function encodeAnew(part: string, space: string, marks: string): string {
  return Array.from(part, (char) => {
    if (char === ' ') return space
    if (/[A-Za-z0-9._-]/.test(char) || marks.includes(char)) return char
    return Array.from(Buffer.from(char, 'utf8'), (byte) => `%${byte.toString(16).toUpperCase()}`).join('')
  }).join('')
}

/** Compares by code unit: `localeCompare` would depend on the machine, and would put `a` before `A`. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
