import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { errorOf } from '../../clients.ts'
import { expectUnauthorized, nowSeconds } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Payer } from '../../payments.ts'
import { countEntries, createPayer, expectConflict, expectRejection, reload, TOPUP } from '../../payments.ts'
import { freshNonce, signRequest } from '../../signing.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
})

async function expectNothingTaken(work: () => Promise<void>): Promise<void> {
  const before = await payer.balance()
  const entries = await countEntries(demo.service, payer.account)
  await work()
  expect(await payer.balance()).toBe(before)
  expect(await countEntries(demo.service, payer.account)).toBe(entries)
}

describe('a nonce that was used', () => {
  it('a copy of the payment is refused, and the payment stands', async () => {
    const body = reload()
    const nonce = freshNonce()
    expect((await payer.send(body, { nonce })).status).toBe(200)
    expectUnauthorized(await payer.send(body, { nonce }), 'nonce_reused')
    expect((await payer.untilStatus(body, 'Succesful')).refid).toBe(body.refid)
  })

  it('creates nothing under a new refid', async () => {
    const used = await Promise.all(
      [reload(), reload({ amount: 7 }), { refid: '' }].map(async (body) => {
        const nonce = freshNonce()
        await payer.send(body, { nonce })
        return nonce
      }),
    )
    await expectNothingTaken(async () => {
      for (const nonce of used) {
        expectUnauthorized(await payer.send(reload(), { nonce }), 'nonce_reused')
        expectUnauthorized(await payer.send(reload({ amount: 7 }), { nonce }), 'nonce_reused')
        expectUnauthorized(await payer.send('no object', { nonce }), 'nonce_reused')
      }
    })
  })

  it('a nonce of a conflict or of a rejection is spent as well', async () => {
    const body = reload()
    await payer.pay(body)
    const [conflict, rejection] = [freshNonce(), freshNonce()]
    expectConflict(await payer.send({ ...body, amount: 50 }, { nonce: conflict }), ['amount'])
    const product = reload({ product: 'NOBODY' })
    expectRejection(await payer.send(product, { nonce: rejection }), { code: 44, remarks: 'Invalid_Product' })
    await expectNothingTaken(async () => {
      for (const nonce of [conflict, rejection]) {
        expectUnauthorized(await payer.send(reload(), { nonce }), 'nonce_reused')
      }
    })
  })

  it('many requests with one nonce at once: one of them passes', async () => {
    const before = await payer.balance()
    const nonce = freshNonce()
    const answers = await Promise.all(Array.from({ length: 12 }, () => payer.send(reload(), { nonce })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(401)])
    expect(await payer.balance()).toBeCloseTo(before - 9.7, 4)
  })
})

describe('a caller without a proof', () => {
  it('learns nothing of a payment and pays for nothing', async () => {
    const body = reload()
    await payer.pay(body)
    const other = { ...payer.credentials, secretBase64: randomBytes(32).toString('base64') }
    const unknown = { ...payer.credentials, apiKey: 'wk_stg_nobody' }
    await expectNothingTaken(async () => {
      for (const json of [body, reload(), { ...body, amount: 50 }, { refid: '' }]) {
        const text = JSON.stringify(json)
        const attempt = (headers: Record<string, string>) =>
          send({
            baseUrl: demo.service.baseUrl,
            method: 'POST',
            path: TOPUP,
            headers: { 'Content-Type': 'application/json', ...headers },
            body: text,
          })
        const sign = (credentials: typeof other, more = {}) =>
          signRequest({ ...credentials, method: 'POST', body: text, ...more })
        const wrong = await attempt(sign(other))
        expect([wrong.status, errorOf(wrong)]).toEqual([401, 'invalid_signature'])
        expect(wrong.text).not.toContain('transaction_id')
        const changed = await attempt(sign(payer.credentials, { body: `${text} ` }))
        expect(errorOf(changed)).toBe('invalid_signature')
        expectUnauthorized(await attempt(sign(unknown)), 'invalid_api_key')
        const late = sign(payer.credentials, { timestamp: nowSeconds() - 301 })
        expectUnauthorized(await attempt(late), 'timestamp_expired')
        expectUnauthorized(await attempt({}), 'unauthorized')
        expectUnauthorized(await attempt({ Authorization: 'Bearer nonsense' }), 'invalid_token')
      }
    })
  })
})
