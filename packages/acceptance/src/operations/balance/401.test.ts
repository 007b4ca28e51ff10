import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createReseller,
  expectUnauthorized,
  nowSeconds,
  startProduction,
} from '../../edge.ts'
import type { Answer, HeaderPairs } from '../../http.ts'
import { send } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices, until } from '../../service.ts'
import type { SignatureHeaders, SignInput } from '../../signing.ts'
import { bodyHash, canonicalString, freshNonce, signature, signRequest } from '../../signing.ts'

const databases: TestDatabase[] = []
let service: Service
let reseller: TestReseller
let keyWithoutSecret: string

beforeAll(async () => {
  service = await openService({ database: await openDatabase() })
  reseller = await createReseller(service)
  const wanted = ['--reseller', reseller.account, '--without-secret']
  const made = await service.warungd<{ key: string }>('key', 'create', ...wanted)
  keyWithoutSecret = made.key
  await until('the key without a secret is known', async () => {
    const { text } = await get({ 'X-Api-Key': keyWithoutSecret })
    return text.includes('hmac_not_configured')
  })
})

afterAll(async () => {
  await stopServices()
  await Promise.all(databases.map((database) => database.drop()))
})

async function openDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  databases.push(database)
  return database
}

function get(headers: Record<string, string> | HeaderPairs, path = BALANCE): Promise<Answer> {
  return send({ baseUrl: service.baseUrl, path, headers })
}

function signedHeaders(input: Partial<SignInput> = {}): SignatureHeaders {
  return signRequest({ ...reseller, method: 'GET', ...input })
}

/** Returns a nonce that this reseller's key has used. */
async function spentNonce(): Promise<string> {
  const nonce = freshNonce()
  expect((await balanceOf(service, reseller, { nonce })).status).toBe(200)
  return nonce
}

const WRONG_SIGNATURE = `v1=${Buffer.alloc(32, 1).toString('base64')}`

/** Expects a wrong signature. `debug` is only in staging, for this code; its content has its own tests. */
function expectWrongSignature(answer: Answer): void {
  const { debug, ...body } = answer.json<{ debug: unknown }>()
  expect(body).toEqual({
    error: 'invalid_signature',
    message: expect.stringMatching(/\S/),
    metadata: { status_code: 401 },
  })
  expect(debug).toBeDefined()
  expect(answer.status).toBe(401)
}

