import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CanonicalPart, MistakeCode } from './canonical-comparison.rules.ts'
import { compareCanonical, MISTAKE_CODES, MISTAKES, partsOf } from './canonical-comparison.rules.ts'

const sha = (text: string, encoding: 'base64' | 'hex', algorithm = 'sha256') =>
  createHash(algorithm).update(text).digest(encoding)

const BODY = '{"refid":"a-1","amount":10}'
const HASH = sha(BODY, 'base64')
const NOTHING = sha('', 'base64')
const TIME = '1767225600'
const NONCE = '0f8fad5b-d9cb-469f-a165-70867728950E'
const QUERY = 'account=a%3A1&b=x+y&limit=10'

function text(parts: Partial<Record<CanonicalPart, string>> = {}): string {
  const { version = 'v1', timestamp = TIME, nonce = NONCE, method = 'POST', query = QUERY } = parts
  return [version, timestamp, nonce, method, query, parts.body_hash ?? HASH].join(':')
}

const OURS = text()
const BARE = text({ method: 'GET', query: '', body_hash: NOTHING })

/** Every usual mistake: a client's text, and the text of the service where it is not the one with a body. */
const CASES: readonly [MistakeCode, yours: string, ours?: string][] = [
  ['signed_otherwise', OURS],
  ['nothing_given', ''],
  ['byte_order_mark', `\uFEFF${OURS}`],
  ['trailing_newline', `${OURS}\n`],
  ['trailing_newline', `${OURS}\r\n`],
  ['surrounding_space', ` ${OURS} `],
  ['quoted', `"${OURS}"`],
  [
    'newline_separators',
    OURS.replace(`:${QUERY}:`, `\n${QUERY}\n`).replace(`v1:${TIME}:${NONCE}:`, `v1\n${TIME}\n${NONCE}\n`),
  ],
  ['other_separator', ['v1', TIME, NONCE, 'POST', QUERY, HASH].join('|')],
  ['other_separator', ['v1', TIME, NONCE, 'POST', QUERY, HASH].join('')],
  ['other_separator', ['v1', TIME, NONCE, 'POST', QUERY, HASH].join('\\n')],
  ['parts_in_other_order', ['v1', NONCE, TIME, 'POST', QUERY, HASH].join(':')],
  ['parts_missing', 'v1:something'],
  ['version_missing', OURS.slice(3)],
  ['version_missing', text({ version: 'v2' })],
  ['version_spelling', text({ version: 'V1' })],
  ['empty_query_left_out', ['v1', TIME, NONCE, 'GET', NOTHING].join(':'), BARE],
  ['timestamp_in_milliseconds', text({ timestamp: `${TIME}123` })],
  ['timestamp_with_fraction', text({ timestamp: `${TIME}.5` })],
  ['timestamp_as_date', text({ timestamp: '2026-01-01T00:00:00Z' })],
  ['timestamp_as_date', text({ timestamp: 'Thu 1 Jan 2026' })],
  ['timestamp_of_another_moment', text({ timestamp: '1767225601' })],
  ['nonce_case', text({ nonce: NONCE.toLowerCase() })],
  ['nonce_case', text({ nonce: NONCE.replaceAll('-', '') })],
  ['nonce_of_another_call', text({ nonce: 'another-nonce-altogether' })],
  ['method_in_lower_case', text({ method: 'post' })],
  ['other_method', text({ method: 'PUT' })],
  ['query_missing', text({ query: '' })],
  ['query_with_question_mark', text({ query: `?${QUERY}` })],
  ['path_included', text({ query: `/v2/topup?${QUERY}` })],
  ['path_included', text({ method: 'GET', query: '/v2/balance', body_hash: NOTHING }), BARE],
  ['host_included', text({ query: `https://api.example.com/v2/topup?${QUERY}` })],
  ['host_included', text({ query: `api.example.com/v2/topup?${QUERY}` })],
  ['query_with_fragment', text({ query: `${QUERY}#top` })],
  ['query_not_sorted', text({ query: 'limit=10&account=a%3A1&b=x+y' })],
  ['query_with_loose_ends', text({ query: `${QUERY}&` })],
  ['query_empty_values', text({ query: `${QUERY}&z=` })],
  ['query_hex_case', text({ query: QUERY.replace('%3A', '%3a') })],
  ['query_encoded_otherwise', text({ query: QUERY.replace('+', '%20') })],
  ['query_encoded_otherwise', text({ query: 'account=a:1&b=x y&limit=10' })],
  ['query_encoded_twice', text({ query: 'account=a%253A1&b=x%2By&limit=10' })],
  ['query_other_values', text({ query: 'account=a%3A2&b=x+y&limit=10' })],
  ['query_other_parameters', text({ query: `${QUERY}&page=2` })],
  ['body_hash_missing', text({ body_hash: '' })],
  ['body_hash_in_hex', text({ body_hash: sha(BODY, 'hex') })],
  ['body_hash_in_hex', text({ body_hash: sha('other', 'hex') })],
  ['body_hash_in_capital_hex', text({ body_hash: sha(BODY, 'hex').toUpperCase() })],
  ['body_hash_without_padding', text({ body_hash: HASH.replace('=', '') })],
  ['body_hash_url_safe', text({ body_hash: HASH.replaceAll('+', '-').replaceAll('/', '_') })],
  ['body_hash_of_hex', text({ body_hash: Buffer.from(sha(BODY, 'hex')).toString('base64') })],
  ['body_hash_of_nothing', text({ body_hash: NOTHING })],
  ['body_hash_of_empty_value', text({ method: 'GET', query: '', body_hash: sha('{}', 'base64') }), BARE],
  ['body_hash_other_algorithm', text({ body_hash: sha(BODY, 'base64', 'sha1') })],
  ['body_hash_other_algorithm', text({ body_hash: sha(BODY, 'hex', 'md5') })],
  ['body_instead_of_hash', `${text({ body_hash: '' })}${BODY}`],
  ['body_not_received', text({ method: 'GET', query: '', body_hash: HASH }), BARE],
  ['body_hash_of_other_bytes', text({ body_hash: sha(JSON.stringify(JSON.parse(BODY), null, 2), 'base64') })],
]

