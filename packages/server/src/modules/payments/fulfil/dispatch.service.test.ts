import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import {
  beginAttempt,
  dispatcherAmong,
  dispatchOf,
  recoveryAt,
} from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith, until } from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  NEVER,
  NOT_ACTED,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { RouteNote } from '../../providers/connections/routing.types.ts'
import type { Provider } from '../../providers/port/types.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import { ATTEMPTS_MAX } from './dispatch.rules.ts'
import type { Dispatch, Dispatcher } from './dispatch.types.ts'
import { findAttemptProvider } from './work.sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const dispatcherFor = (...providers: readonly Provider[]) => dispatcherAmong(node, providersOf(...providers))

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n))
}

/** Sends an order that comes in time, with a lease that leaves it little time to wait. */
function sendWithLittleTime(dispatcher: Dispatcher, payment: Payment, provider: Provider): Dispatch {
  const dispatch = dispatchOf(payment, { leaseEndsMs: leaseNowMs() + provider.submitTimeoutMs + 250 })
  void dispatcher.send(dispatch)
  return dispatch
}

async function stepsOf(payment: Payment): Promise<string[]> {
  const changes = await listChanges(bench.database, payment.resellerId, payment.id, 20)
  return changes.map(({ kind, detail }) => `${kind}: ${detail}`)
}

async function providerOf({ resellerId, id }: Payment): Promise<string | undefined> {
  const { rows } = await bench.database.query<{ provider: string }>(
    'select provider from payments where reseller_id = $1 and id = $2',
    [resellerId, id],
  )
  return rows[0]?.provider
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

  it('the provider’s answer that does not come in time is unknown: nothing goes back, and the call is given up', async () => {
    const payment = await pay()
    let given: AbortSignal | undefined
    const provider = createScriptedProvider(
      (_, signal) => {
        given = signal
        return NEVER
      },
      UNKNOWN,
      { submitTimeoutMs: 250 },
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
    'the provider’s answer of a connector that %s says nothing: the payment is neither failed nor given back',
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
  it('when its commit used up the lease: any node may send it at once, and the payment does not fail', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: 10_000 })
    await dispatcherFor(provider).send(dispatchOf(payment, { leaseEndsMs: leaseNowMs() + 9_999 }))
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(0)
    expect(await dueOf(payment)).toEqual({ attempt: 1, is_unsent: true, is_due: true })
    const recovery = recoveryAt(bench, providersOf(provider))
    await recovery.runOnce()
    await recovery.stop()
    const own = provider.submitted.filter(({ reference }) => reference.startsWith(`W${payment.id}-`))
    expect(own.map(({ reference }) => reference)).toEqual([`W${payment.id}-2`])
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })

  it('when its commit used up the lease of the last attempt: the money goes back', async () => {
    const payment = await pay()
    for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) {
      const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt }
      await beginAttempt(bench.database, work, 60_000, 'as a test')
    }
    const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: 10_000 })
    const late = { attempt: ATTEMPTS_MAX, lease: ATTEMPTS_MAX, leaseEndsMs: leaseNowMs() + 9_999 }
    await dispatcherFor(provider).send(dispatchOf(payment, late))
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(47)
    expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
  })

  it('when it stood in the provider’s line for most of its lease: with nobody else, the money goes back', async () => {
    const [first, late] = (await Promise.all([pay(), pay()])) as [Payment, Payment]
    const answers: ((outcome: typeof SUCCEEDED) => void)[] = []
    const slow = createScriptedProvider(() => new Promise((resolve) => answers.push(resolve)), UNKNOWN, {
      concurrencyMax: 1,
      submitTimeoutMs: 10_000,
    })
    const dispatcher = dispatcherFor(slow)
    void dispatcher.send(dispatchOf(first))
    const { leaseEndsMs } = sendWithLittleTime(dispatcher, late, slow)
    await until('its time has passed', () => leaseNowMs() + slow.submitTimeoutMs > leaseEndsMs)
    answers[0]?.(SUCCEEDED)
    await until('both are done', () => dispatcher.underway === 0)
    expect(slow.submitted).toHaveLength(1)
    expect(await bench.codeOf(late)).toBe(47)
    expect(await bench.balanceOf(late.resellerId)).toBe(10_000n)
    expect(await stepsOf(late)).toEqual([
      'route: scripted did nothing: its turn came too late; nobody else: scripted was tried',
      'state: Service_Unavailable',
    ])
  })

  it('an order is not sent to a provider that was disabled meanwhile: it goes elsewhere', async () => {
    const payment = await pay()
    const disabled = createScriptedProvider(SUCCEEDED)
    const other = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
    const providers = { ...providersOf(disabled, other), takesOrders: (code: string) => code === 'second' }
    await dispatcherAmong(node, providers).send(dispatchOf(payment))
    expect(disabled.submitted).toEqual([])
    expect(other.submitted.map(({ reference }) => reference)).toEqual([`W${payment.id}-2`])
    expect((await stepsOf(payment))[0]).toContain('scripted did nothing: it is disabled')
  })

  it('an order is not sent from a shelf that was disabled meanwhile, nor by anybody else: recovery finds what it sold', async () => {
    const payment = await pay()
    const shelf = createScriptedProvider(SUCCEEDED, UNKNOWN, { reservesStock: true })
    const other = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
    const providers = { ...providersOf(shelf, other), takesOrders: (code: string) => code === 'second' }
    await dispatcherAmong(node, providers).send(dispatchOf(payment))
    expect([...shelf.submitted, ...other.submitted]).toEqual([])
    expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, is_leased: true })
  })

  it('a further time when the payment has ended meanwhile, and that says nothing about the provider', async () => {
    const payment = await pay()
    const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1 }
    await beginAttempt(bench.database, work, 60_000, 'as a test')
    await node.resolver.submit({ ...payment, attempt: 1, outcome: SUCCEEDED, nextMs: 0 })
    const provider = createScriptedProvider(SUCCEEDED)
    const observed: string[] = []
    const observe = (_: string, { answer }: { answer: string }) => void observed.push(answer)
    const dispatcher = dispatcherAmong(node, { ...providersOf(provider), observe })
    await dispatcher.send(dispatchOf(payment, { attempt: 2 }))
    expect(provider.submitted).toEqual([])
    expect(observed).toEqual(['unsent'])
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('an order is not sent to a provider that is not configured', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED)
    await dispatcherFor(provider).send(dispatchOf(payment, { provider: 'gone' }))
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(0)
  })
})

