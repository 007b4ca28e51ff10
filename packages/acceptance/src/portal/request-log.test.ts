import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from '../edge.ts'
import type { Answer } from '../http.ts'
import { signed } from '../http.ts'
import { reload } from '../payments.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices, until } from '../service.ts'
import { freshNonce } from '../signing.ts'
import type { Listed, Shop } from './members.ts'
import { dataOf, openShop, walk } from './members.ts'

let service: Service
let database: TestDatabase
let shop: Shop
let other: Shop

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  ;[shop, other] = await Promise.all([openShop(service, null), openShop(service, null)])
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

type Logged = Record<string, unknown>
type Details = {
  canonical_string: { text: string; cut: boolean } | null
  checks: { number: number; code: string; state: string }[]
}

function logged(query: string, isThere: (rows: Logged[]) => boolean): Promise<Logged[]> {
  return until('the request is in the log', async () => {
    const { data } = (await shop.viewer.get(`/request-log?limit=200&${query}`)).json<Listed>()
    return isThere(data) ? data : undefined
  })
}

describe('the request log', () => {
  it('tells why a signature was refused, in words that help, and by which key', async () => {
    const { credentials } = shop.payer
    const wrong = { ...credentials, secretBase64: Buffer.alloc(32).toString('base64') }
    const refused = await balanceOf(service, wrong)
    expect(refused.status).toBe(401)
    const id = refused.headers['x-request-id']
    const rows = await logged('failed=true&error=invalid_signature', (all) => all.length > 0)
    expect(rows.find(({ request_id }) => request_id === id)).toMatchObject({
      method: 'GET',
      route: '/v2/balance',
      status: 401,
      error: 'invalid_signature',
      message: 'The signature does not match the request.',
      cause: expect.stringMatching(/\w/),
      remedy: expect.stringMatching(/\w/),
      key_id: expect.stringMatching(/^\d+$/),
      skipped: 0,
    })
  })

  it('names the payment that was asked for, and the code and the cause of one that was rejected', async () => {
    const rejected = reload({ product: 'NO_SUCH' })
    expect((await shop.payer.send(rejected)).status).toBe(400)
    const rows = await logged('failed=true', (all) => all.some(({ refid }) => refid === rejected.refid))
    expect(rows.find(({ refid }) => refid === rejected.refid)).toMatchObject({
      status: 400,
      code: 44,
      error: 'Invalid_Product',
      cause: expect.stringMatching(/\w/),
      remedy: expect.stringMatching(/\w/),
      payment_id: null,
    })
  })

  it('shows the text that the service signed, how far the request came, and the mistake in another text', async () => {
    const { credentials } = shop.payer
    const wrong = { ...credentials, secretBase64: Buffer.alloc(32).toString('base64') }
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1_000)), freshNonce()]
    const path = '/v2/transactions?limit=1&date=2026-01-01&account=60177777777'
    const refused = await signed(service.baseUrl, wrong, { path, timestamp, nonce })
    expect(refused.status).toBe(401)
    const id = refused.headers['x-request-id']
    const rows = await logged('error=invalid_signature', (all) => all.some((row) => row.request_id === id))
    const row = rows.find(({ request_id }) => request_id === id)
    const details = dataOf<Details>(await shop.viewer.get(`/request-log/${row?.id}`))
    const emptyHash = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    const text = `v1:${timestamp}:${nonce}:GET:account=60177777777&date=2026-01-01&limit=1:${emptyHash}`
    expect(details.canonical_string).toEqual({ text, cut: false })
    expect(details.checks).toHaveLength(17)
    expect(details.checks.find(({ state }) => state === 'failed')).toMatchObject({
      number: 13,
      code: 'invalid_signature',
    })
    expect(details.checks.map(({ state }) => state).slice(13)).toEqual([
      'not_reached',
      'not_reached',
      'not_reached',
      'not_needed',
    ])
    const compare = (yours: string) => shop.viewer.send('POST', `/request-log/${row?.id}/compare`, { yours })
    expect(dataOf(await compare(text))).toMatchObject({
      equal: true,
      difference: null,
      mistake: { code: 'signed_otherwise' },
    })
    const lower = dataOf(await compare(text.replace(':GET:', ':get:')))
    expect(lower).toMatchObject({
      equal: false,
      difference: { part: 'method', line: 1, ours: 'GET', yours: 'get' },
      mistake: { code: 'method_in_lower_case' },
    })
    // The query may hold an identity number: it is readable for the account alone, and not in the database.
    const stored = await database.query<{ row: string }>('select r::text as row from request_log r')
    expect(stored.rows.map((each) => each.row).join()).not.toContain('60177777777')
  })

  it('has nothing to compare with where the signature was not wrong', async () => {
    const answer = await balanceOf(service, shop.payer.credentials)
    const id = answer.headers['x-request-id']
    const rows = await logged('', (all) => all.some((row) => row.request_id === id))
    const row = rows.find(({ request_id }) => request_id === id)
    const details = dataOf<Details>(await shop.viewer.get(`/request-log/${row?.id}`))
    expect(details.canonical_string).toBeNull()
    expect(new Set(details.checks.map(({ state }) => state))).toEqual(new Set(['passed', 'not_needed']))
    const compared = await shop.viewer.send('POST', `/request-log/${row?.id}/compare`, { yours: 'x' })
    expect(compared.status).toBe(409)
  })

  it('tells a timestamp that was sent in milliseconds from one that is late', async () => {
    await balanceOf(service, shop.payer.credentials, { timestamp: String(Date.now()) })
    const [row] = await logged('error=timestamp_expired', (all) => all.length > 0)
    expect(row).toMatchObject({ message: expect.stringContaining('milliseconds') })
  })

  it('keeps nothing of what was sent', async () => {
    const path = '/v2/transactions'
    const query = 'limit=1&date=2026-01-01&account=60177777777'
    const answer = await signed(service.baseUrl, shop.payer.credentials, { path: `${path}?${query}` })
    expect(answer.status, answer.text).toBe(200)
    const rows = await logged('', (all) => all.some(({ route }) => route === path))
    expect(JSON.stringify(rows)).not.toContain('60177777777')
  })

  it('the request log of a busy account is a sample that says how much it left out, and keeps failures', async () => {
    const { credentials } = other.payer
    const wrong = { ...credentials, secretBase64: Buffer.alloc(32).toString('base64') }
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 40 }, () => balanceOf(service, credentials)))
      await balanceOf(service, wrong)
    }
    await until('the failures are there', async () => {
      const { data } = (await other.viewer.get('/request-log?failed=true&limit=200')).json<Listed>()
      return data.filter(({ error }) => error === 'invalid_signature').length === 4
    })
    const rows = await walk(other.viewer, '/request-log', 7)
    const skipped = rows.reduce((sum, row) => sum + Number(row.skipped), 0)
    expect(rows.length).toBeLessThan(160)
    expect(skipped).toBeGreaterThan(0)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it('is looked through by a few of an account at once, and too many who wait are told to come back', async () => {
    await database.query('begin')
    await database.query('lock table request_log in access exclusive mode')
    const answers: Answer[] = []
    const asked = Array.from({ length: 60 }, async () => {
      answers.push(await shop.viewer.get('/request-log'))
    })
    const refused = () => answers.filter(({ status }) => status === 429)
    await until('some are sent away', async () => refused().length > 0).finally(() =>
      database.query('rollback'),
    )
    await Promise.all(asked)
    for (const answer of refused())
      expect(answer.json()).toMatchObject({ message: expect.stringContaining('still under way') })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })

  it('never shows the requests of others', async () => {
    const ids = (await walk(shop.viewer, '/request-log', 200)).map(({ request_id }) => request_id)
    const theirs = (await walk(other.viewer, '/request-log', 200)).map(({ request_id }) => request_id)
    expect(ids).not.toEqual([])
    expect(ids.filter((id) => theirs.includes(id))).toEqual([])
  })
})
