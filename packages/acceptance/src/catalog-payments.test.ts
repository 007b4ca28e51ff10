import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Demo } from './catalog.ts'
import { openDemo } from './catalog.ts'
import type { PaymentAnswer, PaymentBody } from './generic-client.ts'
import { GenericClient } from './generic-client.ts'
import { countEntries, expectRejection, newRefid, payerAt, ringgit } from './payments.ts'
import { until } from './service.ts'

let demo: Demo

beforeAll(async () => {
  demo = await openDemo()
})

afterAll(() => demo?.end())

/** Pays as an integrator who has read only the catalog's description. */
async function payToTheEnd(client: GenericClient, body: PaymentBody): Promise<PaymentAnswer> {
  return until(`${body.product} is Succesful`, async () => {
    const data = await client.pay(body)
    if (data.status === 'Failed') throw new Error(`${body.product} failed with ${data.statusCode}`)
    return data.status === 'Succesful' && data
  })
}

/** Product that is shown, and cannot be bought while the demo's notice is active. */
const INTERRUPTED = 'FP'

describe.each(['first', 'second'] as const)('both forms of the catalogue, for the %s reseller', (who) => {
  it('every option of every product buys the same: product, plan, amount, face value and cost', async () => {
    const { credentials, account } = demo[who]
    const { baseUrl } = demo.service
    const payer = payerAt(demo.service, { ...credentials, account })
    const forms = ['2024-01-01', '2026-09-16'].map(
      (release) => new GenericClient(baseUrl, credentials, release),
    )
    const catalogs = await Promise.all(forms.map((form) => form.catalog()))
    let options = 0
    for (const code of Object.keys(catalogs[1]?.products ?? {})) {
      const shown = await Promise.all(
        forms.map(async (form, index) => {
          const product = catalogs[index]?.products[code]
          if (product === undefined) throw new Error(`${code} is not in both forms`)
          return { form, product, priced: await form.priced(product) }
        }),
      )
      const [older, newest] = shown
      expect(older?.priced).toEqual(newest?.priced)
      const codes = newest?.priced?.codes ?? ['']
      for (const index of codes.keys()) {
        const paid = await Promise.all(
          shown.map(async ({ form, product, priced }) => {
            const choices = priced === undefined ? {} : { [priced.field]: index }
            const body = await form.fill(product, newRefid(), choices)
            const answer = await payer.send(body)
            const { data } = answer.json<{ data: Record<string, unknown> }>()
            const { statusCode, product: bought, amount, cost, remarks } = data
            return { status: answer.status, outcome: { statusCode, bought, cost, remarks }, body, amount }
          }),
        )
        const [one, other] = paid
        expect(one?.outcome, `${code} ${codes[index]}`).toEqual(other?.outcome)
        expect(one?.amount, `${code} ${codes[index]}`).toBe(other?.amount)
        if (code === INTERRUPTED) continue
        for (const each of paid) expect(each.status, `${code} ${codes[index]}`).toBe(200)
        options += 1
      }
    }
    expect(options).toBeGreaterThan(160)
  })
})

describe.each(['first', 'second'] as const)('the %s reseller', (who) => {
  it('can pay for every product it is shown that works, and the wallet is the poorer by the sum of the costs', async () => {
    const { credentials, account } = demo[who]
    const client = new GenericClient(demo.service.baseUrl, credentials)
    const payer = payerAt(demo.service, { ...credentials, account })
    const { products } = (await client.catalog()) as Catalog
    const before = { balance: await payer.balance(), entries: await countEntries(demo.service, account) }
    let spent = 0
    const stopped = products[INTERRUPTED]
    if (stopped === undefined) throw new Error(`${INTERRUPTED} is not shown`)
    const refused = await payer.send(await client.fill(stopped, newRefid()))
    expectRejection(refused, { code: 44, remarks: 'Product_Unavailable', fields: ['product'] })
    const working = Object.values(products).filter((each) => each.is_active && each !== stopped)
    for (const product of working) {
      const body = await client.fill(product, newRefid())
      const paid = await payToTheEnd(client, body)
      expect(paid, product.code).toMatchObject({ statusCode: 20, sn: expect.stringMatching(/\S/) })
      expect(paid.cost, product.code).toBeGreaterThan(0)
      expect(paid.pin !== '', product.code).toBe(product.processing_time === 'pin')
      expect(paid.voucherlink !== '', product.code).toBe(product.processing_time === 'link')
      spent += paid.cost
    }
    expect(Object.keys(products)).toHaveLength(working.length + 1)
    expect(working.length).toBeGreaterThanOrEqual(60)
    expect(await payer.balance()).toBe(ringgit(before.balance - spent))
    expect(await countEntries(demo.service, account)).toBe(before.entries + working.length)
  })
})
