import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noFailpoint } from '../../lib/failpoints.ts'
import type { Node, PaymentsBench } from '../../testing/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith, until } from '../../testing/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  NEVER,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../testing/scripted-provider.ts'
import type { Order, Provider } from '../providers/types.ts'
import type { Dispatch, Dispatcher } from './dispatch.service.ts'
import { createDispatcher } from './dispatch.service.ts'
import type { Resolver } from './resolve.service.ts'
import type { Payment } from './types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterEach(() => expectSoundMoney(bench.database))

function dispatcherFor(...providers: readonly Provider[]): Dispatcher & { problems: string[] } {
  const problems: string[] = []
  const dispatcher = createDispatcher({
    providers: providersOf(...providers),
    resolver: node.resolver,
    failpoint: noFailpoint,
    onProblem: (text) => problems.push(text),
  })
  return Object.assign(dispatcher, { problems })
}

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n))
}

function orderOf(payment: Pick<Payment, 'id' | 'account' | 'amount' | 'createdAt'>): Order {
  return {
    reference: `W${payment.id}-1`,
    productCode: 'NOVA',
    account: payment.account,
    amount: payment.amount,
    faceValue: payment.amount,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    icNumber: null,
    submittedAt: payment.createdAt,
  }
}

function dispatchOf(payment: Payment, change: Partial<Dispatch> = {}): Dispatch {
  return {
    resellerId: payment.resellerId,
    paymentId: payment.id,
    attempt: 1,
    provider: 'scripted',
    order: orderOf(payment),
    questionsAsked: 0,
    leaseEndsMs: performance.now() + 60_000,
    ...change,
  }
}

describe("the provider's answer", () => {
  it.each([
    ['succeeded', SUCCEEDED, 20, 0n],
    ['failed', FAILED, 48, 10_000n],
    ['pending', PENDING, 1, 0n],
    ['unknown', UNKNOWN, 1, 0n],
  ])('%s is written down before the sending is over', async (_, outcome, code, balance) => {
    const payment = await pay()
    const provider = createScriptedProvider(outcome)
    await dispatcherFor(provider).send(dispatchOf(payment))
    expect(provider.submitted.map(({ reference }) => reference)).toEqual([`W${payment.id}-1`])
    expect(await bench.codeOf(payment)).toBe(code)
    expect(await bench.balanceOf(payment.resellerId)).toBe(balance)
  })

  it('that does not come in time is unknown: nothing goes back, and the call is given up', async () => {
    const payment = await pay()
    let given: AbortSignal | undefined
    const provider = createScriptedProvider(
      (_, signal) => {
        given = signal
        return NEVER
      },
      UNKNOWN,
      { submitTimeoutMs: 20 },
    )
    await dispatcherFor(provider).send(dispatchOf(payment))
    expect(given?.aborted).toBe(true)
    expect(await bench.codeOf(payment)).toBe(1)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('a bug'))],
    [
      'throws',
      () => {
        throw new Error('a bug')
      },
    ],
  ])(
    'of a connector that %s says nothing: the payment is neither failed nor given back',
    async (_, submit) => {
      const payment = await pay()
      await dispatcherFor(createScriptedProvider(submit)).send(dispatchOf(payment))
      expect([0, 1]).toContain(await bench.codeOf(payment))
      expect(await bench.workOf(payment)).toMatchObject({ attempt: 1 })
      expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
    },
  )
})

describe('an order is not sent', () => {
  it('when the lease would end before the answer must come', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: 10_000 })
    await dispatcherFor(provider).send(dispatchOf(payment, { leaseEndsMs: performance.now() + 9_999 }))
    expect(provider.submitted).toEqual([])
    expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, is_leased: true })
  })

  it('to a provider that is not configured', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED)
    await dispatcherFor(provider).send(dispatchOf(payment, { provider: 'gone' }))
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(0)
  })
})

it('an outcome that cannot be written is left to recovery, and the sender goes on', async () => {
  const payment = await pay()
  const problems: string[] = []
  const resolver: Resolver = {
    submit: () => Promise.reject(new Error('the database is away')),
    waiting: 0,
    drain: () => Promise.resolve(),
  }
  const dispatcher = createDispatcher({
    providers: providersOf(createScriptedProvider(SUCCEEDED)),
    resolver,
    failpoint: noFailpoint,
    onProblem: (text) => problems.push(text),
  })
  await dispatcher.send(dispatchOf(payment))
  expect(problems).toEqual([`payment ${payment.id} is left to recovery`])
  expect(dispatcher.underway).toBe(0)
})

describe('a provider that hangs', () => {
  const PLACES = 512

  it('holds its own places and nobody else, and what waits is sent when one is free', async () => {
    const [first, ...held] = await Promise.all([pay(), pay(), pay()])
    const answers: ((outcome: typeof SUCCEEDED) => void)[] = []
    const slow = createScriptedProvider(() => new Promise((resolve) => answers.push(resolve)))
    const quick = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'quick' })
    const dispatcher = dispatcherFor(slow, quick)
    const [next, late] = held as [Payment, Payment]
    for (let place = 0; place < PLACES; place += 1) void dispatcher.send(dispatchOf(first as Payment))
    void dispatcher.send(dispatchOf(next))
    void dispatcher.send(dispatchOf(late, { leaseEndsMs: performance.now() + slow.submitTimeoutMs + 1 }))
    const other = await pay()
    await dispatcher.send(dispatchOf(other, { provider: 'quick' }))
    expect(await bench.codeOf(other)).toBe(20)
    expect(slow.submitted).toHaveLength(PLACES)
    expect(dispatcher.underway).toBe(PLACES + 2)

    const answerAll = () => {
      for (const answer of answers.splice(0)) answer(SUCCEEDED)
      return dispatcher.underway === 0
    }
    await until('everything is answered', answerAll)
    await dispatcher.drain()
    expect(await bench.codeOf(next)).toBe(20)
    // Its lease was too short by the time there was a place: somebody else decides.
    expect(slow.submitted.filter(({ reference }) => reference === `W${late.id}-1`)).toEqual([])
    expect(await bench.codeOf(late)).toBe(0)
  })

  it('is sent nothing more once the node closes: what waited is left to recovery', async () => {
    const [first, waiting] = (await Promise.all([pay(), pay()])) as [Payment, Payment]
    const answers: ((outcome: typeof SUCCEEDED) => void)[] = []
    const slow = createScriptedProvider(() => new Promise((resolve) => answers.push(resolve)))
    const dispatcher = dispatcherFor(slow)
    for (let place = 0; place < PLACES; place += 1) void dispatcher.send(dispatchOf(first))
    void dispatcher.send(dispatchOf(waiting))
    await until('all places are taken', () => slow.submitted.length === PLACES)
    const drained = dispatcher.drain()
    void dispatcher.send(dispatchOf(waiting))
    for (const answer of answers.splice(0)) answer(SUCCEEDED)
    await drained
    expect(await bench.codeOf(first)).toBe(20)
    expect(slow.submitted).toHaveLength(PLACES)
    expect(await bench.codeOf(waiting)).toBe(0)
  })
})
