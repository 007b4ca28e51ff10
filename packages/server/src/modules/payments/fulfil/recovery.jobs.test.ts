import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  beginAttempt,
  dispatcherAmong,
  dispatchOf,
  recoveryAt,
} from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LEASE_MS,
  openPaymentsBench,
  payWith,
  takeTogether,
} from '../../../testing/payments/payments.ts'
import { runPackFaults } from '../../../testing/providers/pack-faults.ts'
import type { ScriptedProvider } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  FAILED,
  NEVER,
  NOT_ACTED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import type { Provider } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { advanceClock, listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { Recovery } from './recovery.jobs.ts'
import { claimWork } from './work.sql.ts'

let bench: PaymentsBench
let node: Node
const started: Recovery[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Work that another test left must not be found by this one.
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

const LEASE_S = 60
const NOW = STEADY_CLOCK.believedUntil()

/** Creates a recovery that runs only when it is told to: its own turns are a day apart. */
function recoveryWith(...providers: readonly Provider[]): Recovery & { problems: string[] } {
  return recoveryAmong(providersOf(...providers))
}

function recoveryAmong(
  providers: Providers,
  times: Parameters<typeof recoveryAt>[2] = {},
): ReturnType<typeof recoveryAt> {
  const recovery = recoveryAt(bench, providers, times)
  started.push(recovery)
  return recovery
}

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n), { extras: { icNumber: '900101145678' } })
}

function referencesOf(orders: ScriptedProvider['submitted'], payment: Payment): string[] {
  return orders.map(({ reference }) => reference).filter((each) => each.startsWith(`W${payment.id}-`))
}

describe('the work of recovery', () => {
  it('is work whose lease ran out, never work that somebody is at', async () => {
    const [mine, theirs] = [await pay(), await pay()]
    await bench.age(mine, LEASE_S + 1)
    await bench.age(theirs, LEASE_S - 5)
    const provider = createScriptedProvider(SUCCEEDED, SUCCEEDED)
    expect(await recoveryWith(provider).runOnce()).toBe(1)
    expect(referencesOf(provider.asked, mine)).toEqual([`W${mine.id}-1`])
    expect(await bench.codeOf(mine)).toBe(20)
    expect(referencesOf(provider.asked, theirs)).toEqual([])
    expect(await bench.codeOf(theirs)).toBe(0)
  })

  it('is claimed by one node each, however many look at once', async () => {
    const reseller = await bench.newReseller(1_000_000n)
    const commands = Array.from({ length: 100 }, () => commandFor(reseller))
    for (const result of await takeTogether(node, commands)) {
      if (result.verdict === 'created') await bench.age(result.payment, LEASE_S + 1)
    }
    const others = [bench.openNode(), bench.openNode(), bench.openNode(), bench.openNode()]
    const terms = (limit: number) => ({ limit, leaseMs: 60_000, believedUntil: NOW })
    const claims = await Promise.all(
      others.flatMap(({ database }) => [claimWork(database, terms(30)), claimWork(database, terms(30))]),
    )
    const ids = claims.flat().map((work) => work.payment_id)
    expect(new Set(ids).size).toBe(ids.length)
    const rest = await claimWork(node.database, terms(1_000))
    expect(ids.length + rest.length).toBe(100)
    expect(await claimWork(node.database, terms(1_000))).toEqual([])
  })

  it('is moved nearer by a test clock when it is a question, never when it is a lease', async () => {
    const [leased, asked] = [await pay(), await pay()]
    await node.resolver.submit({ ...asked, outcome: PENDING, nextMs: 600_000 })
    await advanceClock(bench.database, leased.resellerId, 3_600)
    await advanceClock(bench.database, asked.resellerId, 3_600)
    const provider = createScriptedProvider(SUCCEEDED, SUCCEEDED)
    expect(await recoveryWith(provider).runOnce()).toBe(1)
    expect(await bench.codeOf(asked)).toBe(20)
    expect(await bench.codeOf(leased)).toBe(0)
  })

  it('is more than one claim holds', async () => {
    const reseller = await bench.newReseller(10_000_000n)
    const results = await takeTogether(
      node,
      Array.from({ length: 250 }, () => commandFor(reseller)),
    )
    await bench.database.query(
      'update payment_work set next_at = now() - interval $$1 second$$ where reseller_id = $1',
      [reseller],
    )
    expect(await recoveryWith(createScriptedProvider(SUCCEEDED, SUCCEEDED)).runOnce()).toBe(results.length)
  })
})

