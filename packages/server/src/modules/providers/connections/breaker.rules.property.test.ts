import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../testing/runs.ts'
import type { Breaker } from './breaker.rules.ts'
import {
  acceptsOrders,
  admit,
  createBreaker,
  measure,
  observe,
  stateOf,
  USUAL_BREAKER,
} from './breaker.rules.ts'
import type { Observation } from './routing.types.ts'

const SETTINGS = USUAL_BREAKER
const ANSWERED: Observation = { answer: 'succeeded', tookMs: 20 }
const REFUSED: Observation = { answer: 'failed', tookMs: 20, code: 48 }
const LOST: Observation = { answer: 'unknown', tookMs: 10 }
const UNREACHABLE: Observation = { answer: 'not_acted', tookMs: 1, code: 47 }
const OUT_OF_STOCK: Observation = { answer: 'not_acted', tookMs: 1, code: 45 }

function observed(breaker: Breaker, nowMs: number, ...observations: readonly Observation[]): Breaker {
  for (const each of observations) observe(breaker, each, nowMs)
  return breaker
}

const times = (count: number, each: Observation): Observation[] => Array.from({ length: count }, () => each)

describe('it opens', () => {
  it.each([
    ['no answer', LOST],
    ['no way to it', UNREACHABLE],
  ])('it opens at %s, repeated in a row', (_, ill) => {
    const breaker = observed(createBreaker(SETTINGS), 1_000, ...times(SETTINGS.failuresInARow - 1, ill))
    expect(stateOf(breaker, 1_000)).toBe('closed')
    expect(stateOf(observed(breaker, 1_000, ill), 1_000)).toBe('open')
    expect(admit(breaker, 1_000)).toBe('open')
    expect(acceptsOrders(breaker, 1_000)).toBe(false)
  })

  it('when half of enough orders are ill, though never many in a row', () => {
    const breaker = createBreaker(SETTINGS)
    for (let round = 0; round < SETTINGS.volumeMin / 2; round += 1) {
      expect(stateOf(breaker, 5_000)).toBe('closed')
      observed(breaker, 5_000, ANSWERED, LOST)
    }
    expect(stateOf(breaker, 5_000)).toBe('open')
  })

  it.each([
    ['refuses', REFUSED],
    ['is out of stock for', OUT_OF_STOCK],
    ['leaves pending', { answer: 'pending', tookMs: 5 } as const],
  ])('never for a provider that %s everything: it has answered', (_, answer) => {
    const breaker = observed(createBreaker(SETTINGS), 1_000, ...times(1_000, answer))
    expect(stateOf(breaker, 1_000)).toBe('closed')
  })

  it('never where it is only measured', () => {
    const breaker = observed(createBreaker(null), 1_000, ...times(1_000, LOST))
    expect(admit(breaker, 1_000)).toBe('send')
    expect(measure(breaker, 1_000)).toMatchObject({ state: 'closed', orders: 1_000, timeouts: 1_000 })
  })

  it('not for illness that is longer ago than the window', () => {
    const breaker = createBreaker({ ...SETTINGS, failuresInARow: 1_000 })
    observed(breaker, 1_000, ...times(SETTINGS.volumeMin - 1, LOST))
    observed(breaker, 40_000, LOST)
    expect(stateOf(breaker, 40_000)).toBe('closed')
    expect(measure(breaker, 40_000).orders).toBe(1)
  })
})

describe('it tries again', () => {
  function opened(): Breaker {
    return observed(createBreaker(SETTINGS), 1_000, ...times(SETTINGS.failuresInARow, LOST))
  }

  const RETRY_AT = 1_000 + SETTINGS.backOffMs

  it('after the back-off, with so many orders and no more until it knows', () => {
    const breaker = opened()
    expect(admit(breaker, RETRY_AT - 1)).toBe('open')
    const admitted = Array.from({ length: 10 }, () => admit(breaker, RETRY_AT))
    expect(admitted.filter((each) => each === 'send')).toHaveLength(SETTINGS.probes)
    expect(admitted.at(-1)).toBe('wait')
    expect(acceptsOrders(breaker, RETRY_AT)).toBe(false)
  })

  it('it is closed when all probes were answered', () => {
    const breaker = opened()
    for (let probe = 0; probe < SETTINGS.probes; probe += 1) expect(admit(breaker, RETRY_AT)).toBe('send')
    observed(breaker, RETRY_AT + 50, ...times(SETTINGS.probes - 1, ANSWERED))
    expect(stateOf(breaker, RETRY_AT + 50)).toBe('half_open')
    observed(breaker, RETRY_AT + 50, REFUSED)
    expect(stateOf(breaker, RETRY_AT + 50)).toBe('closed')
    // The earlier illness is forgotten.
    expect(stateOf(observed(breaker, RETRY_AT + 60, LOST), RETRY_AT + 60)).toBe('closed')
  })

  it('a probe that was not sent after all leaves its turn to another, and is not counted', () => {
    const breaker = opened()
    const before = measure(breaker, RETRY_AT)
    for (let probe = 0; probe < SETTINGS.probes; probe += 1) expect(admit(breaker, RETRY_AT)).toBe('send')
    expect(admit(breaker, RETRY_AT)).toBe('wait')
    observed(breaker, RETRY_AT + 5, { answer: 'unsent', tookMs: 5 })
    expect(measure(breaker, RETRY_AT + 5)).toMatchObject({ orders: before.orders, state: 'half_open' })
    expect(admit(breaker, RETRY_AT + 5)).toBe('send')
    expect(admit(breaker, RETRY_AT + 5)).toBe('wait')
  })

  it('it waits twice as long each time that the probes were in vain, up to a limit', () => {
    const breaker = opened()
    let now = 1_000
    const waits: number[] = []
    for (let round = 0; round < 8; round += 1) {
      const from = now
      while (admit(breaker, now) !== 'send') now += 100
      waits.push(now - from)
      now += 10
      observed(breaker, now, LOST)
    }
    expect(waits.map((wait) => Math.round(wait / 1_000))).toEqual([5, 10, 20, 40, 80, 120, 120, 120])
  })

  it('late answers of earlier orders change nothing', () => {
    const breaker = opened()
    expect(admit(breaker, RETRY_AT)).toBe('send')
    // Sent before the breaker opened, ended while it is half open.
    observed(breaker, RETRY_AT + 10, ...times(50, { answer: 'unknown', tookMs: 10_000 }))
    expect(stateOf(breaker, RETRY_AT + 10)).toBe('half_open')
    observed(breaker, RETRY_AT + 10, ...times(50, { answer: 'succeeded', tookMs: 10_000 }))
    expect(stateOf(breaker, RETRY_AT + 10)).toBe('half_open')
  })
})

