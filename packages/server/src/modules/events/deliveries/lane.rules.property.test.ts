import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../testing/runs.ts'
import type { Bearing } from './attempt.rules.ts'
import type { DueDelivery, ReadyDelivery, Target } from './deliveries.types.ts'
import { firstHealth, healthAfter } from './health.rules.ts'
import type { Lane, LaneTotals } from './lane.rules.ts'
import {
  begin,
  change,
  createLane,
  createTotals,
  drop,
  end,
  offer,
  QUIET_MS,
  quiet,
  renew,
  rest,
  STALE_MS,
  settle,
  withdraw,
} from './lane.rules.ts'

// Random sequences of transitions in several lanes of one node, against a model that keeps each delivery by itself:
// counts are lengths of lists there, so they cannot be wrong.

const LANES = 2
const RUNS = runs(400)
const LEASE_MS = 3_000
const WAIT_MS = 600

type Step = {
  readonly kind: (typeof OFTEN)[number] | (typeof SELDOM)[number] | 'drop'
  readonly lane: number
  readonly bearing: Bearing | undefined
  readonly isFailing: boolean
}

const OFTEN = ['offer', 'offer', 'begin', 'begin', 'end', 'settle', 'quiet'] as const
const SELDOM = ['change', 'withdraw', 'rest', 'renew', 'wait', 'wait'] as const

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...OFTEN) },
    { weight: 12, arbitrary: fc.constantFrom(...SELDOM) },
    { weight: 1, arbitrary: fc.constant('drop' as const) },
  ),
  lane: fc.nat(LANES - 1),
  bearing: fc.constantFrom('well', 'well', 'well', 'neutral', 'strained', 'silent', undefined),
  isFailing: fc.nat(5).map((drawn) => drawn === 0),
})

type Model = {
  queued: ReadyDelivery[]
  underway: ReadyDelivery[]
  ended: ReadyDelivery[]
  window: number
  isProven: boolean
  activeAtMs: number
  leaseEndsMs: number
  changes: number
  isHeld: boolean
}

let made = 0

function newReady(readAtMs: number, isFailing: boolean): ReadyDelivery {
  made += 1
  const target = { url: 'https://shop.example/', method: 'POST', isFailing } as Target
  return { kind: 'send', delivery: { id: String(made) } as DueDelivery, readAtMs, target, text: '' }
}

function modelBegin(model: Model, nowMs: number): boolean {
  const [first] = model.queued
  if (!model.isHeld || first === undefined || model.underway.length >= model.window) return false
  if (nowMs - first.readAtMs > STALE_MS || nowMs > model.leaseEndsMs) return false
  if (model.underway.length === 0) model.activeAtMs = nowMs
  model.underway.push(first)
  model.queued = model.queued.slice(1)
  return true
}

/** Makes a step in the model. False: it is illegal there, and nothing has changed. */
function modelStep(model: Model, { kind, bearing }: Step, nowMs: number, ready: ReadyDelivery): boolean {
  switch (kind) {
    case 'offer':
      if (!model.isHeld) return false
      model.queued.push(ready)
      if (ready.kind === 'send' && ready.target.isFailing && !model.isProven && model.underway.length === 0) {
        Object.assign(model, firstHealth(true))
      }
      return true
    case 'begin':
      return modelBegin(model, nowMs)
    case 'end': {
      const ended = model.underway.pop()
      if (ended === undefined) return false
      model.ended.push(ended)
      model.activeAtMs = nowMs
      if (bearing !== undefined) Object.assign(model, healthAfter(model, bearing))
      return true
    }
    case 'settle':
      return model.ended.pop() !== undefined
    case 'quiet':
      if (!model.isProven || model.underway.length === 0 || nowMs - model.activeAtMs <= QUIET_MS) return false
      model.isProven = false
      return true
    case 'drop':
    case 'change':
      if (!model.isHeld) return false
      model.queued = []
      model.isHeld = kind === 'change'
      if (kind === 'change') model.changes += 1
      return true
    case 'renew':
      if (model.isHeld) model.leaseEndsMs = nowMs + LEASE_MS
      return model.isHeld
    case 'withdraw':
      model.queued = []
      return true
    case 'rest':
      return model.isHeld
    case 'wait':
      return true
  }
}