describe('a request with several faults is told the first one in the order', () => {
  it('no credentials at all', async () => {
    expectUnauthorized(await get({}), 'unauthorized')
    // Without a key the other headers prove nothing.
    const { 'X-Api-Key': _, ...rest } = signedHeaders()
    expectUnauthorized(await get(rest), 'unauthorized')
    expectUnauthorized(await get({ Authorization: 'Basic dXNlcjpwYXNz' }), 'unauthorized')
    expectUnauthorized(await get({ Authorization: 'Bearish x' }), 'unauthorized')
  })

  it('an empty key, before everything that is wrong besides', async () => {
    expectUnauthorized(await get({ 'X-Api-Key': '' }), 'missing_api_key')
    expectUnauthorized(await get({ 'X-Api-Key': '', 'X-Nonce': '' }), 'missing_api_key')
    expectUnauthorized(await get({ ...signedHeaders(), 'X-Api-Key': '' }), 'missing_api_key')
  })

  it('an unknown key, before missing, empty and malformed headers', async () => {
    for (const key of ['wk_stg_nobodys', reseller.apiKey.toLowerCase(), `${reseller.apiKey}x`, '__proto__']) {
      expectUnauthorized(await get({ 'X-Api-Key': key }), 'invalid_api_key')
      expectUnauthorized(await get({ ...signedHeaders(), 'X-Api-Key': key }), 'invalid_api_key')
    }
  })

  it('a key without a secret, before missing and malformed headers', async () => {
    const key = { 'X-Api-Key': keyWithoutSecret }
    expectUnauthorized(await get(key), 'hmac_not_configured')
    expectUnauthorized(await get({ ...signedHeaders(), ...key }), 'hmac_not_configured')
    expectUnauthorized(await get({ ...key, 'X-Nonce': '', 'X-Timestamp': 'x' }), 'hmac_not_configured')
  })

  const SIGNING = ['X-Timestamp', 'X-Nonce', 'X-Signature'] as const

  it.each(SIGNING)('%s missing, before the others are empty or malformed', async (name) => {
    const others = SIGNING.filter((other) => other !== name)
    for (const values of [undefined, ['', ''], ['x', 'y']]) {
      const headers: Record<string, string> = { ...signedHeaders() }
      delete headers[name]
      others.forEach((other, index) => {
        if (values !== undefined) headers[other] = values[index] ?? ''
      })
      expectUnauthorized(await get(headers), 'missing_hmac_headers')
    }
  })

  it.each(SIGNING)('%s empty, before the others are malformed', async (name) => {
    const malformed = { 'X-Timestamp': 'soon', 'X-Nonce': 'short', 'X-Signature': 'v0' }
    expectUnauthorized(await get({ ...signedHeaders(), [name]: '' }), 'empty_hmac_values')
    expectUnauthorized(await get({ ...signedHeaders(), ...malformed, [name]: '' }), 'empty_hmac_values')
    expectUnauthorized(await get({ ...signedHeaders(), [name]: ' \t ' }), 'empty_hmac_values')
  })

  it('a malformed nonce, before a malformed timestamp and signature', async () => {
    const headers = { ...signedHeaders(), 'X-Nonce': 'short', 'X-Timestamp': 'soon', 'X-Signature': 'v0' }
    expectUnauthorized(await get(headers), 'invalid_nonce_format')
  })

  it('a malformed timestamp, before a malformed signature', async () => {
    const headers = { ...signedHeaders(), 'X-Timestamp': 'soon', 'X-Signature': 'v0' }
    expectUnauthorized(await get(headers), 'invalid_timestamp_format')
  })

  it('an expired timestamp, before a malformed signature and a spent nonce', async () => {
    const nonce = await spentNonce()
    const old = signedHeaders({ timestamp: nowSeconds() - 400, nonce })
    expectUnauthorized(await get({ ...old, 'X-Signature': 'v0' }), 'timestamp_expired')
    expectUnauthorized(await get(old), 'timestamp_expired')
  })

  it('a malformed signature, before a spent nonce', async () => {
    const headers = { ...signedHeaders({ nonce: await spentNonce() }), 'X-Signature': 'v0' }
    expectUnauthorized(await get(headers), 'invalid_signature_format')
  })

  it('a wrong signature, before a spent nonce', async () => {
    const headers = { ...signedHeaders({ nonce: await spentNonce() }), 'X-Signature': WRONG_SIGNATURE }
    expectWrongSignature(await get(headers))
  })

  it('a spent nonce, with nothing else wrong, whatever its timestamp and query', async () => {
    const nonce = await spentNonce()
    expectUnauthorized(await get(signedHeaders({ nonce })), 'nonce_reused')
    expectUnauthorized(await get(signedHeaders({ nonce, timestamp: nowSeconds() + 100 })), 'nonce_reused')
    expectUnauthorized(await get(signedHeaders({ nonce, query: 'a=1' }), `${BALANCE}?a=1`), 'nonce_reused')
  })
})

describe('nonces', () => {
  it.each([
    ['15 characters', 'a'.repeat(15)],
    ['129 characters', 'a'.repeat(129)],
    ['2,000 characters', 'a'.repeat(2_000)],
    ['a dot', 'aaaaaaaaaaaaaaa.'],
    ['Base64 characters', 'aaaaaaaaaaaaaa+/='],
    ['a space inside', 'aaaaaaaa aaaaaaaa'],
    ['a letter with an accent', 'aaaaaaaaaaaaaaa\xe9'],
    ['a colon, which would shift the canonical string', 'aaaaaaaaaaaaaaaa:GET'],
  ])('%s are refused', async (_, nonce) => {
    expectUnauthorized(await get(signedHeaders({ nonce })), 'invalid_nonce_format')
  })

  it('are spent by a right signature alone', async () => {
    const nonce = freshNonce()
    expectWrongSignature(await get({ ...signedHeaders({ nonce }), 'X-Signature': WRONG_SIGNATURE }))
    expectUnauthorized(
      await get({ ...signedHeaders({ nonce }), 'X-Signature': 'v0' }),
      'invalid_signature_format',
    )
    expectUnauthorized(
      await get(signedHeaders({ nonce, timestamp: nowSeconds() - 301 })),
      'timestamp_expired',
    )
    expect((await get(signedHeaders({ nonce }))).status).toBe(200)
    expectUnauthorized(await get(signedHeaders({ nonce })), 'nonce_reused')
  })

  it('fifty copies of one request sent at once: exactly one is answered', async () => {
    const headers = signedHeaders()
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(headers)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(49)
    for (const answer of refused) expectUnauthorized(answer, 'nonce_reused')
  })
})

/** Waits for the first part of a second, so that whole seconds are the same on both sides while a request travels. */
async function earlyInTheSecond(): Promise<number> {
  await until('a second has just begun', async () => Date.now() % 1000 < 300)
  return nowSeconds()
}

