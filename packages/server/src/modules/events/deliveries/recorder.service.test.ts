import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryScene } from '../../../testing/events/delivery-scene.ts'
import { answer, openDeliveryScene } from '../../../testing/events/delivery-scene.ts'
import { payWith, until } from '../../../testing/payments/payments.ts'

let scene: DeliveryScene

beforeAll(async () => {
  scene = await openDeliveryScene()
})
afterAll(() => scene.bench.close())
afterEach(() => scene.closeReceivers())

describe('giving up', () => {
  it('is told in the feed, once for each delivery, without what stands in the query', async () => {
    const account = await scene.listeningAccount('balance', { url: 'http://127.0.0.1:1/hook?token=secret' })
    await scene.queueOne(account)
    await scene.giveUp(account)
    const [row] = await scene.bench.deliveriesOf(account.resellerId)
    expect(await scene.factsOf(account, 'delivery.failed')).toEqual([
      {
        stream: 'balance',
        jobId: row?.id,
        eventId: row?.event_id,
        url: 'http://127.0.0.1:1/hook',
        error: 'No connection: ECONNREFUSED',
        attempts: 4,
      },
    ])
  })

  it('is mailed at most once a day', async () => {
    const account = await scene.listeningAccount('balance')
    account.receiver.answerWith(answer(400))
    for (const expected of [1, 1, 2]) {
      if (expected === 2) await scene.bench.advance(account.resellerId, 86_401)
      await scene.queueOne(account)
      await scene.untilFinished(account.resellerId)
      expect(await scene.noticesOf(account, 'delivery.failed')).toHaveLength(expected)
    }
    expect((await scene.noticesOf(account, 'delivery.failed'))[0]).toMatchObject({
      stream: 'balance',
      url: account.url,
      error: 'The receiver answered 400',
      since: expect.any(String),
      failedCount: 1,
    })
  })

  it('an endpoint fails since its first failure, and no more when something arrives', async () => {
    const account = await scene.listeningAccount('balance')
    account.receiver.answerWith(answer(500))
    await scene.queueOne(account)
    await scene.untilTried(account.resellerId, 1)
    const failing = (await scene.endpointOf(account))?.failing_since
    expect(failing).toBeInstanceOf(Date)
    account.receiver.answerWith(answer(200))
    await scene.bench.advance(account.resellerId, 60)
    await scene.untilFinished(account.resellerId)
    expect(await scene.endpointOf(account)).toMatchObject({
      failing_since: null,
      paused_at: null,
      last_success_at: expect.any(Date),
    })
  })

  it('a webhook that failed for days is paused and told so, a callback never', async () => {
    const webhook = await scene.listeningAccount('balance')
    const callback = await scene.listeningAccount('callback')
    for (const account of [webhook, callback]) account.receiver.answerWith(answer(500))
    await scene.bench.queueBalance(webhook.resellerId, 3)
    for (let count = 0; count < 3; count += 1) {
      const { id } = await payWith(scene.node, callback.resellerId)
      await scene.node.resolver.submit({
        resellerId: callback.resellerId,
        id,
        outcome: { kind: 'pending' },
        nextMs: 60_000,
      })
    }
    await scene.bench.sequence()
    scene.engine.wake()
    for (const account of [webhook, callback]) {
      await scene.giveUp(account)
      expect(await scene.endpointOf(account)).toMatchObject({ paused_at: null })
      await scene.bench.advance(account.resellerId, 3 * 86_400)
    }
    await scene.queueOne(webhook)
    const { id } = await payWith(scene.node, callback.resellerId)
    await scene.node.resolver.submit({
      resellerId: callback.resellerId,
      id,
      outcome: { kind: 'pending' },
      nextMs: 60_000,
    })
    await scene.bench.sequence()
    scene.engine.wake()
    await until('the webhook is paused', async () => (await scene.endpointOf(webhook))?.paused_at ?? false)
    expect(await scene.factsOf(webhook, 'endpoint.paused')).toEqual([
      { stream: 'balance', url: webhook.url, since: expect.any(String) },
    ])
    expect(await scene.noticesOf(webhook, 'endpoint.paused')).toHaveLength(1)
    await until('the callback was tried', async () =>
      (await scene.bench.deliveriesOf(callback.resellerId)).every((row) => row.attempts_made > 0),
    )
    expect(await scene.endpointOf(callback)).toMatchObject({
      paused_at: null,
      failing_since: expect.any(Date),
    })
  })

  it('a test that arrives resumes a paused webhook; one that fails is tried once and told nobody', async () => {
    const account = await scene.listeningAccount('balance')
    await scene.bench.database.query(
      'update event_endpoints set paused_at = now(), failing_since = now() where reseller_id = $1',
      [account.resellerId],
    )
    account.receiver.answerWith(answer(500))
    await scene.queueTest(account)
    expect((await scene.untilFinished(account.resellerId))[0]).toMatchObject({
      status: 'failed',
      attempts_made: 1,
    })
    expect(await scene.endpointOf(account)).toMatchObject({ paused_at: expect.any(Date) })
    expect(await scene.factsOf(account, 'delivery.failed')).toEqual([])
    expect(await scene.noticesOf(account, 'delivery.failed')).toEqual([])
    account.receiver.answerWith(answer(200))
    await scene.queueTest(account)
    await scene.untilFinished(account.resellerId)
    expect(await scene.endpointOf(account)).toMatchObject({ paused_at: null, failing_since: null })
    expect(account.receiver.received.map(({ headers }) => headers['x-webhook-test'])).toEqual([
      'true',
      'true',
    ])
  })
})
