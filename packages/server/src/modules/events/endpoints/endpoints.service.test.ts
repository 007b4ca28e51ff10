import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { UncertainCommitError } from '../../../db/database.ts'
import { refusalOfUrl } from '../../../outbound/targets.rules.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import { createReseller } from '../../accounts/service.ts'
import type { Stream } from '../types.ts'
import { STREAMS } from '../types.ts'
import type { Endpoints } from './endpoints.service.ts'
import { createEndpoints } from './endpoints.service.ts'
import type { WebhookStream } from './endpoints.types.ts'
import { openSecret } from './secrets.service.ts'

const URL = 'https://shop.example/hook'
let test: TestDatabase
let endpoints: Endpoints

function endpointsOn(database: Database): Endpoints {
  return createEndpoints({
    ...test,
    database,
    environment: 'staging',
    outbound: { refusalOf: (url) => refusalOfUrl(url, []) },
    allow: [],
    addressesOf: async (hostname) => (hostname === 'inside.example' ? ['10.0.0.1'] : []),
  })
}

beforeAll(async () => {
  test = await openTestDatabase()
  endpoints = endpointsOn(test.database)
})

afterAll(() => test.close())

async function newResellerId(): Promise<bigint> {
  const wanted = { name: 'Kedai Titik', email: 'titik@example.com', priceLevel: 'STANDARD' }
  return (await createReseller({ ...test, environment: 'staging' }, wanted)).id
}

function put(resellerId: bigint, stream: Stream, url = URL) {
  return stream === 'callback'
    ? endpoints.putCallback(resellerId, { url, method: 'POST' })
    : endpoints.putWebhook(resellerId, stream, url)
}

/** Leaves the endpoint as the engine leaves one that failed for days. */
async function pause(resellerId: bigint, stream: Stream): Promise<void> {
  await test.database.query(
    `update event_endpoints set paused_at = now(), failing_since = now() - interval '3 days'
      where reseller_id = $1 and stream = $2`,
    [resellerId, stream],
  )
}

async function isPaused(resellerId: bigint, stream: Stream): Promise<boolean> {
  const { pausedAt, failingSince } = await endpoints.getStatus(resellerId, stream)
  expect(pausedAt === null).toBe(failingSince === null)
  return pausedAt !== null
}

describe('a paused endpoint', () => {
  it.each(STREAMS)(
    'a paused endpoint of the stream %s is resumed by a new URL and by a new secret',
    async (stream) => {
      const resellerId = await newResellerId()
      await put(resellerId, stream)
      await pause(resellerId, stream)
      await put(resellerId, stream)
      expect(await isPaused(resellerId, stream)).toBe(false)
      await pause(resellerId, stream)
      await endpoints.rotateSecret(resellerId, stream, undefined)
      expect(await isPaused(resellerId, stream)).toBe(false)
    },
  )

  it.each<WebhookStream>(['balance', 'catalog'])(
    'a paused endpoint of the stream %s is resumed by switching it on, and by nothing else that keeps it',
    async (stream) => {
      const resellerId = await newResellerId()
      await put(resellerId, stream)
      await pause(resellerId, stream)
      await endpoints.setEnabled(resellerId, stream, false)
      expect(await isPaused(resellerId, stream)).toBe(true)
      await endpoints.setEnabled(resellerId, stream, true)
      expect(await isPaused(resellerId, stream)).toBe(false)
    },
  )
})

describe('an endpoint that fails', () => {
  async function failing(stream: Stream): Promise<{ resellerId: bigint; since: () => Promise<Date | null> }> {
    const resellerId = await newResellerId()
    await put(resellerId, stream)
    await test.database.query(
      `update event_endpoints set failing_since = now() - interval '2 days' where reseller_id = $1`,
      [resellerId],
    )
    return { resellerId, since: async () => (await endpoints.getStatus(resellerId, stream)).failingSince }
  }

  it.each(STREAMS)(
    'an endpoint of the stream %s fails until another URL is put, not the same',
    async (stream) => {
      const { resellerId, since } = await failing(stream)
      const before = await since()
      await put(resellerId, stream)
      expect(await since()).toEqual(before)
      await put(resellerId, stream, `${URL}/new`)
      expect(await since()).toBeNull()
    },
  )

  it.each<WebhookStream>(['balance', 'catalog'])(
    'an endpoint of the stream %s fails until it is switched off and on, not on alone',
    async (stream) => {
      const { resellerId, since } = await failing(stream)
      const before = await since()
      await endpoints.setEnabled(resellerId, stream, true)
      expect(await since()).toEqual(before)
      await endpoints.setEnabled(resellerId, stream, false)
      await endpoints.setEnabled(resellerId, stream, true)
      expect(await since()).toBeNull()
    },
  )
})

