import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryScene } from '../../../testing/events/delivery-scene.ts'
import { answer, openDeliveryScene } from '../../../testing/events/delivery-scene.ts'
import { payWith, until } from '../../../testing/payments/payments.ts'
import { newSecret, openResponse, sealSecret, signingKeyOf } from '../endpoints/secrets.service.ts'
import { signatureHeaders } from '../endpoints/signing.rules.ts'

let scene: DeliveryScene

beforeAll(async () => {
  scene = await openDeliveryScene()
})
afterAll(() => scene.bench.close())
afterEach(() => scene.closeReceivers())

describe('a delivery that arrives', () => {
  it('is sent once and written down as a success with its attempt', async () => {
    const account = await scene.listeningAccount('balance')
    await scene.bench.queueBalance(account.resellerId, 100)
    scene.engine.wake()
    const rows = await scene.untilFinished(account.resellerId)
    expect(rows.map(({ status }) => status)).toEqual(Array(100).fill('success'))
    expect(rows[0]).toMatchObject({ attempts_made: 1, response_status: 200, error: '', url: account.url })
    expect(rows[0]?.attempts).toEqual([
      { at: expect.any(String), ms: expect.any(Number), status: 200, error: '' },
    ])
    expect(account.receiver.received).toHaveLength(100)
    expect(new Set(account.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100)
    expect(await scene.workOf(account)).toBe(0)
  })

  it('is signed both ways with the secret that its owner has', async () => {
    const account = await scene.listeningAccount('balance')
    await scene.queueOne(account)
    await scene.untilFinished(account.resellerId)
    const [request] = account.receiver.received
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      ...signatureHeaders({
        stream: 'balance',
        eventId: String(request?.headers['webhook-id']),
        timestampSeconds: Number(request?.headers['webhook-timestamp']),
        payload: request?.body ?? '',
        keys: [signingKeyOf(account.secret)],
      }),
    })
    expect(Math.abs(Date.now() / 1_000 - Number(request?.headers['webhook-timestamp']))).toBeLessThan(60)
    expect(request?.headers['x-webhook-test']).toBeUndefined()
  })

  it('keeps the beginning of a long answer, sealed, and is a success all the same', async () => {
    const account = await scene.listeningAccount('balance')
    account.receiver.answerWith(answer(201, 'é'.repeat(100_000)))
    await scene.queueOne(account)
    const [row] = await scene.untilFinished(account.resellerId)
    expect(row).toMatchObject({ status: 'success', response_status: 201 })
    const text = openResponse(
      scene.bench.vault,
      account.resellerId,
      String(row?.id),
      row?.sealed_response ?? null,
    )
    expect(text).toBe('é'.repeat(1_024))
  })

  it('counts by its status when the answer is compressed, of which nothing is kept', async () => {
    const account = await scene.listeningAccount('balance')
    account.receiver.answerWith(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    )
    await scene.queueOne(account)
    expect((await scene.untilFinished(account.resellerId))[0]).toMatchObject({
      status: 'success',
      sealed_response: null,
    })
  })

  it('a GET delivery carries its query behind the URL’s own one, and signs both as they were sent', async () => {
    const receiver = await scene.newReceiver()
    const account = await scene.listeningAccount('callback', {
      url: `${receiver.url}?key=a b`,
      method: 'GET',
    })
    const payment = await payWith(scene.node, account.resellerId)
    await scene.node.resolver.submit({
      resellerId: account.resellerId,
      id: payment.id,
      outcome: { kind: 'pending' },
      nextMs: 60_000,
    })
    await scene.bench.sequence()
    scene.engine.wake()
    await scene.untilFinished(account.resellerId)
    const [request] = receiver.received
    const query = request?.url.slice(request.url.indexOf('?') + 1) ?? ''
    expect(query).toMatch(/^key=a%20b&refid=.*&status=1&price=1&message=%7B/)
    expect(request?.body).toBe('')
    expect(request?.headers).toMatchObject(
      signatureHeaders({
        stream: 'callback',
        eventId: String(request?.headers['webhook-id']),
        timestampSeconds: Number(request?.headers['webhook-timestamp']),
        payload: query,
        keys: [signingKeyOf(account.secret)],
      }),
    )
    expect(request?.headers['x-webhook-signature']).toBeUndefined()
  })
})