describe('timestamps', () => {
  it.each(['1.5', '-1', '+1767225600', '1e9', '0x6955', 'now', '2026-01-01', '1767225600 1', '1'.repeat(16)])(
    '%s is no Unix timestamp',
    async (timestamp) => {
      expectUnauthorized(await get(signedHeaders({ timestamp })), 'invalid_timestamp_format')
    },
  )

  it.each([0, 1, 1_767_225_600])('%d is long ago', async (timestamp) => {
    expectUnauthorized(await get(signedHeaders({ timestamp })), 'timestamp_expired')
  })

  it.each([1e3, 1e5])(
    'seconds times %d are far from now, and the message asks for seconds',
    async (factor) => {
      const answer = await get(signedHeaders({ timestamp: nowSeconds() * factor }))
      expectUnauthorized(answer, 'timestamp_expired')
      expect(answer.json<{ message: string }>().message).toMatch(/send seconds/)
    },
  )

  it.each([-299, -1, 0, 1, 299])('%d seconds from now is in time', async (offset) => {
    const timestamp = (await earlyInTheSecond()) + offset
    expect((await get(signedHeaders({ timestamp }))).status).toBe(200)
  })

  it.each([-3_600, -301, 301, 3_600])('%d seconds from now is out of time', async (offset) => {
    const timestamp = (await earlyInTheSecond()) + offset
    expectUnauthorized(await get(signedHeaders({ timestamp })), 'timestamp_expired')
  })
})

describe('signatures', () => {
  const right = Buffer.alloc(32, 0xfb).toString('base64')
  it.each([
    right,
    `v2=${right}`,
    `V1=${right}`,
    `v1:${right}`,
    `v1= ${right}`,
    'v1=',
    'v1',
    `v1=${right.replaceAll('+', '-').replaceAll('/', '_')}`,
    `v1=${right.slice(0, -1)}`,
    `v1=${right}=`,
    `v1=${right},`,
    `v1=${Buffer.alloc(31, 1).toString('base64')}`,
    `v1=${Buffer.alloc(33, 1).toString('base64')}`,
    `v1=${Buffer.alloc(32, 1).toString('hex')}`,
  ])('%s is no signature', async (text) => {
    expectUnauthorized(await get({ ...signedHeaders(), 'X-Signature': text }), 'invalid_signature_format')
  })

  it('a second spelling of the same Base64 is refused: one signature, one spelling', async () => {
    const headers = signedHeaders()
    const text = headers['X-Signature']
    const last = text.at(-2) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const twin = `${text.slice(0, -2)}${alphabet[alphabet.indexOf(last) + 1]}=`
    expect(Buffer.from(twin.slice(3), 'base64')).toEqual(Buffer.from(text.slice(3), 'base64'))
    expectUnauthorized(await get({ ...headers, 'X-Signature': twin }), 'invalid_signature_format')
  })

  const OTHERS: readonly (readonly [string, Partial<SignInput>, string])[] = [
    ['another secret', { secretBase64: Buffer.alloc(32, 5).toString('base64') }, BALANCE],
    ['another method', { method: 'POST' }, BALANCE],
    ['a body that was not sent', { body: '{}' }, BALANCE],
    ['a query that was not sent', { query: 'a=1' }, BALANCE],
    ['no query where there is one', {}, `${BALANCE}?a=1`],
    ['another value', { query: 'a=1' }, `${BALANCE}?a=2`],
    ['one parameter less', { query: 'a=1' }, `${BALANCE}?a=1&b=2`],
    ['another letter case', { query: 'a=%c3%a9' }, `${BALANCE}?a=%C3%89`],
    ['other parameters that decode to the same text', { query: 'a=1&b=2' }, `${BALANCE}?a=1%26b%3D2`],
    ['a query that decodes twice', { query: 'a=%20' }, `${BALANCE}?a=%2520`],
  ]
  it.each(OTHERS)('over %s does not match', async (_, input, path) => {
    expectWrongSignature(await get(signedHeaders(input), path))
  })

  it('over a decoded reading that could be split otherwise does not match', async () => {
    const reading = { encoding: 'decoded', empties: 'kept', repeats: 'sent' } as const
    for (const query of ['a=1%26b%3D2', 'a=1%3D2', 'a=%2B', 'a=%2525', 'a=%23']) {
      expectWrongSignature(await get(signedHeaders({ query, reading }), `${BALANCE}?${query}`))
    }
  })

  it('keyed with the secret as text, not decoded, does not match', async () => {
    const undecoded = Buffer.from(reseller.secretBase64, 'utf8').toString('base64')
    expectWrongSignature(await get(signedHeaders({ secretBase64: undecoded })))
  })

  it('a signature of an unsorted query, of a lower-case method or of a v0 string does not match', async () => {
    const timestamp = String(nowSeconds())
    const spellings = [
      ['GET', 'b=1&a=2', 'v1'],
      ['get', 'a=2&b=1', 'v1'],
      ['GET', 'a=2&b=1', 'v0'],
      ['GET', '?a=2&b=1', 'v1'],
    ]
    for (const [method, query, version] of spellings) {
      const nonce = freshNonce()
      const text = [version, timestamp, nonce, method, query, bodyHash('')].join(':')
      const headers = {
        ...signedHeaders({ timestamp, nonce }),
        'X-Signature': signature(reseller.secretBase64, text),
      }
      expectWrongSignature(await get(headers, `${BALANCE}?b=1&a=2`))
    }
  })

  it('one header taken from another request does not match', async () => {
    const mine = signedHeaders()
    const theirs = signedHeaders({ timestamp: nowSeconds() - 60 })
    for (const name of ['X-Timestamp', 'X-Nonce', 'X-Signature'] as const) {
      expectWrongSignature(await get({ ...mine, [name]: theirs[name] }))
    }
  })

  it('a signing header sent twice is refused, the same value or not', async () => {
    for (const [name, code] of [
      ['X-Api-Key', 'invalid_api_key'],
      ['X-Nonce', 'invalid_nonce_format'],
      ['X-Timestamp', 'invalid_timestamp_format'],
      ['X-Signature', 'invalid_signature_format'],
    ] as const) {
      const headers = signedHeaders()
      const twice = [...Object.entries(headers), [name.toLowerCase(), headers[name]] as const]
      expectUnauthorized(await get(twice), code)
    }
  })
})

