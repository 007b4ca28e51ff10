import { setTimeout as pause } from 'node:timers/promises'
import { openDatabaseClock } from '../../db/clock.ts'
import { leaseNowMs } from '../../lib/lease-time.ts'
import { parseMoney } from '../../lib/money.ts'
import type { Payment } from '../../modules/payments/core/types.ts'
import type { IntakeCommand } from '../../modules/payments/take/intake.types.ts'
import { makeCallback } from '../../modules/providers/books/callbacks.rules.ts'
import type { BookServer, Trouble } from '../../modules/providers/books/server.service.ts'
import { startBookServer, TROUBLES } from '../../modules/providers/books/server.service.ts'
import { valuesOf } from '../../modules/providers/books/text.rules.ts'
import type { Book, BookOrder, Scenario } from '../../modules/providers/books/types.ts'
import { getBook, getPack } from '../../modules/providers/packs/library.service.ts'
import type { Order, Provider } from '../../modules/providers/port/types.ts'
import { dispatchOf } from '../payments/dispatching.ts'
import type { PaymentsBench } from '../payments/payments.ts'
import { commandFor, LATER, LEASE_MS } from '../payments/payments.ts'
import { connectHttp, openLoopback } from './http-connection.ts'
import { configAt, productOf, secretsOf } from './pack-bench.ts'
import type { Ending, PackFigures } from './pack-ends.ts'
import { readEndings, violationsOf } from './pack-ends.ts'
import type { PackLife } from './pack-life.ts'
import { startPackLife } from './pack-life.ts'
import { createScriptedProvider, SUCCEEDED, UNKNOWN } from './scripted-provider.ts'

// Payments through a pack whose supplier is its book of answers, under troubles that a seed chooses: every scenario of the
// book, lost and broken answers, late ones, callbacks good and forged, and processes that die in the middle.

export type PackRun = {
  readonly pack: string
  readonly payments: number
  readonly seed: number
  /** True: no process dies, no answer is late, and less time is given to settle. */
  readonly isShort?: boolean
}

export type PackReport = { readonly figures: PackFigures; readonly violations: readonly string[] }

/** Time limit of an exchange, and the delay of an answer that comes later than that. */
const TIMEOUT_MS = 500
const LATE_MS = 700
const TROUBLED = 0.15
const LATE = 0.03
/** Share of the orders that are called back about after each wave. */
const CALLED = 0.1
/** Payments that are under way together. */
const WAVE = 40
/** Share of the waves in which a process dies, and the places of its code that it passes before, at most. */
const DOOMED = 0.4
const PLACES = 60
const BALANCE = 10_000_000_000n
const ACCOUNT = '60123456789'
const SETTLING_ROUNDS_MAX = 40
const SETTLING_ROUNDS_MIN = 8
const SHORT_ROUNDS_MIN = 3

