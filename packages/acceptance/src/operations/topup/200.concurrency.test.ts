import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo, DemoNode } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { untilKnown } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { Payer, PaymentData } from '../../payments.ts'
import {
  countEntries,
  createPayer,
  expectPayment,
  expectRejection,
  payerAt,
  RELOAD_COST,
  reload,
  ringgit,
} from '../../payments.ts'
import { until } from '../../service.ts'

let demo: Demo
let other: DemoNode

beforeAll(async () => {
  demo = await openDemo()
  other = await demo.startAnother()
})

afterAll(() => demo?.end())

/** Makes one reseller, and returns its payers at both nodes. */
async function createBoth(ringgits: string): Promise<[Payer, Payer]> {
  const payer = await createPayer(demo.service, ringgits)
  await untilKnown(other.service, payer.credentials)
  return [payer, payerAt(other.service, { ...payer.credentials, account: payer.account })]
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function idIn(answer: Answer): string {
  return answer.json<{ data: PaymentData }>().data.transaction_id
}

it('one refid from 50 connections at once is one payment, one debit and 50 equal answers', async () => {
  const payer = await createPayer(demo.service, '1000')
  const body = reload()
  const answers = await Promise.all(times(50, () => payer.send(body)))
  const paid = answers.map((answer) => expectPayment(answer, body))
  expect(new Set(paid.map(({ transaction_id }) => transaction_id)).size).toBe(1)
  expect(new Set(paid.map(({ balance }) => balance))).toEqual(new Set([ringgit(1000 - RELOAD_COST)]))
  expect(await payer.balance()).toBe(ringgit(1000 - RELOAD_COST))
  await payer.untilStatus(body, 'Succesful')
  expect(await countEntries(demo.service, payer.account)).toBe(2)
})

it('one refid with 10 different amounts at once is one payment, and the others are told which', async () => {
  const payer = await createPayer(demo.service, '1000')
  const bodies = times(10, (index) => reload({ refid: 'race', product: 'KITA', amount: 10 + index }))
  const answers = await Promise.all(bodies.map((body) => payer.send(body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  expect(new Set(answers.map(idIn)).size).toBe(1)
  expect(await countEntries(demo.service, payer.account)).toBe(2)
})

it('one refid of a product whose plans are asked for each time is one payment, too', async () => {
  const payer = await createPayer(demo.service, '100')
  const body = reload({ product: 'NOVAMY', amount: 8, extras: { subproduct_code: 'P8' } })
  const answers = await Promise.all(times(20, () => payer.send(body)))
  expect(new Set(answers.map((answer) => expectPayment(answer, body).transaction_id)).size).toBe(1)
  expect(await payer.balance()).toBe(ringgit(100 - 7.68))
  await payer.untilStatus(body, 'Succesful')
  expect(await countEntries(demo.service, payer.account)).toBe(2)
})

it('requests with and without the plan code at two nodes at once are one payment, and never a conflict', async () => {
  const [here, there] = await createBoth('100')
  const body = reload({ product: 'NOVAMY', amount: 8, extras: { subproduct_code: 'P8' } })
  const bare = { ...body, extras: undefined }
  const send = (index: number) => (index % 2 === 0 ? here : there).send(index % 4 < 2 ? body : bare)
  const first = here.send(body)
  const racing = await Promise.all([first, ...times(10, () => there.send(bare))])
  // A request without the code that overtakes the first is rejected, because the plan is not known.
  for (const answer of racing) expect([200, 400], answer.text).toContain(answer.status)
  await until('the payment is made', async () => (await here.send(body)).status === 200)
  const answers = await Promise.all(times(40, send))
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
  const ids = [...answers, ...racing.filter(({ status }) => status === 200)].map(idIn)
  expect(new Set(ids).size).toBe(1)
  expect(await here.balance()).toBe(ringgit(100 - 7.68))
})

it('a wallet that can pay for 7 of 50 pays for exactly 7, whoever they are', async () => {
  const [here, there] = await createBoth('68.50')
  const bodies = times(50, () => reload())
  const send = (index: number) => (index % 2 === 0 ? here : there).send(bodies[index])
  const answers = await Promise.all(times(50, send))
  const taken = bodies.filter((_, index) => answers[index]?.status === 200)
  expect(taken).toHaveLength(7)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectRejection(answer, { code: 43, remarks: 'Insufficient_Balance' })
  }
  expect(await here.balance()).toBe(ringgit(68.5 - 7 * RELOAD_COST))
  const final = await Promise.all(taken.map((body) => there.untilStatus(body, 'Succesful')))
  const balances = final.map(({ balance }) => balance).sort((a, b) => b - a)
  expect(balances).toEqual(times(7, (index) => ringgit(68.5 - (index + 1) * RELOAD_COST)))
  expect(await countEntries(demo.service, here.account)).toBe(8)
})

it('one refid at two nodes at once is one payment, ten times over', async () => {
  const [here, there] = await createBoth('1000')
  for (let round = 1; round <= 10; round += 1) {
    const body = reload()
    const answers = await Promise.all(times(8, (index) => (index % 2 === 0 ? here : there).send(body)))
    expect(new Set(answers.map((answer) => expectPayment(answer, body).transaction_id)).size).toBe(1)
    expect(await there.balance()).toBe(ringgit(1000 - round * RELOAD_COST))
    expect((await there.untilStatus(body, 'Succesful')).transaction_id).toBe(
      (await here.untilStatus(body, 'Succesful')).transaction_id,
    )
  }
  expect(await countEntries(demo.service, here.account)).toBe(11)
})

it('payments and refunds on one wallet at two nodes leave it as it should be', async () => {
  const [here, there] = await createBoth('1000')
  const bodies = times(60, (index) => reload({ account: index % 3 === 0 ? '60123450048' : '60123456789' }))
  await Promise.all(bodies.map((body, index) => (index % 2 === 0 ? here : there).pay(body)))
  await Promise.all(
    bodies.map((body, index) => here.untilStatus(body, index % 3 === 0 ? 'Failed' : 'Succesful')),
  )
  expect(await there.balance()).toBe(ringgit(1000 - 40 * RELOAD_COST))
  expect(await countEntries(demo.service, here.account)).toBe(1 + 60 + 20)
})
