import { describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import type { Bench } from './harness.ts'
import { call, callOk, readDelivery, readPage, untilOver } from './harness.ts'

const UNKNOWN = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

type Sent = { jobId: string; eventId: string }

/** Tests the log, replay and test operations of each stream. `configure` sets the URL. */
export function describeLog(
  bench: () => Bench,
  base: string,
  configure: (reseller: TestReseller) => Promise<unknown>,
): void {
  const deliveries = `${base}/deliveries`

  async function configured(): Promise<TestReseller> {
    const reseller = await createReseller(bench().service)
    await configure(reseller)
    return reseller
  }

  describe(`${deliveries}`, () => {
    it('has a test event that was asked for, with what came of its one attempt', async () => {
      const reseller = await configured()
      const sent = await callOk<Sent>(bench(), reseller, 'POST', `${base}/test`)
      expect(Object.keys(sent).sort()).toEqual(['eventId', 'jobId'])
      expect(sent.eventId).toMatch(/^evt_test_/)
      const delivery = await untilOver(bench(), reseller, base, sent.jobId)
      expect(delivery).toMatchObject({ eventId: sent.eventId, retryCount: 0, retryLimit: 0 })
      expect(delivery.payload).not.toBeNull()
      const attempts = await callOk<{ attempts: object[] }>(
        bench(),
        reseller,
        'GET',
        `${deliveries}/${sent.jobId}/attempts`,
      )
      expect(attempts).toEqual({
        attempts: [
          {
            at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            durationMs: expect.any(Number),
            responseStatusCode: delivery.responseStatusCode,
            error: delivery.error,
          },
        ],
      })
      const found = await readPage(bench(), reseller, `${deliveries}?search=${sent.eventId}`)
      expect(found.deliveries.map(({ id }) => id)).toEqual([sent.jobId])
      expectProblem(await call(bench(), reseller, 'POST', `${deliveries}/${sent.jobId}/replay`), 409)
    })

    it('answers unknown, foreign and malformed ids alike', async () => {
      const [reseller, other] = [await configured(), await configured()]
      const { jobId } = await callOk<Sent>(bench(), other, 'POST', `${base}/test`)
      for (const id of [UNKNOWN, jobId, 'nonsense', '%00', '..']) {
        expectProblem(await call(bench(), reseller, 'GET', `${deliveries}/${id}`), 404)
        expectProblem(await call(bench(), reseller, 'GET', `${deliveries}/${id}/attempts`), 404)
        expectProblem(await call(bench(), reseller, 'POST', `${deliveries}/${id}/replay`), 404)
      }
      await readDelivery(bench(), other, base, jobId)
      const { results } = await callOk<{ results: object[] }>(
        bench(),
        reseller,
        'POST',
        `${deliveries}/replay-bulk`,
        { job_ids: [UNKNOWN, jobId, 'nonsense'] },
      )
      expect(results).toEqual(
        [UNKNOWN, jobId, 'nonsense'].map((id) => ({
          jobId: id,
          success: false,
          newJobId: null,
          error: 'not_found',
          message: expect.stringMatching(/\S/),
        })),
      )
    })

    it.each([
      ['status=superseded', 'status'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['from=2026-02-30', 'from'],
      ['to=later', 'to'],
      ['from=2026-03-02&to=2026-03-01', 'to'],
      ['cursor=nonsense', 'cursor'],
    ])('?%s is refused with the parameter named', async (query, name) => {
      const reseller = await bench().refused()
      expectProblem(await call(bench(), reseller, 'GET', `${deliveries}?${query}`), 400, [name])
    })

    it.each([
      [{}],
      [{ job_ids: [] }],
      [{ job_ids: 'x' }],
      [{ job_ids: [1] }],
      [{ job_ids: Array(51).fill('x') }],
    ])('replay-bulk does not take a body like %j', async (json) => {
      const reseller = await bench().refused()
      const answer = await call(bench(), reseller, 'POST', `${deliveries}/replay-bulk`, json)
      expectProblem(answer, 400, ['job_ids'])
    })
  })

  describe(`${base}/test`, () => {
    it('sends no sample of a type that the stream does not have', async () => {
      const reseller = await configured()
      for (const type of ['nonsense', 'case.opened', 5, null]) {
        expectProblem(await call(bench(), reseller, 'POST', `${base}/test`, { type }), 400, ['type'])
      }
    })

    it('sends ten a minute and no more', async () => {
      const reseller = await configured()
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => call(bench(), reseller, 'POST', `${base}/test`)),
      )
      const refused = answers.filter(({ status }) => status === 429)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      expect(refused).toHaveLength(2)
      for (const answer of refused) {
        expectProblem(answer, 429)
        expect(answer.headers['retry-after']).toMatch(/^\d+$/)
      }
    })
  })
}
