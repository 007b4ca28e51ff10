import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseClock } from '../../../db/clock.ts'
import { openDatabaseClock } from '../../../db/clock.ts'
import type { FailpointName } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { sampleReseller } from '../../../testing/accounts.ts'
import type { Life } from '../../../testing/payments/payment-lives.ts'
import { startProcessWithProviders } from '../../../testing/payments/payment-lives.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LATER,
  NO_EXTRAS,
  openPaymentsBench,
  until,
} from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_ACTED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { runs } from '../../../testing/runs.ts'
import type { Admission } from '../../providers/connections/routing.types.ts'
import type { Order, Provider, QueryAnswer, SubmitOutcome } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { parseReference } from '../core/schedule.rules.ts'
import { advanceClock } from '../core/sql.ts'
import { findAttemptProvider } from './work.sql.ts'

// Several providers with books of their own, which outlive the processes. For all answers, deaths of processes and
// closed providers, at most one provider has acted for a payment, and our records say so.

let bench: PaymentsBench
let clock: DatabaseClock

beforeAll(async () => {
  bench = await openPaymentsBench()
  clock = await openDatabaseClock(bench.database)
})
afterAll(async () => {
  clock.close()
  await bench.close()
})

/** Behaviour of a provider with an order: whether it acts, its answer at once, and its answer to a question. */
const BEHAVIOURS = {
  acts: { books: 'acted', says: SUCCEEDED, answers: SUCCEEDED },
  acts_later: { books: 'acted', says: PENDING, answers: SUCCEEDED },
  acts_in_silence: { books: 'acted', says: UNKNOWN, answers: SUCCEEDED },
  refuses: { books: 'refused', says: FAILED, answers: FAILED },
  refuses_in_silence: { books: 'refused', says: UNKNOWN, answers: FAILED },
  is_away: { books: null, says: NOT_ACTED, answers: NOT_FOUND },
  loses_it: { books: null, says: UNKNOWN, answers: NOT_FOUND },
} as const satisfies Record<string, { books: string | null; says: SubmitOutcome; answers: QueryAnswer }>

type Temper = keyof typeof BEHAVIOURS
const temper = fc.constantFrom(...(Object.keys(BEHAVIOURS) as Temper[]))
const CODES = ['p0', 'p1', 'p2'] as const
const DEATHS: readonly FailpointName[] = [
  'dispatch.before',
  'dispatch.sent',
  'attempt.before',
  'attempt.committed',
  'resolve.before',
  'refund.before',
]

/**
 * Place at which a node is frozen with its first order: before the first byte, so that the order's time is over when
 * the node wakes up, or after it, so that the order arrives late.
 */
type Frozen = { readonly place: 'before_the_byte' | 'on_the_way'; readonly hours: number }

type Pay = {
  tempers: readonly Temper[]
  admissions: readonly Exclude<Admission, 'wait'>[]
  dieAt: FailpointName | null
  frozen: Frozen | null
}