describe('a rotation', () => {
  type Secrets = { sealed_previous_secret: Buffer | null; seconds: number | null }

  async function previousOf(resellerId: bigint, stream: Stream): Promise<Secrets | undefined> {
    const { rows } = await test.database.query<Secrets>(
      `select sealed_previous_secret,
              extract(epoch from previous_secret_until - secret_created_at)::float8 as seconds
         from event_endpoints where reseller_id = $1 and stream = $2`,
      [resellerId, stream],
    )
    return rows[0]
  }

  it('ends the old secret at once, also one that still had time', async () => {
    const resellerId = await newResellerId()
    await put(resellerId, 'catalog')
    await endpoints.rotateSecret(resellerId, 'catalog', 60)
    await endpoints.rotateSecret(resellerId, 'catalog', undefined)
    expect(await previousOf(resellerId, 'catalog')).toEqual({ sealed_previous_secret: null, seconds: null })
  })

  it.each(['callback', 'catalog'] as const)(
    'a rotation with a grace keeps the old secret of %s so long',
    async (stream) => {
      const resellerId = await newResellerId()
      const { secret } = await put(resellerId, stream)
      await endpoints.rotateSecret(resellerId, stream, 3_600)
      const previous = await previousOf(resellerId, stream)
      const sealed = previous?.sealed_previous_secret
      expect(sealed && openSecret(test.vault, resellerId, stream, sealed)).toBe(secret)
      expect(previous?.seconds).toBeCloseTo(3_600, 0)
    },
  )

  it.each([0, -1, 604_801, 1.5, '60', null, true])(
    'a rotation with a grace of %j is refused',
    async (grace) => {
      const resellerId = await newResellerId()
      const { secret } = await put(resellerId, 'callback')
      const words = expect.stringMatching(/^The grace_seconds field must be .*\.$/)
      await expect(endpoints.rotateSecret(resellerId, 'callback', grace)).rejects.toThrow(
        expect.objectContaining({ status: 400, fields: { grace_seconds: [words] } }),
      )
      expect((await endpoints.find(resellerId, 'callback'))?.secretLastFour).toBe(secret?.slice(-4))
    },
  )

  it('a rotation of the balance webhook has no grace', async () => {
    const resellerId = await newResellerId()
    await put(resellerId, 'balance')
    await expect(endpoints.rotateSecret(resellerId, 'balance', 60)).rejects.toThrow(
      expect.objectContaining({ status: 400, fields: { grace_seconds: [expect.stringMatching(/\S/)] } }),
    )
  })
})