describe('signature help', () => {
  it('signature help in staging shows the canonical string and the body hash as the contract has them', async () => {
    const query = 'b=2&flag&a=x%20y&empty='
    const body = '{"a":1}'
    const timestamp = String(nowSeconds())
    const nonce = freshNonce()
    const headers = { ...signedHeaders({ timestamp, nonce }), 'X-Signature': WRONG_SIGNATURE }
    const answer = await send({ baseUrl: service.baseUrl, path: `${BALANCE}?${query}`, headers, body })
    expect(answer.json<{ debug: object }>().debug).toEqual({
      canonical_string: canonicalString({ method: 'GET', query, body, timestamp, nonce }),
      body_hash: bodyHash(body),
    })
    expect(answer.text).not.toContain(reseller.secretBase64)
  })

  it('signature help in staging names a usual mistake, such as a secret that was not decoded', async () => {
    const timestamp = String(nowSeconds())
    const nonce = freshNonce()
    const text = canonicalString({ method: 'GET', query: '', timestamp, nonce })
    const hintFor = async (value: string) => {
      const headers = { ...signedHeaders({ timestamp, nonce }), 'X-Signature': value }
      const answer = await get(headers)
      expect(answer.status).toBe(401)
      expect(answer.text).not.toContain(reseller.secretBase64)
      return answer.json<{ error: string; message: string; debug?: { hint?: string } }>()
    }
    const undecoded = createHmac('sha256', reseller.secretBase64).update(text).digest('base64')
    expect(await hintFor(`v1=${undecoded}`)).toMatchObject({
      error: 'invalid_signature',
      debug: { hint: expect.stringMatching(/Decode it from Base64/) },
    })
    const hex = createHmac('sha256', Buffer.from(reseller.secretBase64, 'base64')).update(text).digest('hex')
    expect(await hintFor(`v1=${hex}`)).toMatchObject({
      error: 'invalid_signature_format',
      message: expect.stringMatching(/hexadecimal/),
    })
    expect((await hintFor(WRONG_SIGNATURE)).debug).not.toHaveProperty('hint')
  })

  it('is not given in production, where the rest is the same', async () => {
    const production = await startProduction(await openDatabase())
    const theirs = await createReseller(production)
    expect((await balanceOf(production, theirs)).status).toBe(200)
    const headers = { 'X-Signature': WRONG_SIGNATURE }
    expectUnauthorized(await balanceOf(production, theirs, { headers }), 'invalid_signature')
    const hex = { 'X-Signature': `v1=${'ab'.repeat(32)}` }
    expectUnauthorized(await balanceOf(production, theirs, { headers: hex }), 'invalid_signature_format')
  })
})
