import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseClock } from '../../db/clock.ts'
import { openDatabaseClock } from '../../db/clock.ts'
import type { FailpointName } from '../../lib/failpoints.ts'
import type { Life } from '../../testing/payment-lives.ts'
import { beginLifeAmong } from '../../testing/payment-lives.ts'
import type { PaymentsBench } from '../../testing/payments.ts'
import { expectSoundMoney, LATER, NO_EXTRAS, openPaymentsBench, until } from '../../testing/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_ACTED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../testing/scripted-provider.ts'
import type { Providers } from '../providers/registry.service.ts'
import type { Admission } from '../providers/routing.types.ts'
import type { Order, Provider, QueryAnswer, SubmitOutcome } from '../providers/types.ts'
import { parseReference } from './schedule.rules.ts'
import { advanceClock } from './sql.ts'
import { findAttemptProvider } from './work.sql.ts'

// Several providers with books of their own, which outlive the processes: whatever they answer, whoever dies when,
// and whichever door is shut, at most one of them has acted for a payment, and ours say so.

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

/** What a provider does with an order: whether it acts, what it says at once, and what when it is asked. */
const TEMPERS = {
  acts: { books: 'acted', says: SUCCEEDED, answers: SUCCEEDED },
  acts_later: { books: 'acted', says: PENDING, answers: SUCCEEDED },
  acts_in_silence: { books: 'acted', says: UNKNOWN, answers: SUCCEEDED },
  refuses: { books: 'refused', says: FAILED, answers: FAILED },
  refuses_in_silence: { books: 'refused', says: UNKNOWN, answers: FAILED },
  is_away: { books: null, says: NOT_ACTED, answers: NOT_FOUND },
  loses_it: { books: null, says: UNKNOWN, answers: NOT_FOUND },
} as const satisfies Record<string, { books: string | null; says: SubmitOutcome; answers: QueryAnswer }>

type Temper = keyof typeof TEMPERS
const temper = fc.constantFrom(...(Object.keys(TEMPERS) as Temper[]))
const CODES = ['p0', 'p1', 'p2'] as const
const DEATHS: readonly FailpointName[] = [
  'dispatch.before',
  'dispatch.sent',
  'attempt.before',
  'attempt.committed',
  'resolve.before',
  'refund.before',
]

type Pay = {
  tempers: readonly Temper[]
  admissions: readonly Exclude<Admission, 'wait'>[]
  dieAt: FailpointName | null
}

const pays = fc.array(
  fc.record<Pay>({
    tempers: fc.array(temper, { minLength: 3, maxLength: 3 }),
    admissions: fc.array(fc.constantFrom('send' as const, 'send' as const, 'open' as const), {
      maxLength: 4,
    }),
    dieAt: fc.option(fc.constantFrom(...DEATHS), { nil: null, freq: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
)

type Line = { code: string; reference: string; books: 'acted' | 'refused' }

type World = {
  readonly resellerId: bigint
  readonly lines: Line[]
  /** Which of them an order's account stands for. */
  readonly tempers: Map<string, readonly Temper[]>
  readonly admissions: Exclude<Admission, 'wait'>[]
  readonly providers: Providers
  life: Life
  readonly lives: Life[]
}

function createWorld(resellerId: bigint): World {
  const lines: Line[] = []
  const tempers: World['tempers'] = new Map()
  const admissions: World['admissions'] = []
  const temperOf = (index: number, { account }: Order) => TEMPERS[tempers.get(account)?.[index] as Temper]
  const providers = CODES.map(
    (code, index): Provider =>
      createScriptedProvider(
        (order) => {
          const { books, says } = temperOf(index, order)
          if (books !== null) lines.push({ code, reference: order.reference, books })
          return Promise.resolve(says)
        },
        (order) => {
          const isKnown = lines.some((line) => line.code === code && line.reference === order.reference)
          return Promise.resolve(isKnown ? temperOf(index, order).answers : NOT_FOUND)
        },
        { code },
      ),
  )
  const among: Providers = { ...providersOf(...providers), admit: () => admissions.shift() ?? 'send' }
  const life = beginLifeAmong(bench, clock, among)
  return { resellerId, lines, tempers, admissions, providers: among, life, lives: [life] }
}

function restart(world: World): void {
  world.life.isDead = true
  world.life = beginLifeAmong(bench, clock, world.providers)
  world.lives.push(world.life)
}

async function pay(world: World, { tempers, admissions, dieAt }: Pay): Promise<void> {
  const account = `6012900${1_000 + world.tempers.size}`
  world.tempers.set(account, tempers)
  world.admissions.splice(0, world.admissions.length, ...admissions)
  world.life.dieAt = dieAt
  const result = await world.life.payments.pay({
    caller: {
      reseller: {
        id: world.resellerId,
        account: '1001',
        name: 'Kedai',
        priceLevel: 'STANDARD',
        access: 0,
        status: 'active',
        topupRequiresApiKey: false,
        allowsAddress: () => true,
      },
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
  const { life } = world
  await until('it is written down', () => life.isDead || life.dispatcher.underway === 0)
  if (life.isDead) restart(world)
  world.life.dieAt = null
}

/** Long enough that leases have run out and that "never heard of it" proves something. */
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

async function expectOneMind(world: World): Promise<void> {
  const { rows } = await bench.database.query<{
    id: bigint
    account: string
    code: number
    provider: string
  }>('select id, account, code, provider from payments where reseller_id = $1', [world.resellerId])
  expect(rows).toHaveLength(world.tempers.size)
  for (const { id, code, provider } of rows) {
    const lines = world.lines.filter(({ reference }) => parseReference(reference)?.paymentId === id)
    // Whoever has it in the books is the end of it: nobody was asked after them, and nobody twice.
    expect(lines.length).toBeLessThanOrEqual(1)
    const [line] = lines
    if (line === undefined) expect([45, 47]).toContain(code)
    else {
      expect(code).toBe(line.books === 'acted' ? 20 : 48)
      expect(provider).toBe(line.code)
      const { attempt = 0 } = parseReference(line.reference) ?? {}
      const payment = { resellerId: world.resellerId, id }
      expect(await findAttemptProvider(bench.database, payment, attempt)).toBe(line.code)
    }
  }
}

it('however providers fail and processes die, at most one provider acts for a payment, and the money says so', async () => {
  await fc.assert(
    fc.asyncProperty(pays, async (drawn) => {
      const world = createWorld(await bench.newReseller(10_000_000n))
      try {
        for (const each of drawn) {
          await pay(world, each)
          await expectSoundMoney(bench.database)
        }
        for (let hour = 0; hour < 6; hour += 1) await anHourPasses(world)
        await expectOneMind(world)
        await expectSoundMoney(bench.database)
      } finally {
        await Promise.all(world.lives.map(({ recovery }) => recovery.stop()))
      }
    }),
    { numRuns: 60 },
  )
})
