import { describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import { until } from '../../service.ts'
import { describeConfiguration } from '../webhooks/configuration.ts'
import type { Bench, Delivery } from '../webhooks/harness.ts'
import { call, callOk, readDelivery, readPage, untilEnded, untilOver } from '../webhooks/harness.ts'
import { describeLog } from '../webhooks/log.ts'

const BASE = '/v2/balance-webhook'
const DELIVERIES = `${BASE}/deliveries`

type Replay = { jobId: string; originalJobId: string; eventId: string }
type Results = { results: { jobId: string; success: boolean; newJobId: string | null; error?: string }[] }

export function describeBalanceWebhook(bench: () => Bench): void {
  describeConfiguration(bench, BASE)
  describeLog(bench, BASE, (reseller) => configure(reseller, '/400'))
  describeTypes(bench)
  describeDeliveries(bench)
  describeReplays(bench)

  function configure(reseller: TestReseller, path: string) {
    return callOk(bench(), reseller, 'PUT', BASE, { url: bench().receiverUrl + path })
  }

  it(`${BASE}: plain HTTP will do in staging`, async () => {
    const reseller = await createReseller(bench().service)
    await callOk(bench(), reseller, 'PUT', BASE, { url: 'http://shop.example/hook' })
  })

  it(`${BASE}/rotate-secret: the old secret always ends at once, so a grace is refused`, async () => {
    const reseller = await createReseller(bench().service)
    await configure(reseller, '/200')
    const answer = await call(bench(), reseller, 'POST', `${BASE}/rotate-secret`, { grace_seconds: 60 })
    expectProblem(answer, 400, ['grace_seconds'])
    await callOk(bench(), reseller, 'POST', `${BASE}/rotate-secret`, {})
  })
}

/** Makes an account whose deposits are sent to a path of the receiver. */
async function withReceiver(bench: Bench, path: string): Promise<TestReseller> {
  const reseller = await createReseller(bench.service)
  await callOk(bench, reseller, 'PUT', BASE, { url: bench.receiverUrl + path })
  return reseller
}

async function deposit({ service }: Bench, { account }: TestReseller, amount: string): Promise<void> {
  await service.warungd('deposit', '--reseller', account, '--amount', amount, '--remarks', 'bank')
}

/** Makes `count` deposits and returns their finished deliveries, oldest first. */
async function depositAndWait(bench: Bench, reseller: TestReseller, count: number): Promise<Delivery[]> {
  for (let each = 1; each <= count; each += 1) await deposit(bench, reseller, String(each))
  return (await untilEnded(bench, reseller, BASE, count)).toReversed()
}

function describeTypes(bench: () => Bench): void {
  const path = `${BASE}/types`

  describe(path, () => {
    it('is balance.added at first, and whatever was chosen since', async () => {
      const reseller = await createReseller(bench().service)
      expect(await callOk(bench(), reseller, 'GET', path)).toEqual({ types: [] })
      expectProblem(await call(bench(), reseller, 'PUT', path, { types: ['balance.low'] }), 404)
      await callOk(bench(), reseller, 'PUT', BASE, { url: 'https://shop.example/' })
      expect(await callOk(bench(), reseller, 'GET', path)).toEqual({ types: ['balance.added'] })
      const types = ['balance.added', 'balance.low', 'balance.deducted', 'balance.refunded']
      expect(await callOk(bench(), reseller, 'PUT', path, { types: types.toReversed() })).toEqual({ types })
      expect(await callOk(bench(), reseller, 'GET', path)).toEqual({ types })
      // The contract's record has no fields for them.
      expect(Object.keys(await callOk(bench(), reseller, 'GET', BASE))).toHaveLength(5)
    })

    it('takes nothing but a list of types that there are', async () => {
      const reseller = await withReceiver(bench(), '/200')
      for (const json of [{}, { types: [] }, { types: 'balance.added' }, { types: ['payment.failed'] }]) {
        expectProblem(await call(bench(), reseller, 'PUT', path, json), 400, ['types'])
      }
      expect(await callOk(bench(), reseller, 'GET', path)).toEqual({ types: ['balance.added'] })
    })
  })
}

function describeDeliveries(bench: () => Bench): void {
  describe(DELIVERIES, () => {
    it('has a deposit that was received', async () => {
      const reseller = await withReceiver(bench(), '/200')
      const [delivery] = await depositAndWait(bench(), reseller, 1)
      expect(delivery).toMatchObject({
        status: 'success',
        error: '',
        retryCount: 0,
        retryLimit: 3,
        webhookUrl: `${bench().receiverUrl}/200`,
        webhookMethod: 'POST',
        replayCount: 0,
        originalJobId: null,
        responseCode: 200,
        responseStatusCode: 200,
        responseBody: 'answered 200',
        payload: {
          type: 'balance.added',
          version: '1',
          id: delivery?.eventId,
          data: { resellerCode: reseller.account, amount: 1, balance: 1, description: 'bank' },
        },
      })
      expect(delivery?.webhookPayload).toEqual(delivery?.payload)
      const status = await callOk<{ last_success_at: string }>(bench(), reseller, 'GET', `${BASE}/status`)
      expect(Date.parse(status.last_success_at)).not.toBeNaN()
    })

    it('has what is under way behind status=pending alone', async () => {
      const reseller = await withReceiver(bench(), '/500')
      await deposit(bench(), reseller, '5')
      const { deliveries } = await readPage(bench(), reseller, `${DELIVERIES}?status=all`)
      expect(deliveries).toEqual([])
      const pending = await untilPending(bench(), reseller)
      expect(pending).toMatchObject({ status: 'pending', retryCount: 0 })
      expect(await callOk(bench(), reseller, 'GET', `${BASE}/status`)).toMatchObject({ pending: 1 })
      expectProblem(await call(bench(), reseller, 'POST', `${DELIVERIES}/${pending.id}/replay`), 409)
    })

    it('is filtered by state, time and event, and read page by page', async () => {
      const reseller = await withReceiver(bench(), '/400')
      const failed = await depositAndWait(bench(), reseller, 2)
      await callOk(bench(), reseller, 'PUT', BASE, { url: `${bench().receiverUrl}/200` })
      await deposit(bench(), reseller, '9')
      const all = await untilEnded(bench(), reseller, BASE, 3)
      const ids = async (query: string) =>
        (await readPage(bench(), reseller, `${DELIVERIES}?${query}`)).deliveries.map(({ id }) => id)
      expect(await ids('status=failed')).toEqual(failed.map(({ id }) => id).toReversed())
      expect(await ids('status=success')).toEqual([all[0]?.id])
      expect(await ids('status=all')).toEqual(all.map(({ id }) => id))
      expect(await ids(`search=${all[1]?.eventId}`)).toEqual([all[1]?.id])
      expect(await ids(`from=${all[0]?.createdAt}`)).toEqual([all[0]?.id])
      expect(await ids(`to=${all[2]?.createdAt}&limit=100`)).toContain(all[2]?.id)
      expect(await ids('to=2020-01-01')).toEqual([])
      const first = await readPage(bench(), reseller, `${DELIVERIES}?limit=2`)
      expect(first.hasMore).toBe(true)
      const second = await readPage(bench(), reseller, `${DELIVERIES}?limit=2&cursor=${first.cursor}`)
      expect(second).toMatchObject({ cursor: null, hasMore: false })
      expect([...first.deliveries, ...second.deliveries]).toEqual(all)
    })
  })

  async function untilPending(node: Bench, reseller: TestReseller): Promise<Delivery> {
    return until('the first attempt has failed', async () => {
      const { deliveries } = await readPage(node, reseller, `${DELIVERIES}?status=pending`)
      return deliveries.find(({ error }) => error !== '')
    })
  }
}

function describeReplays(bench: () => Bench): void {
  const replay = (reseller: TestReseller, id: string) =>
    call(bench(), reseller, 'POST', `${DELIVERIES}/${id}/replay`)

  describe('a replay', () => {
    it('sends the same event again to the present URL, three times and no more', async () => {
      const reseller = await withReceiver(bench(), '/400')
      const [failed] = await depositAndWait(bench(), reseller, 1)
      if (failed === undefined) throw new Error('nothing has failed')
      expect(failed).toMatchObject({ status: 'failed', responseCode: 400, responseBody: 'answered 400' })
      for (const path of ['/410', '/404']) {
        await callOk(bench(), reseller, 'PUT', BASE, { url: bench().receiverUrl + path })
        const made = (await replay(reseller, failed.id)).json<Replay>()
        expect(made).toEqual({
          jobId: expect.any(String),
          originalJobId: failed.id,
          eventId: failed.eventId,
        })
        const repeated = await untilOver(bench(), reseller, BASE, made.jobId)
        expect(repeated).toMatchObject({
          status: 'failed',
          eventId: failed.eventId,
          originalJobId: failed.id,
          payload: failed.payload,
          webhookUrl: bench().receiverUrl + path,
        })
      }
      await callOk(bench(), reseller, 'PUT', BASE, { url: `${bench().receiverUrl}/200` })
      const last = (await replay(reseller, failed.id)).json<Replay>()
      expect(await untilOver(bench(), reseller, BASE, last.jobId)).toMatchObject({
        status: 'success',
        error: '',
      })
      expect(await readDelivery(bench(), reseller, BASE, failed.id)).toMatchObject({ replayCount: 3 })
      expectProblem(await replay(reseller, last.jobId), 409)
      expectProblem(await replay(reseller, failed.id), 429)
    })

    it('a replay of many deliveries has a result for each, in their order', async () => {
      const reseller = await withReceiver(bench(), '/400')
      const [first, second] = await depositAndWait(bench(), reseller, 2)
      const ids = [second?.id, first?.id, 'nonsense', first?.id, first?.id, first?.id]
      const body = { job_ids: ids }
      const { results } = await callOk<Results>(bench(), reseller, 'POST', `${DELIVERIES}/replay-bulk`, body)
      expect(results.map(({ jobId }) => jobId)).toEqual(ids)
      expect(results.map(({ success, error }) => (success ? 'done' : error))).toEqual([
        'done',
        'done',
        'not_found',
        'done',
        'done',
        'replay_limit_exceeded',
      ])
      expect(results[0]).toEqual({ jobId: second?.id, success: true, newJobId: expect.any(String) })
      expect(results[5]).toEqual({
        jobId: first?.id,
        success: false,
        newJobId: null,
        error: 'replay_limit_exceeded',
        message: expect.stringMatching(/\S/),
      })
      for (const { newJobId } of results) {
        if (newJobId !== null) await untilOver(bench(), reseller, BASE, newJobId)
      }
    })

    it('is made three times and never a fourth, whoever asks at once', async () => {
      const reseller = await withReceiver(bench(), '/400')
      const [failed] = await depositAndWait(bench(), reseller, 1)
      const answers = await Promise.all(Array.from({ length: 20 }, () => replay(reseller, failed?.id ?? '')))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
    })

    it.each([
      ['disabled', 'PATCH', `${BASE}/enabled`, { enabled: false }],
      ['gone', 'DELETE', BASE, undefined],
    ] as const)('a replay to an endpoint that is %s is 409', async (_, method, path, json) => {
      const reseller = await withReceiver(bench(), '/400')
      const [failed] = await depositAndWait(bench(), reseller, 1)
      await call(bench(), reseller, method, path, json)
      expectProblem(await replay(reseller, failed?.id ?? ''), 409)
      const bulk = { job_ids: [failed?.id] }
      expectProblem(await call(bench(), reseller, 'POST', `${DELIVERIES}/replay-bulk`, bulk), 409)
    })
  })
}