describe('the streams of an account', () => {
  it('have an endpoint and a secret each, and know nothing of each other', async () => {
    const resellerId = await newResellerId()
    const secrets = new Set<string | undefined>()
    for (const stream of STREAMS) secrets.add((await put(resellerId, stream)).secret)
    expect(secrets.size).toBe(STREAMS.length)
    await endpoints.remove(resellerId, 'balance')
    expect(await endpoints.find(resellerId, 'balance')).toBeUndefined()
    expect((await endpoints.find(resellerId, 'catalog'))?.url).toBe(URL)
    expect((await endpoints.find(resellerId, 'callback'))?.url).toBe(URL)
  })

  it('one that was removed begins anew: another secret, enabled, with the first types', async () => {
    const resellerId = await newResellerId()
    const { secret } = await put(resellerId, 'balance')
    await endpoints.setTypes(resellerId, ['balance.low', 'balance.added'])
    await endpoints.setEnabled(resellerId, 'balance', false)
    await endpoints.remove(resellerId, 'balance')
    const again = await put(resellerId, 'balance')
    expect(again.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(again.secret).not.toBe(secret)
    expect(again.endpoint).toMatchObject({ isEnabled: true, types: ['balance.added'] })
  })
})

describe('a URL', () => {
  it('a URL whose name leads inside is refused when it is saved, and nothing is changed', async () => {
    const resellerId = await newResellerId()
    await put(resellerId, 'balance')
    await expect(put(resellerId, 'balance', 'https://inside.example/')).rejects.toThrow(
      expect.objectContaining({ status: 400, fields: { url: [expect.stringMatching(/private/)] } }),
    )
    expect((await endpoints.find(resellerId, 'balance'))?.url).toBe(URL)
  })
})

describe('a service in production', () => {
  it('callbacks alone go over plain HTTP', async () => {
    const resellerId = await newResellerId()
    const production = createEndpoints({
      ...test,
      environment: 'production',
      outbound: { refusalOf: (url) => refusalOfUrl(url, []) },
      allow: [],
      addressesOf: async () => [],
    })
    const url = 'http://shop.example/hook'
    const refusal = expect.objectContaining({
      status: 400,
      fields: { url: [expect.stringMatching(/HTTPS/)] },
    })
    const put = async (stream: WebhookStream, to: string) => production.putWebhook(resellerId, stream, to)
    await expect(put('balance', url)).rejects.toThrow(refusal)
    await expect(put('catalog', url)).rejects.toThrow(refusal)
    await put('balance', URL)
    expect((await production.putCallback(resellerId, { url, method: 'GET' })).endpoint.url).toBe(url)
  })
})

describe('a pending delivery', () => {
  it('is counted per stream, also where nothing is configured any more', async () => {
    const resellerId = await newResellerId()
    for (const stream of ['balance', 'balance', 'catalog'] as const) {
      await test.database.query(
        'insert into delivery_work (reseller_id, stream, next_at, delivery_id) values ($1, $2, now(), gen_random_uuid())',
        [resellerId, stream],
      )
    }
    expect(await endpoints.getStatus(resellerId, 'balance')).toMatchObject({ isEnabled: false, pending: 2 })
    expect(await endpoints.getStatus(resellerId, 'catalog')).toMatchObject({ pending: 1 })
    expect(await endpoints.getStatus(resellerId, 'callback')).toMatchObject({ pending: 0 })
  })
})

it.each<[string, (own: Endpoints, resellerId: bigint) => Promise<unknown>]>([
  ['a new URL', (own, id) => own.putWebhook(id, 'balance', 'https://shop.example/other')],
  ['a new secret', (own, id) => own.rotateSecret(id, 'balance', undefined)],
  ['a switch', (own, id) => own.setEnabled(id, 'balance', false)],
  ['a choice of types', (own, id) => own.setTypes(id, ['balance.added'])],
  ['a removal', (own, id) => own.remove(id, 'balance')],
])('a change of an endpoint whose answer is lost, %s, is reported as uncertain', async (_, change) => {
  const resellerId = await newResellerId()
  await put(resellerId, 'balance')
  const before = await endpoints.find(resellerId, 'balance')
  await withBreakableDatabase(test.connection, async (database, line) => {
    line.breakCommit('after')
    await expect(change(endpointsOn(database), resellerId)).rejects.toBeInstanceOf(UncertainCommitError)
  })
  expect(await endpoints.find(resellerId, 'balance')).not.toEqual(before)
})

it.each(['callback', 'balance'] as const)(
  'a new address of the %s has taken nothing yet, and the same address keeps what it has taken',
  async (stream) => {
    const resellerId = await newResellerId()
    await put(resellerId, stream)
    await test.database.query('update event_endpoints set last_success_at = now() where reseller_id = $1', [
      resellerId,
    ])
    const taken = async () => (await endpoints.getStatus(resellerId, stream)).lastSuccessAt !== null
    await put(resellerId, stream)
    expect(await taken()).toBe(true)
    await put(resellerId, stream, `${URL}/new`)
    expect(await taken()).toBe(false)
  },
)