it('an outcome that cannot be written is left to recovery, and the sender goes on', async () => {
  const payment = await pay()
  const resolver: Resolver = {
    submit: () => Promise.reject(new Error('the database is away')),
    waiting: 0,
    unanswered: 0,
    progress: { stalledMs: 0, committedAgoMs: 0, isOutOfRoom: false },
    drain: () => Promise.resolve(),
  }
  const dispatcher = dispatcherAmong({ ...node, resolver }, providersOf(createScriptedProvider(SUCCEEDED)))
  await dispatcher.send(dispatchOf(payment))
  expect(dispatcher.problems).toEqual([`payment ${payment.id} is left to recovery`])
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
    const { leaseEndsMs } = sendWithLittleTime(dispatcher, late, slow)
    const other = await pay()
    await dispatcher.send(dispatchOf(other, { provider: 'quick' }))
    expect(await bench.codeOf(other)).toBe(20)
    expect(slow.submitted).toHaveLength(PLACES)
    expect(dispatcher.underway).toBe(PLACES + 2)
    await until('its time has passed', () => leaseNowMs() + slow.submitTimeoutMs > leaseEndsMs)

    const answerAll = () => {
      for (const answer of answers.splice(0)) answer(SUCCEEDED)
      return dispatcher.underway === 0
    }
    await until('everything is answered', answerAll)
    await dispatcher.drain()
    expect(await bench.codeOf(next)).toBe(20)
    // Its lease was too short when a place became free: another provider gets it.
    expect(slow.submitted.filter(({ reference }) => reference === `W${late.id}-1`)).toEqual([])
    expect(quick.submitted.map(({ reference }) => reference)).toContain(`W${late.id}-2`)
    expect(await bench.codeOf(late)).toBe(20)
  })

  it('is sent nothing more once the node closes: what waited may be sent by others at once', async () => {
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
    expect(await dueOf(waiting)).toEqual({ attempt: 1, is_unsent: true, is_due: true })
  })

  it('an order that certainly did nothing when the node closes: no other provider gets a further attempt from it', async () => {
    const [refused, lost] = (await Promise.all([pay(), pay()])) as [Payment, Payment]
    const answers = new Map<string, (outcome: typeof NOT_ACTED) => void>()
    const slow = createScriptedProvider(
      ({ reference }) => new Promise((resolve) => answers.set(reference, resolve)),
    )
    const other = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
    const dispatcher = dispatcherFor(slow, other)
    for (const payment of [refused, lost]) void dispatcher.send(dispatchOf(payment))
    const drained = dispatcher.drain()
    answers.get(`W${refused.id}-1`)?.(NOT_ACTED)
    answers.get(`W${lost.id}-1`)?.(UNKNOWN)
    await drained
    expect(other.submitted).toEqual([])
    expect(await dueOf(refused)).toEqual({ attempt: 1, is_unsent: true, is_due: true })
    // An order that may have been sent is never marked as unsent.
    expect(await dueOf(lost)).toMatchObject({ attempt: 1, is_unsent: false })
  })
})

