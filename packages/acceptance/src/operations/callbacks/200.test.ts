import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../http.ts'
import type { Supplier } from '../../suppliers.ts'
import { connectSupplier, newEventId, sendCallback } from '../../suppliers.ts'

let supplier: Supplier

beforeAll(async () => {
  supplier = await connectSupplier()
})

afterAll(() => supplier?.end())

function expectTaken(answer: Answer): void {
  expect([answer.status, answer.json()]).toEqual([200, { received: true }])
}

type Step = { kind: string; detail: string }

async function timelineOf(transactionId: string): Promise<Step[]> {
  const whose = ['--reseller', supplier.payer.account, '--id', transactionId]
  return (await supplier.service.warungd<{ timeline: Step[] }>('payment', 'show', ...whose)).timeline
}

async function alertsAbout(transactionId: string): Promise<string[]> {
  const { alerts } = await supplier.service.warungd<{ alerts: { kind: string; subject: string }[] }>(
    'alert',
    'list',
  )
  return alerts.filter(({ subject }) => subject === transactionId).map(({ kind }) => kind)
}

describe('a callback that is proven', () => {
  it('ends the payment before it is answered, once, however often it comes', async () => {
    const { service, payer } = supplier
    const { body, data, reference } = await supplier.payUnanswered()
    const balance = await payer.balance()
    const said = {
      id: newEventId(),
      reference,
      status: 'succeeded',
      amount: '10.00',
      output: { serial_number: 'SN-C1' },
    }
    expectTaken(await sendCallback(service, said))
    expect(await payer.pay(body)).toMatchObject({ status: 'Succesful', statusCode: 20, sn: 'SN-C1' })
    for (let times = 0; times < 3; times += 1) expectTaken(await sendCallback(service, said))
    expect(await payer.balance()).toBe(balance)
    const states = (await timelineOf(data.transaction_id)).filter(({ kind }) => kind === 'state')
    expect(states.at(-1)?.detail).toBe(`callback ${said.id}`)
    expect(await alertsAbout(data.transaction_id)).toEqual([])
  })

  it('a callback of a failure gives the money back once, also when many come at once', async () => {
    const { service, payer } = supplier
    const { body, data, reference } = await supplier.payUnanswered()
    const balance = await payer.balance()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendCallback(service, { reference, status: 'failed' })),
    )
    for (const answer of answers) expectTaken(answer)
    expect(await payer.pay(body)).toMatchObject({ status: 'Failed', statusCode: 48 })
    expect(await payer.balance()).toBeCloseTo(balance + data.cost, 4)
  })

  it('a callback with another amount is not believed, and an operator is told', async () => {
    const { service, payer } = supplier
    const { body, data, reference } = await supplier.payUnanswered()
    expectTaken(await sendCallback(service, { reference, status: 'succeeded', amount: '100.00' }))
    expect(await payer.pay(body)).toMatchObject({ status: 'Processing' })
    expect(await alertsAbout(data.transaction_id)).toEqual(['callback_amount'])
    expect(await timelineOf(data.transaction_id)).toContainEqual(
      expect.objectContaining({ kind: 'callback', detail: expect.stringContaining('100.00') }),
    )
  })

  it('a callback that contradicts the end changes nothing, and an operator is told', async () => {
    const { service, payer } = supplier
    const { body, data, reference } = await supplier.payUnanswered()
    const output = { serial_number: 'SN-C2' }
    expectTaken(await sendCallback(service, { reference, status: 'succeeded', output }))
    const [balance, ended] = [await payer.balance(), await payer.pay(body)]
    for (const status of ['pending', 'failed']) {
      expectTaken(await sendCallback(service, { reference, status }))
    }
    expect(await payer.pay(body)).toEqual(ended)
    expect(await payer.balance()).toBe(balance)
    expect(await alertsAbout(data.transaction_id)).toEqual(['payment_contradiction'])
  })

  it('about a payment of another provider, or none, is taken and changes nothing', async () => {
    const { service, payer } = supplier
    const other = { refid: newEventId(), product: 'NOVA', account: '60123451600', amount: 10 }
    await payer.pay(other)
    const { transaction_id: id } = await payer.untilStatus(other, 'Processing')
    for (const reference of [`W${id}-1`, `W${id}-2`, 'W1-1', 'nonsense']) {
      expectTaken(await sendCallback(service, { reference, status: 'failed' }))
    }
    expect(await payer.pay(other)).toMatchObject({ status: 'Processing' })
  })
})
