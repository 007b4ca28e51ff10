import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { AuthenticationFailed, PaymentRejected, UnknownOutcome } from './errors.ts'
import type { Scripted } from './testing/service.ts'
import { fakeService, paymentIn, START_MS } from './testing/service.ts'

const PAYMENT = { refid: 'A-1', product: 'NOVA', account: '60123456789', amount: 10 }
const REJECTED: Scripted = {
  status: 400,
  body: {
    data: { statusCode: 44, status: 'Failed', remarks: 'Invalid_Product' },
    message: 'No.',
    errors: {},
  },
}
const UNAUTHORIZED: Scripted = { status: 401, body: { error: 'invalid_api_key', message: 'No.' } }

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('a payment without an answer', () => {
  it('is sent again with the same body, a new nonce and a later second', async () => {
    const service = fakeService(['lost', { status: 504 }, { status: 503 }, paymentIn('Accepted', 0)])
    const paid = await createClient(service.settings).pay(PAYMENT)
    expect(paid.status).toBe('Accepted')
    expect(service.received.map(({ body }) => JSON.parse(body ?? ''))).toEqual(Array(4).fill(PAYMENT))
    expect(new Set(service.received.map(({ headers }) => headers['X-Nonce'])).size).toBe(4)
    const seconds = service.received.map(({ headers }) => Number(headers['X-Timestamp']))
    for (const [index, second] of seconds.entries()) {
      if (index > 0) expect(second).toBeGreaterThan(seconds[index - 1] ?? 0)
    }
  })

  it('ends in an unknown outcome and never in a failure', async () => {
    for (const scripted of [
      'lost',
      { status: 500 },
      { status: 502, body: '<html>' },
      { status: 503 },
    ] as const) {
      const service = fakeService([scripted])
      const error = await failureOf(createClient(service.settings).pay(PAYMENT))
      expect(error).toBeInstanceOf(UnknownOutcome)
      expect(error).toMatchObject({ refid: 'A-1', retrySafe: true, payment: undefined })
      expect(error).toMatchObject({ remedy: expect.stringMatching(/Do not give the money back/) })
      expect(service.received).toHaveLength(4)
    }
  })

  it('is signed in a later second also when the caller sends it again at once', async () => {
    const service = fakeService(['lost'])
    const client = createClient(service.settings)
    await failureOf(client.pay(PAYMENT))
    await failureOf(client.pay(PAYMENT))
    const seconds = service.received.map(({ headers }) => headers['X-Timestamp'])
    expect(new Set(seconds).size).toBe(8)
  })

  it('is signed in a later second also when the clock is set back before the caller sends it again', async () => {
    for (const backMs of [1_000, 60_000]) {
      const service = fakeService(['lost'])
      const client = createClient(service.settings)
      for (const send of [client.pay, client.pay, client.payAndWait]) {
        await failureOf(send(PAYMENT, { timeoutMs: 1 }))
        service.clock.nowMs -= backMs
      }
      const seconds = service.received.map(({ headers }) => Number(headers['X-Timestamp']))
      expect(seconds).toHaveLength(12)
      expect(seconds).toEqual([...new Set(seconds)].sort((one, other) => one - other))
    }
  })

  it('does not change the second of another payment', async () => {
    const service = fakeService(['lost', 'lost', 'lost', 'lost', paymentIn('Accepted', 0)])
    const client = createClient(service.settings)
    await failureOf(client.pay(PAYMENT))
    service.clock.nowMs = START_MS
    await client.pay({ ...PAYMENT, refid: 'A-2' })
    expect(service.received[4]?.headers['X-Timestamp']).toBe(String(Math.floor(START_MS / 1_000)))
  })

  it('does not wait for a clock that the answer set back: the next attempt is signed a second later', async () => {
    // The service still takes the first clock, and refuses the second one.
    for (const [fastMs, signedLater] of [
      [240_000, 1],
      [3_600_000, -3_600],
    ] as const) {
      const date = new Date(START_MS - fastMs).toUTCString()
      const service = fakeService([{ status: 502, headers: { date } }, paymentIn('Accepted', 0)])
      await createClient(service.settings).pay(PAYMENT)
      expect(service.waits).toHaveLength(1)
      const [first = 0, second = 0] = service.received.map(({ headers }) => Number(headers['X-Timestamp']))
      expect(Math.abs(second - first - signedLater)).toBeLessThanOrEqual(signedLater > 0 ? 0 : 1)
    }
  })

  it('is unknown when its first answer says that the nonce was used: a copy of the request came before it', async () => {
    const service = fakeService([{ status: 401, body: { error: 'nonce_reused', message: 'No.' } }])
    expect(await failureOf(createClient(service.settings).pay(PAYMENT))).toBeInstanceOf(UnknownOutcome)
  })

  it('stays unknown when a later attempt is refused for another reason than the payment', async () => {
    const service = fakeService(['lost', UNAUTHORIZED])
    const error = await failureOf(createClient(service.settings).pay(PAYMENT))
    expect(error).toBeInstanceOf(UnknownOutcome)
    expect((error as Error).cause).toBeInstanceOf(AuthenticationFailed)
  })

  it('is rejected when a later attempt is judged: the service keeps the earlier one from being carried out', async () => {
    const service = fakeService(['lost', REJECTED])
    expect(await failureOf(createClient(service.settings).pay(PAYMENT))).toBeInstanceOf(PaymentRejected)
  })

  it('is unknown when the caller gives up while it is on its way', async () => {
    const caller = new AbortController()
    const service = fakeService([
      () => {
        queueMicrotask(() => caller.abort())
        return 'hang'
      },
    ])
    const client = createClient(service.settings)
    const error = await failureOf(client.pay(PAYMENT, { signal: caller.signal }))
    expect(error).toBeInstanceOf(UnknownOutcome)
    expect(service.received).toHaveLength(1)
  })
})

