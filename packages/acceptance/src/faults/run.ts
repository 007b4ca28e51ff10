import { checkBooks } from './books.ts'
import type { Load } from './clients.ts'
import { startLoad } from './clients.ts'
import { dumpWorld, listLeft } from './dump.ts'
import { createInjector } from './inject.ts'
import type { Operators } from './operators.ts'
import { hireOperators } from './operators.ts'
import { createRandom } from './random.ts'
import type { LeftWork, Records, Violation } from './records.ts'
import { isGivenBack, SUCCEEDED } from './records.ts'
import type { Focus, Shape } from './schedule.ts'
import { planFaults } from './schedule.ts'
import { tellStory } from './story.ts'
import type { World, WorldOptions } from './world.ts'
import { LEASE_SECONDS, openWorld } from './world.ts'

export type RunOptions = WorldOptions & {
  readonly seed: number
  readonly durationMs: number
  readonly clients: number
  readonly focus?: Focus | undefined
  /** Time in which everything must settle when nothing disturbs it any more. */
  readonly settleMs?: number
}

export type Report = {
  readonly seed: number
  readonly violations: readonly Violation[]
  /** Story of the first violation of each kind. */
  readonly stories: readonly string[]
  readonly figures: Figures
}

export type Figures = {
  readonly seconds: number
  readonly payments: number
  readonly succeeded: number
  readonly failed: number
  readonly requests: number
  readonly unanswered: number
  readonly rejections: number
  /** Rejections by their remarks. */
  readonly rejectionKinds: Readonly<Record<string, number>>
  /** Payments with a quote. */
  readonly quoted: number
  readonly replays: number
  readonly faults: number
  /** Faults by their kind. */
  readonly faultKinds: Readonly<Record<string, number>>
  readonly callbacks: number
  readonly webhooks: number
  readonly operatorSteps: number
}

/** No link holds the bytes of an order for longer: “not found” is a proof only if orders arrive in a bounded time. */
const HELD_MAX_MS = 1_000
const SETTLE_MS = 150_000

export function shapeOf({ nodes, ownsDatabase }: Pick<WorldOptions, 'nodes' | 'ownsDatabase'>): Shape {
  return { nodes, suppliers: 2, leaseMs: LEASE_SECONDS * 1_000, heldMaxMs: HELD_MAX_MS, ownsDatabase }
}

/** Runs one world under load and faults, lets it settle, and compares all books. */
export async function runFaults(options: RunOptions): Promise<Report> {
  const world = await openWorld(options)
  try {
    const records = await disturbAndSettle(world, options)
    const violations = checkBooks(records)
    return {
      seed: options.seed,
      violations,
      stories: firstOfEach(violations).map((violation) => tellStory(records, violation, options.seed)),
      figures: figuresOf(records, world),
    }
  } finally {
    await world.close()
  }
}

async function disturbAndSettle(world: World, options: RunOptions): Promise<Records> {
  const random = createRandom(options.seed)
  const runName = `f${options.seed}`
  const operators = await hireOperators(world, random.fork('operators'), runName)
  const load = startLoad({
    nodes: world.nodes,
    resellers: world.resellers,
    clients: options.clients,
    random: random.fork('clients'),
    runName,
    payments: options.focus?.payments,
    nowMs: world.nowMs,
  })
  const injector = createInjector(world, load)
  const endMs = world.nowMs() + options.durationMs
  const isOver = () => world.nowMs() >= endMs
  await Promise.all([
    injector.run(planFaults(options.seed, shapeOf(options), options.durationMs, options.focus), isOver),
    operators.work(isOver),
  ])
  await injector.heal()
  const left = await settle(world, load, operators, options.settleMs ?? SETTLE_MS)
  const { exchanges, voids } = load
  const { events } = injector
  const sorted = [...events].sort((a, b) => a.atMs - b.atMs)
  const dump = await dumpWorld(world)
  return { ...dump, exchanges, voids, steps: operators.steps, events: sorted, deaths: world.deaths, left }
}

/** Parts of a world that settles. */
export type Settling = Pick<World, 'query' | 'resellers' | 'command' | 'nowMs'>

/**
 * Waits until nothing is left to do. An order that a supplier never received is sent again only when “not found” is a
 * proof: the accounts' test clocks are moved, but only when no order is under way.
 */
export async function settle(
  world: Settling,
  load: Load,
  operators: Pick<Operators, 'decideUndecided'>,
  settleMs: number,
): Promise<readonly LeftWork[]> {
  const deadlineMs = world.nowMs() + settleMs
  const finished = load.finish()
  let left: readonly LeftWork[] = []
  do {
    await pause(250)
    if (!(await isUnderway(world))) await advanceClocks(world)
    await operators.decideUndecided()
    left = await listLeft(world)
  } while ((left.length > 0 || load.open > 0) && world.nowMs() < deadlineMs)
  if (load.open > 0) load.abandon()
  await finished
  return left.length > 0 ? left : listLeft(world)
}

/** Tells whether an order may be on its way to a supplier: a node holds the payment. */
async function isUnderway({ query, resellers }: Settling): Promise<boolean> {
  const accounts = resellers.map(({ account }) => account)
  const rows = await query(
    `select from payment_work w join resellers r on r.id = w.reseller_id and r.account = any ($1)
      where w.is_leased limit 1`,
    [accounts],
  )
  return rows.length > 0
}

const ADVANCE_SECONDS = '61'

async function advanceClocks({ command, resellers }: Settling): Promise<void> {
  for (const { account } of resellers) {
    await command('clock', 'advance', '--reseller', account, '--seconds', ADVANCE_SECONDS)
  }
}

export function firstOfEach(violations: readonly Violation[]): Violation[] {
  const seen = new Set<string>()
  return violations.filter(({ check }) => !seen.has(check) && seen.add(check))
}

function figuresOf(records: Records, world: World): Figures {
  const { exchanges, payments } = records
  const countAnswers = (kind: string) => exchanges.filter(({ told }) => told.kind === kind).length
  return {
    seconds: Math.round(world.nowMs() / 1_000),
    payments: payments.length,
    succeeded: payments.filter(({ code }) => code === SUCCEEDED).length,
    failed: payments.filter(({ code }) => isGivenBack(code)).length,
    requests: exchanges.length,
    unanswered: countAnswers('unknown'),
    rejections: countAnswers('rejected'),
    rejectionKinds: countBy(
      exchanges.flatMap(({ told }) => (told.kind === 'rejected' ? [told.remarks] : [])),
    ),
    quoted: records.quotes.filter(({ paymentId }) => paymentId !== null).length,
    replays: exchanges.filter(({ isReplay }) => isReplay).length,
    faults: records.events.length,
    faultKinds: countBy(records.events.map(({ kind = 'other' }) => kind)),
    callbacks: records.received.length,
    webhooks: records.webhooks.length,
    operatorSteps: records.steps.length,
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