it('measures success, trouble and time', () => {
  const breaker = createBreaker(SETTINGS)
  for (let order = 1; order <= 100; order += 1) {
    observe(breaker, { answer: 'succeeded', tookMs: order <= 90 ? 40 : 900 }, 3_000)
  }
  observed(breaker, 3_000, LOST, UNREACHABLE)
  const health = measure(breaker, 3_000)
  expect(health).toMatchObject({
    state: 'closed',
    orders: 102,
    timeouts: 1,
    notActed: 1,
    p50Ms: 50,
    p95Ms: 1_000,
  })
  expect(health.successRate).toBeCloseTo(100 / 102)
  expect(measure(createBreaker(SETTINGS), 3_000)).toMatchObject({ successRate: null, p95Ms: null })
})

// ── Any sequence of events ──

type Step = { kind: 'order'; tookMs: number } | { kind: 'pass'; ms: number }

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('order' as const), tookMs: fc.nat(3_000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(20_000) }) },
  ),
  { maxLength: 200 },
)

/** Simulates a provider that is well or ill for periods of time, and orders that end after a while. */
function simulate(drawn: readonly Step[], isIllAt: (ms: number) => boolean) {
  const breaker = createBreaker(SETTINGS)
  let now = 0
  let underway: { endsMs: number; tookMs: number; isIll: boolean }[] = []
  const settle = (until: number) => {
    const ended = underway.filter(({ endsMs }) => endsMs <= until).sort((a, b) => a.endsMs - b.endsMs)
    underway = underway.filter(({ endsMs }) => endsMs > until)
    for (const { endsMs, tookMs, isIll } of ended) {
      observe(breaker, { answer: isIll ? 'unknown' : 'succeeded', tookMs }, endsMs)
    }
    now = until
  }
  const sentAt: { ms: number; state: string }[] = []
  for (const step of drawn) {
    if (step.kind === 'pass') {
      settle(now + step.ms)
      continue
    }
    settle(now + 1)
    const before = stateOf(breaker, now)
    const mayPass = acceptsOrders(breaker, now)
    const admission = admit(breaker, now)
    expect(mayPass).toBe(admission === 'send')
    expect(admission === 'open').toBe(before === 'open')
    if (admission !== 'send') continue
    sentAt.push({ ms: now, state: before })
    underway.push({ endsMs: now + step.tookMs, tookMs: step.tookMs, isIll: isIllAt(now) })
  }
  return { breaker, sentAt, settle, now: () => now }
}

it('never sends more probes than it may while it does not know', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30_000 }), (drawn, stretch) => {
      const { sentAt } = simulate(drawn, (ms) => Math.floor(ms / stretch) % 2 === 0)
      let probes: number[] = []
      for (const { ms, state } of sentAt) {
        if (state !== 'half_open') {
          probes = []
          continue
        }
        probes = [...probes.filter((at) => ms - at < SETTINGS.backOffMs), ms]
        expect(probes.length).toBeLessThanOrEqual(SETTINGS.probes)
      }
    }),
    { numRuns: runs(300) },
  )
})

it('opens under illness, and recovers from whatever was, when the provider is well again', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const world = simulate(drawn, () => true)
      world.settle(world.now() + 10_000)
      let now = world.now()
      for (let order = 0; order < SETTINGS.failuresInARow; order += 1) {
        if (admit(world.breaker, now) === 'send') observe(world.breaker, LOST, now + 10)
        now += 10
      }
      expect(stateOf(world.breaker, now)).not.toBe('closed')
      now += SETTINGS.backOffMaxMs
      for (let order = 0; order < SETTINGS.probes; order += 1) {
        expect(admit(world.breaker, now)).toBe('send')
        observe(world.breaker, { answer: 'succeeded', tookMs: 5 }, now + 5)
        now += 10
      }
      expect(stateOf(world.breaker, now)).toBe('closed')
    }),
    { numRuns: runs(300) },
  )
})