describe('a canonical string with a usual mistake', () => {
  it.each(CASES)('is told %s', (mistake, yours, ours = OURS) => {
    expect(compareCanonical(ours, yours).mistake).toBe(mistake)
  })

  it('is among these, whichever mistake it is', () => {
    const tested = new Set(CASES.map(([mistake]) => mistake))
    expect(MISTAKE_CODES.filter((mistake) => !tested.has(mistake))).toEqual([])
  })

  it('is explained in a sentence', () => {
    for (const words of Object.values(MISTAKES)) expect(words).toMatch(/^[A-Z].{10,}\.$/)
  })
})

describe('the first difference', () => {
  it.each<[CanonicalPart, string, number]>([
    ['version', text({ version: 'v2' }), 2],
    ['timestamp', text({ timestamp: '1767225601' }), 13],
    ['nonce', text({ nonce: `x${NONCE.slice(1)}` }), 15],
    ['method', text({ method: 'pOST' }), 52],
    ['query', text({ query: 'account=b%3A1&b=x+y&limit=10' }), 65],
  ])('in the %s is found at its column', (part, yours, column) => {
    const { difference } = compareCanonical(OURS, yours)
    expect(difference).toMatchObject({ part, line: 1, column, ours: partsOf(OURS)?.[part] })
    expect(difference?.yours).toBe(partsOf(yours)?.[part])
  })

  it('counts the lines of the text that was given', () => {
    const { difference } = compareCanonical(OURS, `v1\n${TIME}:${NONCE}`)
    expect(difference).toMatchObject({ line: 1, column: 3, part: 'version', yours: null })
    const second = compareCanonical('v1:1:abc:GET:a=b\nc:x', 'v1:1:abc:GET:a=b\nd:x')
    expect(second.difference).toMatchObject({ line: 2, column: 1, part: 'query' })
  })

  it('is none in equal texts', () => {
    expect(compareCanonical(OURS, OURS).difference).toBeNull()
  })

  it('keeps the colons of a query in the query', () => {
    expect(partsOf('v1:1:n:GET:a=1:2&b=:3:hash')).toMatchObject({ query: 'a=1:2&b=:3', body_hash: 'hash' })
  })
})
