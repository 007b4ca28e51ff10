import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { AuthenticationFailed, ConnectionFailed, InvalidRequest, UnknownOutcome } from './errors.ts'
import type { Attempt } from './settings.ts'
import type { Scripted } from './testing/service.ts'
import { fakeService, START_MS } from './testing/service.ts'

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)
const OK: Scripted = { status: 200, body: { data: {} } }

describe('an operation', () => {
  it('sends path, sorted query and the release of the contract, signed', async () => {
    const service = fakeService([OK])
    const client = createClient(service.settings)
    await client.listTransactions({
      limit: 10,
      date: '2026-01-01 - 2026-01-31',
      status: ['FAILED', 'REFUND'],
    })
    await client.getCase({ number: 'C/1' })
    await client.putBalanceWebhook({ url: 'https://shop.example/hook' })
    await client.deleteCallbackUrl()
    expect(service.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      [
        'GET',
        'https://api.example.com/v2/transactions?date=2026-01-01%20-%202026-01-31&limit=10&status=FAILED&status=REFUND',
        undefined,
      ],
      ['GET', 'https://api.example.com/v2/cases/C%2F1', undefined],
      ['PUT', 'https://api.example.com/v2/balance-webhook', '{"url":"https://shop.example/hook"}'],
      ['DELETE', 'https://api.example.com/v2/callback-url', undefined],
    ])
    for (const { headers } of service.received) {
      expect(headers).toMatchObject({ 'X-Api-Key': 'key-1', 'X-API-Version': '2026-09-16' })
      expect(headers['X-Signature']).toMatch(/^v1=[A-Za-z0-9+/]{43}=$/)
      expect(headers['X-Nonce']).toMatch(/^[A-Za-z0-9_-]{16,128}$/)
    }
  })

  it('without credentials carries none', async () => {
    const service = fakeService([OK])
    await createClient(service.settings).getHealth()
    expect(Object.keys(service.received[0]?.headers ?? {})).not.toContain('X-Api-Key')
  })

  it('returns null for an answer without content', async () => {
    const service = fakeService([{ status: 204 }])
    expect(await createClient(service.settings).deleteBalanceWebhook()).toBeNull()
  })

  it('refuses an empty name in a path before anything is sent', async () => {
    const service = fakeService([OK])
    const error = await failureOf(createClient(service.settings).getCase({ number: '' }))
    expect(error).toBeInstanceOf(TypeError)
    expect(service.received).toEqual([])
  })
})

describe('attempts', () => {
  it('are told one by one', async () => {
    const told: Attempt[] = []
    const service = fakeService(['lost', { status: 500 }, OK], { onAttempt: (attempt) => told.push(attempt) })
    await createClient(service.settings).getBalance()
    expect(told.map(({ attempt, status, failure }) => [attempt, status, failure])).toEqual([
      [1, undefined, 'connection'],
      [2, 500, undefined],
      [3, 200, undefined],
    ])
  })

  it('are not repeated because the log of the caller failed', async () => {
    const onAttempt = ({ status }: Attempt) => {
      if (status === 200) throw new Error('the disk is full')
    }
    const service = fakeService([OK], { onAttempt })
    expect(await failureOf(createClient(service.settings).getBalance())).toMatchObject({
      message: 'the disk is full',
    })
    expect(service.received).toHaveLength(1)
  })

  it('end after the fourth', async () => {
    const service = fakeService(['lost'])
    const error = await failureOf(createClient(service.settings).getBalance())
    expect(error).toBeInstanceOf(ConnectionFailed)
    expect(error).toMatchObject({ token: 'connection_failed', retrySafe: true })
    expect(service.received).toHaveLength(4)
  })

  it('end when no answer comes in time', async () => {
    const service = fakeService(['hang'], { timeoutMs: 5 })
    const error = await failureOf(createClient(service.settings).getBalance())
    expect(error).toMatchObject({ name: 'ConnectionFailed', token: 'timeout' })
  })

  it('are not repeated where a second one would do it twice', async () => {
    for (const scripted of ['lost', { status: 504 }] as const) {
      const service = fakeService([scripted])
      const error = await failureOf(createClient(service.settings).rotateCallbackSecret())
      expect(error).toBeInstanceOf(UnknownOutcome)
      expect(error).toMatchObject({ retrySafe: false })
      expect(service.received).toHaveLength(1)
    }
  })

  it.each(['{"data":{"bal', ''])('treat an answer that is cut like none: %j', async (body) => {
    const cut: Scripted = { status: 200, body, headers: { 'content-type': 'application/json' } }
    const service = fakeService([cut, OK])
    await createClient(service.settings).getBalance()
    expect(service.received).toHaveLength(2)
  })
})