const pays = fc.array(
  fc.record<Pay>({
    tempers: fc.array(temper, { minLength: 3, maxLength: 3 }),
    admissions: fc.array(fc.constantFrom('send' as const, 'send' as const, 'open' as const), {
      maxLength: 4,
    }),
    dieAt: fc.option(fc.constantFrom(...DEATHS), { nil: null, freq: 2 }),
    frozen: fc.option(
      fc.record<Frozen>({
        place: fc.constantFrom('before_the_byte', 'on_the_way'),
        hours: fc.integer({ min: 0, max: 5 }),
      }),
      { nil: null, freq: 2 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

type Line = { code: string; reference: string; books: 'acted' | 'refused' }

type World = {
  readonly resellerId: bigint
  readonly lines: Line[]
  /** Behaviour of each provider, by the account of an order. */
  readonly tempers: Map<string, readonly Temper[]>
  readonly admissions: Exclude<Admission, 'wait'>[]
  readonly providers: Providers
  /** True: a provider takes a reference again. A provider that does not gets no order after the proof of absence. */
  readonly repeatsReference: boolean
  readonly sleepers: { readonly life: Life; readonly hours: number; isAsleep(): boolean; wake(): void }[]
  /** Accounts of payments whose order may arrive after it was proven absent. */
  readonly arrivesLate: Set<string>
  life: Life
  readonly lives: Life[]
}

function createWorld(resellerId: bigint, repeatsReference: boolean): World {
  const lines: Line[] = []
  const tempers: World['tempers'] = new Map()
  const admissions: World['admissions'] = []
  const temperOf = (index: number, { account }: Order) => BEHAVIOURS[tempers.get(account)?.[index] as Temper]
  const providers = CODES.map(
    (code, index): Provider =>
      createScriptedProvider(
        (order) => {
          const { books, says, answers } = temperOf(index, order)
          // A provider acts once per reference, however often it arrives.
          if (lines.some((line) => line.code === code && line.reference === order.reference)) {
            return Promise.resolve(answers === NOT_FOUND ? says : (answers as SubmitOutcome))
          }
          if (books !== null) lines.push({ code, reference: order.reference, books })
          return Promise.resolve(says)
        },
        (order) => {
          const isKnown = lines.some((line) => line.code === code && line.reference === order.reference)
          return Promise.resolve(isKnown ? temperOf(index, order).answers : NOT_FOUND)
        },
        { code, repeatsReference },
      ),
  )
  const among: Providers = { ...providersOf(...providers), admit: () => admissions.shift() ?? 'send' }
  const life = startProcessWithProviders(bench, clock, among)
  const rest = { repeatsReference, sleepers: [], arrivesLate: new Set<string>(), life, lives: [life] }
  return { resellerId, lines, tempers, admissions, providers: among, ...rest }
}

function restart(world: World): void {
  world.life.isDead = true
  world.life = startProcessWithProviders(bench, clock, world.providers)
  world.lives.push(world.life)
}

/** Starts a node that takes the payment and is frozen with its first order; another node goes on. */
function freeze(world: World, { place, hours }: Frozen): void {
  let wake = () => {}
  let isAsleep = false
  const awake = new Promise<void>((resolve) => {
    wake = resolve
  })
  const { providers } = world
  const isSpared = place === 'before_the_byte' || !world.repeatsReference
  const sleepy: Providers = {
    ...providers,
    byCode(code) {
      const provider = providers.byCode(code)
      const submit: Provider['submit'] = async (order, signal) => {
        isAsleep = true
        await awake
        // A deadline in the past: as if the hours had passed on this node's own clock.
        const notAfterMs = isSpared && hours > 0 ? leaseNowMs() - 1 : undefined
        return (provider as Provider).submit(order, signal, notAfterMs)
      }
      return provider && { ...provider, submit }
    },
  }
  const life = startProcessWithProviders(bench, clock, sleepy)
  world.lives.push(life)
  world.life = life
  world.sleepers.push({ life, hours, isAsleep: () => isAsleep, wake })
}

async function pay(world: World, { tempers, admissions, dieAt, frozen }: Pay): Promise<void> {
  const usual = world.life
  if (frozen !== null) freeze(world, frozen)
  const account = `6012900${1_000 + world.tempers.size}`
  world.tempers.set(account, tempers)
  world.admissions.splice(0, world.admissions.length, ...admissions)
  world.life.dieAt = frozen === null ? dieAt : null
  const result = await world.life.payments.pay({
    caller: {
      reseller: sampleReseller({ id: world.resellerId }),
      kind: 'key',
      memberId: '1',
      scopes: new Set(['pay']),
    },
    request: {
      refid: account,
      product: 'KITA',
      account,
      amount: 100_000n,
      remarks: '',
      extras: NO_EXTRAS,
      problems: {},
    },
    sender: '203.0.113.7',
    deadlineMs: LATER,
  })
  expect(result.kind).toBe('payment')
  const sleeper = world.sleepers.at(-1)
  if (frozen !== null && sleeper !== undefined) {
    await until('it sleeps', () => sleeper.isAsleep() || sleeper.life.dispatcher.underway === 0)
    if (frozen.place === 'on_the_way' && world.repeatsReference) world.arrivesLate.add(account)
    world.life = usual
    return
  }
  const { life } = world
  await until('it is written down', () => life.isDead || life.dispatcher.underway === 0)
  if (life.isDead) restart(world)
  world.life.dieAt = null
}

/** Moves time far enough that leases have ended and that "not found" proves something. */
async function anHourPasses(world: World): Promise<void> {
  await advanceClock(bench.database, world.resellerId, 3_600)
  await bench.database.query(
    `update payment_work set submitted_at = submitted_at - interval '1 hour', next_at = next_at - interval '1 hour'
      where reseller_id = $1 and is_leased`,
    [world.resellerId],
  )
  await world.life.recovery.runOnce()
  await until('it is written down', () => world.life.dispatcher.underway === 0)
}

/**
 * Expects an alert for an order that arrived after it was proven absent and the money went back. That cannot be undone,
 * but operators are told.
 */
async function expectReported(id: bigint, { books }: Line): Promise<void> {
  const { rows } = await bench.database.query(
    "select severity from operator_alerts where kind = 'payment_contradiction' and subject = $1",
    [String(id)],
  )
  expect(rows).toEqual(books === 'acted' ? [{ severity: 'critical' }] : [])
}

/** Wakes the nodes whose time has come; they go on where they were. */
async function wakeSleepers(world: World, hour: number): Promise<void> {
  for (const { life, hours, wake } of world.sleepers) {
    if (hours !== hour) continue
    wake()
    await until('it has done what it had in hand', () => life.dispatcher.underway === 0)
  }
}

async function expectAgreement(world: World): Promise<void> {
  const { rows } = await bench.database.query<{
    id: bigint
    account: string
    code: number
    provider: string
  }>('select id, account, code, provider from payments where reseller_id = $1', [world.resellerId])
  expect(rows).toHaveLength(world.tempers.size)
  for (const { id, account, code, provider } of rows) {
    const lines = world.lines.filter(({ reference }) => parseReference(reference)?.paymentId === id)
    // A payment has at most one line in the books: no provider got it after the one that has the line, and none twice.
    expect(lines.length).toBeLessThanOrEqual(1)
    const [line] = lines
    if (line === undefined) expect([45, 47]).toContain(code)
    else if (world.arrivesLate.has(account) && code === 47) await expectReported(id, line)
    else {
      expect(code).toBe(line.books === 'acted' ? 20 : 48)
      expect(provider).toBe(line.code)
      const { attempt = 0 } = parseReference(line.reference) ?? {}
      const payment = { resellerId: world.resellerId, id }
      expect(await findAttemptProvider(bench.database, payment, attempt)).toBe(line.code)
    }
  }
}

async function countOpenAttempts({ resellerId }: World): Promise<number> {
  const { rows } = await bench.database.query('select from payment_open_attempts where reseller_id = $1', [
    resellerId,
  ])
  return rows.length
}

it('however providers fail, processes die and nodes are frozen, at most one provider acts for a payment, and the money says so', async () => {
  await fc.assert(
    fc.asyncProperty(pays, fc.boolean(), async (drawn, repeatsReference) => {
      const world = createWorld(await bench.newReseller(10_000_000n), repeatsReference)
      try {
        for (const each of drawn) {
          await pay(world, each)
          await expectSoundMoney(bench.database)
        }
        for (let hour = 0; hour < 10; hour += 1) {
          await wakeSleepers(world, hour)
          await anHourPasses(world)
        }
        await expectAgreement(world)
        expect(await countOpenAttempts(world)).toBe(0)
        await expectSoundMoney(bench.database)
      } finally {
        await Promise.all(world.lives.map(({ recovery }) => recovery.stop()))
      }
    }),
    { numRuns: runs(60) },
  )
})