export async function runPackFaults(bench: PaymentsBench, run: PackRun): Promise<PackReport> {
  const chance = randomOf(run.seed)
  const [pack, book] = [await getPack(run.pack), await getBook(run.pack)]
  let isTroubled = true
  let troubles = 0
  const draw = <T>(probability: number, value: () => T): T | undefined => {
    if (!isTroubled || chance() >= probability) return undefined
    troubles += 1
    return value()
  }
  const server = await startBookServer({
    book,
    troubleOf: (route) =>
      route === 'float'
        ? undefined
        : draw(TROUBLED, () => TROUBLES[Math.floor(chance() * TROUBLES.length)] as Trouble),
    delayMsOf: () => (run.isShort === true ? 0 : (draw(LATE, () => LATE_MS) ?? 0)),
  })
  const outbound = openLoopback()
  const secrets = secretsOf(pack)
  const config = {
    ...(configAt(pack, book, server.url) as object),
    timeouts: { submit_ms: TIMEOUT_MS, query_ms: TIMEOUT_MS },
  }
  const supplier = connectHttp({ config, secrets, outbound })
  // The next route always delivers, once for each reference.
  const delivered = new Set<string>()
  const next = createScriptedProvider(
    (order) => {
      delivered.add(order.reference)
      return Promise.resolve(SUCCEEDED)
    },
    (order) => Promise.resolve(delivered.has(order.reference) ? SUCCEEDED : UNKNOWN),
    { code: 'next', notFoundProvesAfterMs: null },
  )
  const clock = await openDatabaseClock(bench.database)
  const resellerId = await bench.newReseller(BALANCE)
  const begin = () => startPackLife(bench, clock, [supplier, next])
  let life = begin()
  let kills = 0

  let rebirth: Promise<void> | undefined
  async function replace(): Promise<void> {
    kills += 1
    // Orders that it had sent arrive before anybody asks about them.
    await pause(50)
    life = begin()
    rebirth = undefined
  }

  /** Does it in the present process, and again in the next one where that died. */
  async function surviving<T>(work: (present: PackLife) => Promise<T>): Promise<T> {
    for (;;) {
      const present = life
      try {
        return await Promise.race([work(present), present.death])
      } catch (error) {
        if (!present.isDead) throw error
        if (life === present && rebirth === undefined) rebirth = replace()
        await rebirth
      }
    }
  }
  const settled = (present: PackLife) => untilIdle(present)
  async function timePasses(seconds: number): Promise<void> {
    await surviving(settled)
    await passTime(bench, resellerId, seconds)
    await surviving(async (present) => {
      await present.recovery.runOnce()
      await settled(present)
    })
  }

  const commands = Array.from({ length: run.payments }, (_, at) => {
    const index = Math.floor(chance() * book.scenarios.length)
    return commandOf(resellerId, `${run.pack}-${at}`, book.scenarios[index] as Scenario, index)
  })
  const calling = { book, server, supplier, secrets, chance }
  /** Lets time pass until nothing is decided any more. */
  async function settle(): Promise<void> {
    let before = ''
    for (let round = 0; round < SETTLING_ROUNDS_MAX; round += 1) {
      await timePasses(4_000)
      const open = JSON.stringify(await openOf(bench, resellerId))
      if (round >= (run.isShort === true ? SHORT_ROUNDS_MIN : SETTLING_ROUNDS_MIN) && open === before) return
      before = open
    }
  }
  try {
    for (let from = 0; from < commands.length; from += WAVE) {
      if (run.isShort !== true && chance() < DOOMED) life.doom(1 + Math.floor(chance() * PLACES))
      await Promise.all(
        commands.slice(from, from + WAVE).map(async (command) => {
          await surviving(async (present) => {
            const result = await present.intake.submit(command, LATER)
            if (result.verdict === 'created') send(present, result.payment, command)
          })
        }),
      )
      await surviving(settled)
      await callBack({ ...calling, share: CALLED }, surviving)
      await timePasses(chance() < 0.5 ? LEASE_MS / 1_000 + 1 : 600)
    }
    isTroubled = false
    await settle()
    const called = await callBack({ ...calling, share: 1 }, surviving)
    await settle()
    const endings = await readEndings(bench.database, resellerId)
    const violations = violationsOf(endings, commands, {
      orders: server.orders(),
      elsewhere: delivered,
      called,
    })
    return {
      figures: figuresOf(endings, server, { payments: run.payments, troubles, kills }),
      violations: [...violations, ...server.mistakes()],
    }
  } finally {
    await life.recovery.stop()
    clock.close()
    await server.close()
    await outbound.close()
  }
}

function commandOf(resellerId: bigint, refid: string, scenario: Scenario, at: number): IntakeCommand {
  const { account, order } = scenario
  const amount = parseMoney(order.amount ?? '') ?? 100_000n
  const { subproduct, billerCode, ref2 } = order
  const command = commandFor(resellerId, {
    refid,
    product: productOf(at),
    account: order.account ?? account ?? ACCOUNT,
    amount,
    cost: 10_000n,
    provider: 'supplier',
    extras: { subproductCode: subproduct, billerCode, ref2 },
  })
  return { ...command, decision: command.decision && { ...command.decision, planCode: subproduct } }
}