describe('a clock that is wrong', () => {
  const serverMs = START_MS + 600_000
  const date = new Date(serverMs).toUTCString()
  const expired: Scripted = {
    status: 401,
    headers: { date },
    body: { error: 'timestamp_expired', message: 'Too old.' },
  }

  it.each([600_000, -600_000])(
    'is corrected by the answer, and the request is signed once more: %i ms',
    async (ms) => {
      const service = fakeService([
        { ...expired, headers: { date: new Date(START_MS + ms).toUTCString() } },
        OK,
      ])
      const client = createClient(service.settings)
      await client.getBalance()
      expect(service.waits).toEqual([])
      const [first, second] = service.received.map(({ headers }) => Number(headers['X-Timestamp']))
      expect(Math.abs((second ?? 0) - (first ?? 0) - ms / 1_000)).toBeLessThanOrEqual(1)
      expect(Math.abs(client.clockOffsetMs() - ms)).toBeLessThan(1_000)
      await client.getBalance()
      expect(service.received).toHaveLength(3)
    },
  )

  it('is corrected by a small difference too when the service refuses the time', async () => {
    const service = fakeService([
      { ...expired, headers: { date: new Date(START_MS + 45_000).toUTCString() } },
      OK,
    ])
    const client = createClient(service.settings)
    await client.getBalance()
    expect(Math.abs(client.clockOffsetMs() - 45_000)).toBeLessThan(1_000)
  })

  it('is corrected once: a service that refuses again is believed', async () => {
    const service = fakeService([expired])
    const error = await failureOf(createClient(service.settings).getBalance())
    expect(error).toBeInstanceOf(AuthenticationFailed)
    expect(error).toMatchObject({ token: 'timestamp_expired' })
    expect(service.received).toHaveLength(2)
  })

  it('is corrected before it is refused, and small differences are left alone', async () => {
    const answer = (ms: number): Scripted => ({
      ...OK,
      headers: { date: new Date(START_MS + ms).toUTCString() },
    })
    const service = fakeService([answer(59_000), answer(240_000), OK])
    const client = createClient(service.settings)
    await client.getBalance()
    expect(client.clockOffsetMs()).toBe(0)
    await client.getBalance()
    expect(Math.abs(client.clockOffsetMs() - 240_000)).toBeLessThan(1_000)
  })
})

describe('call', () => {
  it('returns every answer, and joins queries', async () => {
    const service = fakeService([{ status: 404, body: { message: 'No.', errors: {} } }])
    const answer = await createClient(service.settings).call('get', '/v2/options?b=2', { query: { a: 1 } })
    expect(answer).toMatchObject({ status: 404, requestId: 'req-1', body: { message: 'No.' } })
    expect(service.received[0]?.query).toBe('b=2&a=1')
    expect(service.received[0]?.headers['X-API-Version']).toBe('2026-09-16')
  })
})

describe('an error', () => {
  it('has the request id, the fields and advice', async () => {
    const refused = { status: 400, body: { message: 'Wrong.', errors: { limit: ['1 to 1000.'] } } }
    const error = await failureOf(createClient(fakeService([refused]).settings).listEvents({ limit: 0 }))
    expect(error).toBeInstanceOf(InvalidRequest)
    expect(error).toMatchObject({ message: 'Wrong.', requestId: 'req-1', errors: { limit: ['1 to 1000.'] } })
    const signature = { status: 401, body: { error: 'nonce_reused', message: 'Again.' } }
    const second = await failureOf(createClient(fakeService([signature]).settings).getBalance())
    expect(second).toMatchObject({ remedy: expect.stringMatching(/new one for every request/) })
  })
})

describe('settings', () => {
  const good = fakeService([OK]).settings

  it.each([
    [{ ...good, apiKey: '' }, /apiKey/],
    [{ ...good, baseUrl: 'api.example.com' }, /https/],
    [{ ...good, baseUrl: 'https://api example.com' }, /baseUrl is not an address/],
    [{ ...good, baseUrl: 'https://user:word@api.example.com' }, /has credentials/],
    [{ ...good, baseUrl: 'https://api.example.com/?v=2' }, /a query/],
    [{ ...good, apiKey: 'key-1\u200b' }, /apiKey has a character/],
    [{ ...good, signingSecret: 'not Base64!' }, /signingSecret is not Base64/],
  ])('with a mistake are refused at once', (settings, message) => {
    expect(() => createClient(settings)).toThrow(message)
  })
})