describe('a delivery that fails', () => {
  it.each([
    ['callback', [60, 60, 60]],
    ['balance', [60, 120, 240]],
  ] as const)(
    'a delivery that fails of the stream %s is tried again after %j seconds, and then given up',
    async (stream, waits) => {
      const account = await scene.listeningAccount(stream)
      account.receiver.answerWith(answer(500, 'broken'))
      if (stream === 'balance') await scene.bench.queueBalance(account.resellerId, 1)
      else {
        const payment = await payWith(scene.node, account.resellerId)
        await scene.node.resolver.submit({
          resellerId: account.resellerId,
          id: payment.id,
          outcome: { kind: 'pending' },
          nextMs: 60_000,
        })
        await scene.bench.sequence()
      }
      scene.engine.wake()
      for (const [index, wait] of waits.entries()) {
        await scene.untilTried(account.resellerId, index + 1)
        const { rows } = await scene.bench.database.query<{ seconds: number }>(
          'select extract(epoch from next_at - now())::float8 as seconds from delivery_work where reseller_id = $1',
          [account.resellerId],
        )
        expect(rows[0]?.seconds).toBeGreaterThan(wait - 30)
        expect(rows[0]?.seconds).toBeLessThanOrEqual(wait)
        await scene.bench.advance(account.resellerId, wait)
      }
      const [row] = await scene.untilFinished(account.resellerId)
      expect(row).toMatchObject({
        status: 'failed',
        attempts_made: 4,
        response_status: 500,
        error: 'The receiver answered 500',
      })
      expect(row?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 500])
      expect(new Set(account.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(await scene.workOf(account)).toBe(0)
    },
  )

  it('is not tried again after a no for good', async () => {
    const account = await scene.listeningAccount('balance')
    account.receiver.answerWith(answer(410))
    await scene.queueOne(account)
    expect((await scene.untilFinished(account.resellerId))[0]).toMatchObject({
      status: 'failed',
      attempts_made: 1,
      response_status: 410,
    })
  })

  it('is tried again when nobody is there', async () => {
    const account = await scene.listeningAccount('balance', { url: 'http://127.0.0.1:1/' })
    await scene.queueOne(account)
    expect((await scene.untilTried(account.resellerId, 1))[0]).toMatchObject({
      status: 'pending',
      response_status: 0,
      error: 'No connection: ECONNREFUSED',
    })
  })

  it('a delivery to a refused address sends nothing and is not tried again', async () => {
    const account = await scene.listeningAccount('balance', { url: 'http://10.1.2.3/?token=secret' })
    await scene.queueOne(account)
    const [row] = await scene.untilFinished(account.resellerId)
    expect(row).toMatchObject({
      status: 'failed',
      attempts_made: 1,
      response_status: 0,
      sealed_response: null,
      error: 'Not sent: the host is a private address',
    })
  })

  it('arrives at the URL and with the secret that its owner has set meanwhile', async () => {
    const account = await scene.listeningAccount('balance')
    account.receiver.answerWith(answer(503))
    await scene.queueOne(account)
    await scene.untilTried(account.resellerId, 1)
    const moved = await scene.newReceiver()
    const secret = newSecret()
    await scene.bench.database.query(
      'update event_endpoints set url = $2, sealed_secret = $3 where reseller_id = $1',
      [account.resellerId, moved.url, sealSecret(scene.bench.vault, account.resellerId, 'balance', secret)],
    )
    await scene.bench.advance(account.resellerId, 60)
    expect((await scene.untilFinished(account.resellerId))[0]).toMatchObject({
      status: 'success',
      attempts_made: 2,
      url: moved.url,
    })
    const [request] = moved.received
    const keys = [signingKeyOf(secret)] as const
    const timestampSeconds = Number(request?.headers['webhook-timestamp'])
    const eventId = String(request?.headers['webhook-id'])
    expect(request?.headers).toMatchObject(
      signatureHeaders({ stream: 'balance', eventId, timestampSeconds, payload: request?.body ?? '', keys }),
    )
    expect(account.receiver.received).toHaveLength(1)
  })

  it('a delivery that fails whose attempt was under way when the test clock moved is due by the moved clock', async () => {
    const account = await scene.listeningAccount('balance')
    let letGo: () => void = () => {}
    account.receiver.answerWith((_, response) => {
      letGo = () => response.writeHead(500).end()
    })
    await scene.queueOne(account)
    await until('the request is there', () => account.receiver.received.length === 1)
    await scene.bench.advance(account.resellerId, 60)
    account.receiver.answerWith(answer(200))
    letGo()
    expect((await scene.untilFinished(account.resellerId))[0]).toMatchObject({
      status: 'success',
      attempts_made: 2,
    })
  })
})

describe('a rotation with a grace period', () => {
  it('signs with both secrets, the newest first, until the period is over', async () => {
    const account = await scene.listeningAccount('balance')
    const secret = newSecret()
    await scene.bench.database.query(
      `update event_endpoints set sealed_previous_secret = sealed_secret, sealed_secret = $2,
              previous_secret_until = now() + interval '1 hour' where reseller_id = $1`,
      [account.resellerId, sealSecret(scene.bench.vault, account.resellerId, 'balance', secret)],
    )
    await scene.queueOne(account)
    await scene.untilFinished(account.resellerId)
    await scene.bench.advance(account.resellerId, 3_601)
    await scene.queueOne(account)
    await until('both arrived', () => account.receiver.received.length === 2)
    const expected = [[signingKeyOf(secret), signingKeyOf(account.secret)], [signingKeyOf(secret)]] as const
    for (const [index, keys] of expected.entries()) {
      const request = account.receiver.received[index]
      expect(request?.headers).toMatchObject(
        signatureHeaders({
          stream: 'balance',
          eventId: String(request?.headers['webhook-id']),
          timestampSeconds: Number(request?.headers['webhook-timestamp']),
          payload: request?.body ?? '',
          keys,
        }),
      )
    }
  })
})

describe('deliveries that are not sent', () => {
  it.each([
    [
      'a disabled endpoint',
      'update event_endpoints set is_enabled = false where reseller_id = $1',
      'The endpoint is disabled',
    ],
    ['a removed endpoint', 'delete from event_endpoints where reseller_id = $1', 'The endpoint was removed'],
    [
      'a paused endpoint',
      'update event_endpoints set paused_at = now() where reseller_id = $1',
      'The endpoint is paused',
    ],
  ])('a delivery that waits for %s ends as failed, and says why', async (_, change, error) => {
    const account = await scene.listeningAccount('balance')
    await scene.bench.withheld(account.resellerId, 'balance', async () => {
      await scene.bench.queueBalance(account.resellerId, 3)
      await scene.bench.database.query(change, [account.resellerId])
    })
    scene.engine.wake()
    for (const row of await scene.untilFinished(account.resellerId)) {
      expect(row).toMatchObject({ status: 'failed', error, attempts_made: 0, response_status: 0 })
    }
    expect(account.receiver.received).toEqual([])
    expect(await scene.workOf(account)).toBe(0)
  })

  it('a callback of a state that the payment has left is superseded, and the last state is told', async () => {
    const account = await scene.listeningAccount('callback')
    account.receiver.answerWith(answer(500))
    const payment = await payWith(scene.node, account.resellerId)
    const { resellerId } = account
    await scene.node.resolver.submit({
      resellerId,
      id: payment.id,
      outcome: { kind: 'pending' },
      nextMs: 60_000,
    })
    await scene.bench.sequence()
    scene.engine.wake()
    await scene.untilTried(resellerId, 1)
    account.receiver.answerWith(answer(200))
    await scene.node.resolver.submit({
      resellerId,
      id: payment.id,
      outcome: { kind: 'failed', code: 48, reason: 'No' },
      nextMs: 0,
    })
    await scene.bench.sequence()
    await scene.bench.advance(resellerId, 60)
    const rows = await scene.untilFinished(resellerId)
    expect(rows.map(({ status, attempts_made: made }) => [status, made])).toEqual([
      ['superseded', 1],
      ['success', 1],
    ])
    expect(account.receiver.received).toHaveLength(2)
    expect(await scene.factsOf(account, 'delivery.failed')).toEqual([])
  })

  it('an event that is no longer kept', async () => {
    const account = await scene.listeningAccount('balance')
    await scene.bench.withheld(account.resellerId, 'balance', async () => {
      await scene.bench.deposit(account.resellerId, 10_000n)
      await scene.bench.sequence()
      await scene.bench.database.query('update deliveries set subject = 999999 where reseller_id = $1', [
        account.resellerId,
      ])
    })
    scene.engine.wake()
    expect((await scene.untilFinished(account.resellerId))[0]).toMatchObject({
      status: 'failed',
      error: 'The event is no longer kept',
    })
    expect(account.receiver.received).toEqual([])
  })
})