function send(life: PackLife, payment: Payment, { request, decision }: IntakeCommand): void {
  const usual = dispatchOf(payment)
  const { billerCode, ref2 } = request.extras
  const order: Order = {
    ...usual.order,
    productCode: payment.productCode,
    subproductCode: decision?.planCode ?? null,
    billerCode,
    ref2,
  }
  void life.dispatcher.send({ ...usual, provider: 'supplier', order, leaseEndsMs: leaseNowMs() + LEASE_MS })
}

/** Waits until nothing is under way; the caller waits for the death beside it. */
async function untilIdle({ dispatcher }: PackLife): Promise<void> {
  while (dispatcher.underway > 0) await pause(2)
}

type Calling = {
  readonly book: Book
  readonly server: BookServer
  readonly supplier: Provider
  readonly secrets: Readonly<Record<string, string>>
  readonly chance: () => number
  readonly share: number
}

/**
 * Sends callbacks about some orders; one that says what is not true of its order stays away. Returns the references of those
 * after which the supplier can be asked.
 */
async function callBack(
  { book, server, supplier, secrets, chance, share }: Calling,
  surviving: <T>(work: (life: PackLife) => Promise<T>) => Promise<T>,
): Promise<ReadonlySet<string>> {
  const called = new Set<string>()
  for (const order of server.orders()) {
    if (book.callbacks.length === 0 || chance() > share) continue
    const callback = book.callbacks[Math.floor(chance() * book.callbacks.length)]
    if (callback === undefined) continue
    const nowMs = Date.now()
    const request = makeCallback(callback, valuesOf(order, nowMs), secrets, nowMs)
    const reading = supplier.callbacks?.readCallback(request, nowMs)
    if (reading?.kind === 'news' && !isTrue(reading.outcome?.kind, order)) continue
    const wanted = callback.expect === 'refused' ? 'refused' : 'taken'
    const result = await surviving((life) => life.callbacks.receive('supplier', request))
    if (result !== wanted) throw new Error(`the callback ${callback.name} was ${result}`)
    const isHint = reading?.kind === 'news' && reading.outcome === null
    if (isHint && supplier.asksByRepeating === undefined) called.add(order.reference)
  }
  return called
}

function isTrue(said: string | undefined, { scenario }: BookOrder): boolean {
  if (said === undefined || said === 'pending' || said === 'unknown') return true
  return said === scenario.expect.final
}

async function passTime({ database }: PaymentsBench, resellerId: bigint, seconds: number): Promise<void> {
  for (const table of ['payment_work', 'payment_open_attempts']) {
    const due = table === 'payment_work' ? ', due_at = due_at - make_interval(secs => $2)' : ''
    await database.query(
      `update ${table} set submitted_at = submitted_at - make_interval(secs => $2),
              next_at = next_at - make_interval(secs => $2)${due} where reseller_id = $1`,
      [resellerId, seconds],
    )
  }
}

async function openOf({ database }: PaymentsBench, resellerId: bigint): Promise<unknown> {
  const { rows } = await database.query(
    `select payment_id::text, attempt, 'work' as kind from payment_work where reseller_id = $1
      union all
     select payment_id::text, attempt, 'open' from payment_open_attempts where reseller_id = $1 order by 1, 2`,
    [resellerId],
  )
  return rows
}

function figuresOf(
  endings: readonly Ending[],
  server: BookServer,
  rest: Pick<PackFigures, 'payments' | 'troubles' | 'kills'>,
): PackFigures {
  const count = (isMeant: (ending: Ending) => boolean) => endings.filter(isMeant).length
  return {
    ...rest,
    succeeded: count(({ code }) => code === 20),
    failed: count(({ code }) => code > 1 && code !== 20),
    withAPerson: count(({ code }) => code <= 1),
    cases: count(({ hasCase }) => hasCase),
    orders: server.orders().length,
  }
}

/** Source of seeded choices (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