async function dueOf({ resellerId, id }: Payment): Promise<unknown> {
  const { rows } = await bench.database.query(
    `select attempt, is_unsent, next_at <= now() as is_due from payment_work
      where reseller_id = $1 and payment_id = $2`,
    [resellerId, id],
  )
  return rows[0]
}

describe('a provider that certainly did nothing', () => {
  const first = () => createScriptedProvider(NOT_ACTED)
  const second = (outcome: Parameters<typeof createScriptedProvider>[0] = SUCCEEDED) =>
    createScriptedProvider(outcome, UNKNOWN, { code: 'second' })

  it('is followed by the next one, which is written down before it is sent', async () => {
    const payment = await pay()
    const seen: unknown[] = []
    const other = second(async () => {
      seen.push(await bench.workOf(payment), await providerOf(payment), ...(await stepsOf(payment)))
      return SUCCEEDED
    })
    await dispatcherFor(first(), other).send(dispatchOf(payment))
    expect(seen).toEqual([
      expect.objectContaining({ attempt: 2, is_leased: true }),
      'second',
      'attempt: attempt 2 at second instead of scripted: scripted did nothing: nothing listens there',
    ])
    expect(other.submitted.map(({ reference }) => reference)).toEqual([`W${payment.id}-2`])
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await findAttemptProvider(bench.database, payment, 1)).toBe('scripted')
    expect(await findAttemptProvider(bench.database, payment, 2)).toBe('second')
    expect(await findAttemptProvider(bench.database, payment, 3)).toBeUndefined()
  })

  it('is followed by one that was not simply the first, and the timeline says why', async () => {
    const payment = await pay()
    const other = second()
    const note: RouteNote = { passedOver: [{ provider: 'third', obstacle: 'interrupted' }], pick: null }
    const choose = () => ({ kind: 'chosen', provider: other, note }) as const
    await dispatcherAmong(node, { ...providersOf(first(), other), choose }).send(dispatchOf(payment))
    expect((await stepsOf(payment))[0]).toMatch(/nothing listens there; second: third is interrupted$/)
  })

  it.each([
    ['pending', PENDING],
    ['unknown', UNKNOWN],
  ])('is followed by one whose %s is the end of it: nobody else gets the order', async (_, outcome) => {
    const payment = await pay()
    const third = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'third' })
    await dispatcherFor(first(), second(outcome), third).send(dispatchOf(payment))
    expect(third.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
    expect(await providerOf(payment)).toBe('second')
  })

  it.each([
    [47, 'Service_Unavailable'],
    [45, 'Out_Of_Stock'],
    [54, 'Daily limit'],
  ] as const)(
    'a last provider that certainly did nothing: the payment fails with its %s and the money is back',
    async (code, remarks) => {
      const payment = await pay()
      const last = second({ kind: 'not_acted', code, reason: 'Daily limit' })
      await dispatcherFor(first(), last).send(dispatchOf(payment))
      expect(await bench.codeOf(payment)).toBe(code)
      expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
      expect((await stepsOf(payment)).at(-1)).toBe(`state: ${remarks}`)
    },
  )

  it('is not followed by anybody when another node was faster', async () => {
    const payment = await pay()
    const slow = createScriptedProvider(async () => {
      const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1 }
      await beginAttempt(bench.database, work, 60_000, 'found by another node')
      return NOT_ACTED
    })
    const other = second()
    await dispatcherFor(slow, other).send(dispatchOf(payment))
    expect(other.submitted).toEqual([])
    expect(await bench.workOf(payment)).toMatchObject({ attempt: 2 })
    expect(await bench.codeOf(payment)).toBe(0)
  })

  it('does not keep its place while the next one takes its time', async () => {
    const [one, two] = (await Promise.all([pay(), pay()])) as [Payment, Payment]
    const narrow = createScriptedProvider(NOT_ACTED, UNKNOWN, { concurrencyMax: 1 })
    const hanging = second(() => NEVER)
    const dispatcher = dispatcherFor(narrow, hanging)
    void dispatcher.send(dispatchOf(one))
    void dispatcher.send(dispatchOf(two))
    await until('both are at the second one', () => hanging.submitted.length === 2)
  })
})
