import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { readFeed } from '../../feed.ts'
import type { PayBody, Payer, PaymentData } from '../../payments.ts'
import { countEntries, createPayer, expectNow, RELOAD_COST, reload, ringgit } from '../../payments.ts'
import { until } from '../../service.ts'

let demo: Demo

beforeAll(async () => {
  demo = await openDemo({ WARUNG_SIMULATOR_TIMEOUT_SECONDS: '2', WARUNG_LEASE_SECONDS: '5' })
})

afterAll(() => demo?.end())

function isFinal({ status }: PaymentData): boolean {
  return status === 'Succesful' || status === 'Failed'
}

/**
 * Pays, asks until the payment is final, and returns all its states as the feed has them: a state that lasts a second
 * may end between two questions. Each answer must be one of the states, beginning with the first.
 */
async function follow(payer: Payer, body: PayBody): Promise<PaymentData[]> {
  const answers = [await payer.pay(body)]
  await until(`${body.account} is final`, async () => {
    const data = await payer.pay(body)
    answers.push(data)
    return isFinal(data)
  })
  const states = await until('the feed has its end', async () => {
    const told = await readFeed(demo.service.baseUrl, payer.credentials)
    const found = told.filter(({ type, data }) => type.startsWith('payment.') && data.refid === body.refid)
    const seen = found.map(({ data }) => data as PaymentData)
    return seen.some(isFinal) && seen
  })
  expect(answers[0]).toEqual(states[0])
  for (const answer of answers) expect(states).toContainEqual(answer)
  return states
}

function statusesOf(seen: readonly PaymentData[]): string[] {
  return seen.map(({ status }) => status)
}

/** Expects the answers about one payment to agree: one id, one cost, times that do not go back. */
function expectOneLife(seen: readonly PaymentData[]): void {
  expect(new Set(seen.map(({ transaction_id }) => transaction_id)).size).toBe(1)
  expect(new Set(seen.map(({ cost }) => cost))).toEqual(new Set([RELOAD_COST]))
  const timestamps = seen.map(({ timestamp }) => timestamp)
  expect(timestamps).toEqual(timestamps.toSorted())
  for (const timestamp of timestamps) expectNow(timestamp)
}

describe('Accepted, Processing, Succesful', () => {
  it.each([
    ['60123451001', 'succeeds after a second'],
    ['60123453001', 'gives no answer and is found successful when asked'],
  ])('%s %s', async (account) => {
    const payer = await createPayer(demo.service, '100')
    const seen = await follow(payer, reload({ account, remarks: 'mine' }))
    expect(statusesOf(seen)).toEqual(['Accepted', 'Processing', 'Succesful'])
    expectOneLife(seen)
    expect(seen.map(({ statusCode }) => statusCode)).toEqual([0, 1, 20])
    for (const data of seen) {
      expect(data).toMatchObject({ remarks: 'mine', balance: ringgit(100 - RELOAD_COST) })
    }
    expect(await payer.balance()).toBe(ringgit(100 - RELOAD_COST))
    expect(await countEntries(demo.service, payer.account)).toBe(2)
  })

  it('an account that is nobody’s in particular succeeds at once, without Processing', async () => {
    const payer = await createPayer(demo.service, '100')
    const seen = await follow(payer, reload())
    expect(statusesOf(seen)).toEqual(['Accepted', 'Succesful'])
    expectOneLife(seen)
  })
})

describe('Accepted, Processing, Failed', () => {
  it.each([
    ['60123452001', 'fails after a second'],
    ['60123453002', 'gives no answer and is found failed when asked'],
  ])('%s %s, and the money comes back as an entry of its own', async (account) => {
    const payer = await createPayer(demo.service, '100')
    const seen = await follow(payer, reload({ account, remarks: 'mine' }))
    expect(statusesOf(seen)).toEqual(['Accepted', 'Processing', 'Failed'])
    expectOneLife(seen)
    const [accepted, processing, failed] = seen
    expect([accepted?.balance, processing?.balance]).toEqual([90.3, 90.3])
    expect([accepted?.remarks, processing?.remarks]).toEqual(['mine', 'mine'])
    expect(failed).toMatchObject({ statusCode: 48, cost: RELOAD_COST, balance: 100 })
    expect(failed?.remarks).toMatch(/\S/)
    expect(failed?.remarks).not.toBe('mine')
    expect(await payer.balance()).toBe(100)
    expect(await countEntries(demo.service, payer.account)).toBe(3)
  })
})

describe('Accepted, Failed', () => {
  it.each([
    ['60123450047', 47],
    ['60123450048', 48],
    ['60123450055', 55],
    ['60123450057', 57],
    ['60123450861', 61],
  ])('%s fails with %d at once, keeps its cost and gives the money back', async (account, code) => {
    const payer = await createPayer(demo.service, '9.70')
    const body = reload({ account })
    const seen = await follow(payer, body)
    expect(statusesOf(seen)).toEqual(['Accepted', 'Failed'])
    expectOneLife(seen)
    expect(seen[0]?.balance).toBe(0)
    expect(seen[1]).toMatchObject({ statusCode: code, balance: 9.7, remarks: expect.stringMatching(/\S/) })
    expect(await payer.balance()).toBe(9.7)
    expect(await countEntries(demo.service, payer.account)).toBe(3)
    // The payment is final: its refid is used up, and another refid may try again.
    expect(await payer.pay(body)).toEqual(seen[1])
    expect((await payer.pay(reload())).status).toBe('Accepted')
  })

  it('the balance that a failure shows is that after its own refund, whatever came later', async () => {
    const payer = await createPayer(demo.service, '100')
    const body = reload({ account: '60123450048' })
    const failed = await payer.untilStatus(body, 'Failed')
    await payer.pay(reload())
    expect(await payer.pay(body)).toEqual(failed)
    expect(await payer.balance()).toBe(90.3)
  })
})

describe('a provider that never says', () => {
  type Stuck = { transaction_id: string; status_code: number; attempt: number; questions: number }

  async function findStuck({ transaction_id }: PaymentData): Promise<Stuck | undefined> {
    const { payments } = await demo.service.warungd<{ payments: Stuck[] }>('payment', 'stuck')
    return payments.find((each) => each.transaction_id === transaction_id)
  }

  it('leaves a payment in Processing: asked about, on the stuck list when it is due, never refunded', async () => {
    const payer = await createPayer(demo.service, '100')
    const body = reload({ account: '60123453003' })
    const processing = await payer.untilStatus(body, 'Processing')
    expect(await findStuck(processing)).toBeUndefined()
    // The clock is moved past the due time of a reload.
    const stuck = await until('it is on the stuck list and was asked about', async () => {
      await demo.service.warungd('clock', 'advance', '--reseller', payer.account, '--seconds', '900')
      const found = await findStuck(processing)
      return found !== undefined && found.questions >= 3 && found
    })
    expect(stuck).toMatchObject({ status_code: 1, attempt: 1 })
    expect(await payer.pay(body)).toEqual(processing)
    expect(await payer.balance()).toBe(90.3)
    expect(await countEntries(demo.service, payer.account)).toBe(2)
  })
})