describe('a payment that was perhaps sent', () => {
  it.each([
    ['succeeded', SUCCEEDED, 20, 0n],
    ['failed', FAILED, 48, 10_000n],
  ])('a payment that was perhaps sent is asked about, and %s ends it', async (_, answer, code, balance) => {
    const payment = await pay()
    await bench.age(payment, LEASE_S + 1)
    const provider = createScriptedProvider(SUCCEEDED, answer)
    await recoveryWith(provider).runOnce()
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(code)
    expect(await bench.balanceOf(payment.resellerId)).toBe(balance)
  })

  it.each([
    ['pending', () => Promise.resolve(PENDING)],
    ['unknown', () => Promise.resolve(UNKNOWN)],
    ['no answer in time', () => NEVER],
    ['a broken connector', () => Promise.reject(new Error('a bug'))],
  ])(
    'a payment that was perhaps sent is asked about again and again while the answer is %s, never sent again, never given back',
    async (_, query) => {
      const payment = await pay()
      await bench.age(payment, LEASE_S + 1)
      const provider = createScriptedProvider(SUCCEEDED, query, { queryTimeoutMs: 10 })
      const recovery = recoveryWith(provider)
      for (let round = 1; round <= 5; round += 1) {
        expect(await recovery.runOnce()).toBe(1)
        expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, questions: round, is_leased: false })
        expect(await recovery.runOnce()).toBe(0)
        await advanceClock(bench.database, payment.resellerId, 86_400)
      }
      expect(provider.submitted).toEqual([])
      expect(await bench.codeOf(payment)).toBe(1)
      expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
    },
  )

  it('a payment that was perhaps sent waits while its provider is not configured', async () => {
    const payment = await pay()
    await bench.age(payment, 86_400)
    const other = createScriptedProvider(SUCCEEDED, NOT_FOUND, { code: 'other' })
    await recoveryWith(other).runOnce()
    expect(other.asked).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })
})

it('one that cannot be read does not hold up the others', async () => {
  const [broken, sound] = [await pay(), await pay()]
  await bench.database.query(
    `update payments set sealed_input = '\\x0000' where reseller_id = $1 and id = $2`,
    [broken.resellerId, broken.id],
  )
  await bench.age(broken, LEASE_S + 1)
  await bench.age(sound, LEASE_S + 1)
  const recovery = recoveryWith(createScriptedProvider(SUCCEEDED, SUCCEEDED))
  await recovery.runOnce()
  expect(await bench.codeOf(sound)).toBe(20)
  expect(await bench.codeOf(broken)).toBe(0)
  expect(recovery.problems).toHaveLength(1)
})

describe('a payment with an earlier attempt that is undecided', () => {
  async function payWithUndecidedFirst(): Promise<Payment> {
    const payment = await pay()
    const { resellerId, id } = payment
    const work = { reseller_id: resellerId, payment_id: id, attempt: 1 }
    await beginAttempt(bench.database, work, LEASE_MS, 'as a test')
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 3_600_000 })
    return payment
  }

  it('goes to no other provider when the present attempt did nothing, until the earlier one is decided', async () => {
    const payment = await payWithUndecidedFirst()
    const { resellerId, id } = payment
    const other = createScriptedProvider(PENDING, PENDING, { code: 'other' })
    const providers = providersOf(other, createScriptedProvider(NOT_ACTED, PENDING))
    await dispatcherAmong(node, providers).send(dispatchOf(payment, { attempt: 2, lease: 2 }))
    const recovery = recoveryAmong(providers)
    await recovery.runOnce()
    expect(referencesOf(other.submitted, payment)).toEqual([])
    expect([await bench.codeOf(payment), await bench.balanceOf(resellerId)]).toEqual([0, 0n])
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: FAILED, nextMs: 0 })
    await bench.age(payment, LEASE_S + 1)
    await recovery.runOnce()
    expect(referencesOf(other.submitted, payment)).toEqual([`W${id}-3`])
  })

  it('is not sent again under the same reference either', async () => {
    const payment = await payWithUndecidedFirst()
    const provider = createScriptedProvider(PENDING, NOT_FOUND, { repeatsReference: true })
    await bench.age(payment, 3_600)
    await recoveryWith(provider).runOnce()
    expect(referencesOf(provider.asked, payment)).toContain(`W${payment.id}-2`)
    expect(referencesOf(provider.submitted, payment)).toEqual([])
  })

  it('is not given up when nobody takes it, and the reason is noted once', async () => {
    const payment = await payWithUndecidedFirst()
    const { resellerId, id } = payment
    await bench.database.query('update payment_work set is_unsent = true where payment_id = $1', [id])
    const providers = providersOf(createScriptedProvider(PENDING, PENDING))
    const recovery = recoveryAmong({ ...providers, choose: () => ({ kind: 'none' }) })
    for (let turn = 0; turn < 3; turn += 1) {
      await bench.age(payment, LEASE_S + 1)
      await recovery.runOnce()
    }
    expect([await bench.codeOf(payment), await bench.balanceOf(resellerId)]).toEqual([0, 0n])
    const changes = await listChanges(bench.database, resellerId, id, 100)
    expect(changes.map(({ kind }) => kind)).toEqual(['attempt', 'route'])
  })
})

it('payments through a pack that is asked by sending are neither lost nor doubled, whatever its supplier answers', async () => {
  const run = { pack: 'digiflazz-my', payments: 40, seed: Date.now() % 1_000_000, isShort: true }
  expect(await runPackFaults(bench, run)).toMatchObject({ violations: [] })
})
