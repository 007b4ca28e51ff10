import { describe, expect, it } from 'vitest'
import type { Order } from '../port/types.ts'
import { createSimulator } from './service.ts'

const SUBMITTED_AT = new Date('2026-03-01T04:00:00Z')
let nowMs = SUBMITTED_AT.getTime()

const simulator = createSimulator({
  fulfilment: (code) => (code === 'PINTEN' ? 'pin' : code === 'ESIMGO' ? 'link' : 'plain'),
  nowMs: () => nowMs,
})

function order(account: string, productCode = 'NOVA'): Order {
  return {
    reference: `${productCode}-${account}`,
    productCode,
    account,
    amount: 100_000n,
    faceValue: 100_000n,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    icNumber: null,
    submittedAt: SUBMITTED_AT,
  }
}

const never = new AbortController().signal

describe('the simulator in the process', () => {
  it('answers at once and finally, with what the product gives', async () => {
    expect(await simulator.submit(order('60198765432'), never)).toMatchObject({
      kind: 'succeeded',
      output: { pin: '', voucherLink: '' },
    })
    expect(await simulator.submit(order('60198765432', 'PINTEN'), never)).toMatchObject({
      output: { pin: expect.stringMatching(/^\d{16}$/), expiry: '20270301' },
    })
    expect(await simulator.submit(order('60198765432', 'ESIMGO'), never)).toMatchObject({
      output: { voucherLink: expect.stringMatching(/^https:/) },
    })
    expect(await simulator.submit(order('60123450047'), never)).toMatchObject({ kind: 'failed', code: 47 })
  })

  it('says the same when asked as when it was told, also after a restart', async () => {
    const told = await simulator.submit(order('60198765432'), never)
    const restarted = createSimulator({ fulfilment: () => 'plain', nowMs: () => nowMs })
    expect(await restarted.query(order('60198765432'), never)).toEqual(told)
  })

  it('decides a delayed order when its time has come', async () => {
    const late = order('60123451090')
    expect(await simulator.submit(late, never)).toEqual({ kind: 'pending', decidedInMs: 90_000 })
    nowMs += 89_999
    expect(await simulator.query(late, never)).toEqual({ kind: 'pending', decidedInMs: 1 })
    nowMs += 1
    expect(await simulator.query(late, never)).toMatchObject({ kind: 'succeeded' })
  })

  it.each(['60123453001', '60123453002', '60123453003'])(
    'the simulator on %s says nothing until the caller has given up',
    async (account) => {
      const deadline = new AbortController()
      let answered = false
      const submitted = simulator.submit(order(account), deadline.signal).finally(() => {
        answered = true
      })
      await new Promise(setImmediate)
      expect(answered).toBe(false)
      deadline.abort()
      expect(await submitted).toMatchObject({ kind: 'unknown' })
      expect(await simulator.submit(order(account), deadline.signal)).toMatchObject({ kind: 'unknown' })
    },
  )

  it('approves, refuses or leaves open a void', async () => {
    const ask = (account: string) => simulator.voids?.requestVoid(order(account), never)
    expect(await ask('60123454001')).toEqual({ kind: 'approved' })
    expect(await ask('60123454001')).toEqual({ kind: 'approved' })
    expect(await ask('60123454002')).toMatchObject({ kind: 'refused' })
    expect(await ask('60198765432')).toEqual({ kind: 'pending' })
    expect(await ask('60123450048')).toMatchObject({ kind: 'refused' })
  })

  it('is healthy, knows options and presents bills', async () => {
    expect(await simulator.health?.isHealthy(never)).toBe(true)
    const options = { productCode: 'EDULOAN', fieldId: 'loan_account', accountNumber: '900101015555' }
    expect(await simulator.options?.listOptions(options, never)).toMatchObject({ kind: 'found' })
    const bill = { productCode: 'VOLT', account: '220011223344', billerCode: null, ref2: null, amount: null }
    expect(await simulator.bills?.presentBill(bill, never)).toMatchObject({ kind: 'found' })
    const silent = { ...bill, account: '000000000998' }
    expect(await simulator.bills?.presentBill(silent, AbortSignal.abort())).toMatchObject({
      kind: 'unavailable',
    })
  })

  it('has the deadlines it is given', () => {
    expect(simulator).toMatchObject({ submitTimeoutMs: 10_000, notFoundProvesAfterMs: 30_000 })
    const short = createSimulator({ fulfilment: () => 'plain', submitTimeoutMs: 50, queryTimeoutMs: 40 })
    expect(short).toMatchObject({ submitTimeoutMs: 50, queryTimeoutMs: 40 })
  })
})