describe('an answer that describes a payment', () => {
  it('is the status of that payment, whatever its HTTP status', async () => {
    for (const status of [400, 500, 503]) {
      const data = { transaction_id: '7', refid: 'A-1', status: 'Processing', statusCode: 1 }
      const service = fakeService([{ status, body: { data } }])
      expect(await createClient(service.settings).pay(PAYMENT)).toEqual(data)
      expect(service.received).toHaveLength(1)
    }
  })
})

describe('a caller that gives up before anything was sent', () => {
  it('leaves nothing unknown', async () => {
    const service = fakeService([paymentIn('Accepted', 0)])
    const client = createClient(service.settings)
    const signal = AbortSignal.abort(new Error('given up'))
    expect(await failureOf(client.payAndWait(PAYMENT, { signal }))).toMatchObject({ message: 'given up' })
    expect(await failureOf(client.getBalance(undefined, { signal }))).toMatchObject({ message: 'given up' })
    expect(service.received).toEqual([])
  })
})

describe('a refusal of the credentials', () => {
  it('is what it is when no attempt went unanswered before', async () => {
    const service = fakeService([UNAUTHORIZED])
    expect(await failureOf(createClient(service.settings).pay(PAYMENT))).toBeInstanceOf(AuthenticationFailed)
    expect(service.received).toHaveLength(1)
  })
})

describe('an answer that the service did not write', () => {
  it.each([
    { status: 302, body: '' },
    { status: 403, body: '<html>' },
  ])('leaves the payment unknown: $status', async (scripted) => {
    const service = fakeService([scripted])
    expect(await failureOf(createClient(service.settings).pay(PAYMENT))).toBeInstanceOf(UnknownOutcome)
  })

  it('leaves the payment unknown also when the next question is refused', async () => {
    const service = fakeService([{ status: 403, body: '<html>' }, UNAUTHORIZED])
    const error = await failureOf(createClient(service.settings).payAndWait(PAYMENT))
    expect(error).toBeInstanceOf(UnknownOutcome)
  })
})

describe('payAndWait', () => {
  it('asks every 5 seconds for half a minute, then every 10 seconds', async () => {
    const service = fakeService([
      ...Array.from({ length: 9 }, () => paymentIn('Processing', 1)),
      paymentIn('Succesful', 20),
    ])
    const paid = await createClient(service.settings).payAndWait(PAYMENT)
    expect(paid).toMatchObject({ status: 'Succesful', statusCode: 20 })
    expect(service.waits).toEqual([5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 10_000, 10_000, 10_000])
    expect(new Set(service.received.map(({ body }) => body)).size).toBe(1)
  })

  it('returns a failed payment: it exists, and its money is back', async () => {
    const service = fakeService([paymentIn('Accepted', 0), paymentIn('Failed', 48)])
    const seen: string[] = []
    const paid = await createClient(service.settings).payAndWait(PAYMENT, {
      onStatus: ({ status }) => seen.push(status),
    })
    expect(paid).toMatchObject({ status: 'Failed', statusCode: 48 })
    expect(seen).toEqual(['Accepted', 'Failed'])
  })

  it('ends in an unknown outcome with the last state when its time is over', async () => {
    const service = fakeService([paymentIn('Processing', 1)])
    const error = await failureOf(createClient(service.settings).payAndWait(PAYMENT, { timeoutMs: 12_000 }))
    expect(error).toBeInstanceOf(UnknownOutcome)
    expect(error).toMatchObject({ refid: 'A-1', payment: { status: 'Processing' } })
    expect(service.received).toHaveLength(3)
  })

  it('goes on asking through faults, and through a refusal of a payment that exists', async () => {
    const lost: Scripted[] = ['lost', 'lost', 'lost', 'lost']
    const service = fakeService([
      ...lost,
      paymentIn('Processing', 1),
      UNAUTHORIZED,
      ...lost,
      paymentIn('Succesful', 20),
    ])
    const paid = await createClient(service.settings).payAndWait(PAYMENT)
    expect(paid.status).toBe('Succesful')
  })

  it('hands an error of onStatus to the caller, and does not take it for a fault of the network', async () => {
    const service = fakeService([paymentIn('Succesful', 20)])
    const onStatus = () => {
      throw new Error('the disk is full')
    }
    const error = await failureOf(createClient(service.settings).payAndWait(PAYMENT, { onStatus }))
    expect(error).toMatchObject({ message: 'the disk is full' })
    expect(service.received).toHaveLength(1)
  })

  it('throws a rejection at once: nothing exists', async () => {
    const service = fakeService([REJECTED])
    expect(await failureOf(createClient(service.settings).payAndWait(PAYMENT))).toBeInstanceOf(
      PaymentRejected,
    )
    expect(service.received).toHaveLength(1)
  })
})
