import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Repeatable, Repetition } from './repetition.rules.ts'
import { provenAnswer, repetitionOf, timesOf } from './repetition.rules.ts'

const LEASE_MS = 30_000
const TERMS = { minIntervalMs: 60_000, notAfterMs: 1_000_000 }
const TIMEOUT_MS = 10_000

/** A look at the payment: time since the last one, pauses of the process on the way to the first byte, and its death. */
const looks = fc.array(
  fc.record({
    afterMs: fc.nat(120_000),
    toCommitMs: fc.oneof(fc.nat(5_000), fc.nat(2_000_000)),
    toSendMs: fc.oneof(fc.nat(5_000), fc.nat(2_000_000)),
    toByteMs: fc.oneof(fc.nat(5_000), fc.nat(2_000_000)),
    dies: fc.boolean(),
  }),
  { maxLength: 40 },
)

it('no byte of a repeated order leaves after the supplier may have forgotten it, nor too close to the one before', () => {
  fc.assert(
    fc.property(looks, fc.nat(LEASE_MS), (all, firstByteMs) => {
      const bytes = [firstByteMs]
      let nowMs = 0
      let writtenMs = 0
      let wasLeased = true
      for (const { afterMs, toCommitMs, toSendMs, toByteMs, dies } of all) {
        // Another node claims the payment only when the lease before has ended.
        nowMs = Math.max(nowMs + afterMs, wasLeased ? writtenMs + LEASE_MS : 0)
        const times = { terms: TERMS, leaseMs: LEASE_MS, firstSentMsAgo: nowMs }
        const found = repetitionOf({ ...times, sentMsAgo: nowMs - writtenMs, wasLeased })
        if (found.kind === 'forgotten') expect(nowMs + LEASE_MS).toBeGreaterThan(TERMS.notAfterMs)
        if (found.kind !== 'now') continue
        const decidedMs = nowMs
        writtenMs = decidedMs + toCommitMs
        const leaseEndsMs = writtenMs + LEASE_MS
        nowMs = writtenMs + toSendMs
        const sent = timesOf({ ...times, decidedMs, nowMs, leaseEndsMs, queryTimeoutMs: TIMEOUT_MS })
        nowMs += toByteMs
        if (sent !== undefined && nowMs <= sent.notAfterMs) bytes.push(nowMs)
        wasLeased = dies
      }
      const distances = bytes.slice(1).map((at, index) => at - (bytes[index] as number))
      expect(Math.min(...distances, TERMS.minIntervalMs)).toBeGreaterThanOrEqual(
        TERMS.minIntervalMs - LEASE_MS,
      )
      expect(Math.max(...bytes)).toBeLessThanOrEqual(TERMS.notAfterMs)
    }),
  )
})

const order: Repeatable = {
  terms: TERMS,
  leaseMs: LEASE_MS,
  firstSentMsAgo: 500_000,
  sentMsAgo: 60_000,
  wasLeased: false,
}

it.each<[string, Partial<Repeatable>, Repetition]>([
  ['is sent when its distance is over', {}, { kind: 'now' }],
  ['waits for the rest of its distance', { sentMsAgo: 59_999.5 }, { kind: 'wait', waitMs: 1 }],
  [
    'waits for a lease more where nobody knows when it left',
    { wasLeased: true },
    { kind: 'wait', waitMs: 30_000 },
  ],
  ['is sent for the last time so that it leaves in time', { firstSentMsAgo: 970_000 }, { kind: 'now' }],
  ['is never sent when it might leave too late', { firstSentMsAgo: 970_001 }, { kind: 'forgotten' }],
])('an order that is asked about by sending it again %s', (_, change, expected) => {
  expect(repetitionOf({ ...order, ...change })).toEqual(expected)
})

it('a question that may take longer than its lease ends before it', () => {
  const sent = { ...order, decidedMs: 0, nowMs: 0, leaseEndsMs: LEASE_MS, queryTimeoutMs: 120_000 }
  expect(timesOf(sent)).toEqual({ timeoutMs: 22_500, notAfterMs: 22_500 })
  expect(timesOf({ ...sent, nowMs: 7_501 })).toBeUndefined()
})

it('a refusal counts when it is proven, and a supplier that was just sent the order knows it', () => {
  const refusal = { kind: 'not_acted', code: 47, reason: 'empty' } as const
  expect(provenAnswer(refusal, true)).toBe(refusal)
  expect(provenAnswer(refusal, false)).toEqual({ kind: 'pending' })
  expect(provenAnswer({ kind: 'not_found' }, true)).toEqual({ kind: 'pending' })
})