function laneStep(lane: Lane, { kind, bearing }: Step, nowMs: number, ready: ReadyDelivery): unknown {
  switch (kind) {
    case 'offer':
      return offer(lane, ready)
    case 'begin':
      return begin(lane, nowMs)
    case 'end':
      return end(lane, nowMs, bearing)
    case 'settle':
      return settle(lane)
    case 'quiet':
      return quiet(lane, nowMs)
    case 'drop':
      return drop(lane)
    case 'change':
      return change(lane)
    case 'withdraw':
      return withdraw(lane)
    case 'renew':
      return renew(lane, nowMs + LEASE_MS)
    case 'rest':
      return rest(lane, nowMs)
    case 'wait':
      return undefined
  }
}

/** One text for each lane: comparing it is much faster than comparing objects, and this is done after every step. */
const textOf = (parts: readonly unknown[]) => parts.map(String).join(' ')

const idsOf = (deliveries: readonly ReadyDelivery[]) => deliveries.map(({ delivery }) => delivery.id)

function laneText({
  queue,
  underway,
  unrecorded,
  health,
  activeAtMs,
  leaseEndsMs,
  changes,
  isHeld,
}: Lane): string {
  const { window, isProven } = health
  const state = [underway, unrecorded, window, isProven, activeAtMs, leaseEndsMs, changes, isHeld]
  return textOf([...state, ...idsOf(queue)])
}

function modelText(model: Model): string {
  const { queued, underway, ended, window, isProven, activeAtMs, leaseEndsMs, changes, isHeld } = model
  const unrecorded = underway.length + ended.length
  const state = [underway.length, unrecorded, window, isProven, activeAtMs, leaseEndsMs, changes, isHeld]
  return textOf([...state, ...idsOf(queued)])
}

function expectEqual(lanes: readonly Lane[], models: readonly Model[], totals: LaneTotals): void {
  expect(lanes.map(laneText).join('\n')).toBe(models.map(modelText).join('\n'))
  for (const lane of lanes) {
    if (lane.idleSinceMs !== undefined) expect(lane.queue.length + lane.unrecorded).toBe(0)
  }
  const underway = (some: readonly Model[]) => some.reduce((sum, model) => sum + model.underway.length, 0)
  expect(textOf([totals.underway, totals.unproven])).toBe(
    textOf([underway(models), underway(models.filter((model) => !model.isProven))]),
  )
}

it('counts and totals are those of the deliveries after any order of events, and only legal steps pass', () => {
  fc.assert(
    // Without a size, lists are short, and states that need many steps are never reached.
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const totals = createTotals()
      const health = firstHealth(false)
      const lanes = Array.from({ length: LANES }, (_, index) =>
        createLane({
          resellerId: BigInt(index),
          stream: 'balance',
          totals,
          leaseEndsMs: LEASE_MS,
          health,
        }),
      )
      const models = lanes.map(
        (): Model => ({
          queued: [],
          underway: [],
          ended: [],
          ...health,
          activeAtMs: 0,
          leaseEndsMs: LEASE_MS,
          changes: 0,
          isHeld: true,
        }),
      )
      let nowMs = 0
      for (const each of steps) {
        if (each.kind === 'wait') nowMs += WAIT_MS
        const ready = newReady(nowMs, each.isFailing)
        const lane = lanes[each.lane]
        const model = models[each.lane]
        if (lane === undefined || model === undefined) throw new Error('there is such a lane')
        const isLegal = modelStep(model, each, nowMs, ready)
        const take = () => laneStep(lane, each, nowMs, ready)
        if (isLegal) take()
        else expect(take).toThrow('assertion failed')
        expectEqual(lanes, models, totals)
      }
    }),
    { numRuns: RUNS },
  )
})
