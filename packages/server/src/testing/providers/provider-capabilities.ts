import { describe, expect, it } from 'vitest'
import type { CallbackReading, Provider } from '../../modules/providers/port/types.ts'
import type { CallbackFlaw, CallbackSample, Fault, FaultPoint, ProviderBench } from './provider-bench.ts'
import { CALLBACK_FLAWS, FAULTS } from './provider-bench.ts'
import type { Suite } from './provider-checks.ts'
import { expectNothingSecret, expectSucceeded, GIVE_UP_MS, never, submit } from './provider-checks.ts'

// Part of the conformance suite about the optional capabilities of a connector, besides orders.

export function describeCapabilities(suite: Suite): void {
  if (suite.can('voids')) describe('voids', () => describeVoids(suite))
  if (suite.can('bills')) describe('bills', () => describeBills(suite))
  if (suite.can('options')) describe('options', () => describeOptions(suite))
  if (suite.can('float')) describe('the float', () => describeFloat(suite))
  if (suite.can('callbacks')) describe('callbacks', () => describeCallbacks(suite))
  if (suite.can('health')) describe('health', () => describeHealth(suite))
}

/** Returns a part that the connector must have, because it was not declared away. */
function required<T>(part: T | undefined, what: string): T {
  if (part === undefined) throw new Error(`no ${what}: offer it, or declare it away with the reason`)
  return part
}

function describeVoids({ bench, can }: Suite): void {
  const capability = () => required(bench().provider.voids, 'voids')

  if (can('void_approved')) {
    it('a void that is asked for twice is one, and the answer stays', async () => {
      const order = await bench().order('void_approved')
      expectSucceeded(await submit(bench(), order))
      expect(await capability().requestVoid(order, never())).toEqual({ kind: 'approved' })
      expect(await capability().requestVoid(order, never())).toEqual({ kind: 'approved' })
      if (can('count_acts')) expect(await bench().countActs(order)).toBe(1)
    })
  }

  if (can('void_refused')) {
    it('a refusal says why, and stays', async () => {
      const order = await bench().order('void_refused')
      await submit(bench(), order)
      const answer = await capability().requestVoid(order, never())
      expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/./) })
      expect(await capability().requestVoid(order, never())).toEqual(answer)
    })
  }

  if (can('not_found')) {
    it('an order that was never sent is never said to be taken back', async () => {
      const order = await bench().order('succeeds')
      expect(['unknown', 'refused']).toContain((await capability().requestVoid(order, never())).kind)
    })
  }

  for (const fault of FAULTS.filter(can)) {
    it(`a request that meets ${fault} is unknown`, async () => {
      const order = await bench().order(can('void_approved') ? 'void_approved' : 'succeeds')
      await submit(bench(), order)
      const answer = await spoiled(bench(), 'void', fault, (signal) =>
        capability().requestVoid(order, signal),
      )
      expect(fault === 'huge' ? ['unknown', 'approved', 'refused', 'pending'] : ['unknown']).toContain(
        answer.kind,
      )
      expectNothingSecret(bench(), answer)
    })
  }
}

function describeBills({ bench, can }: Suite): void {
  const capability = () => required(bench().provider.bills, 'bills')
  const samples = () => required(bench().bills, 'sample bills')

  it('a bill, an account that does not exist and an outage are told apart', async () => {
    const { found, invalidAccount, unavailable } = samples()
    const bill = await capability().presentBill(found, never())
    expect(bill).toMatchObject({ kind: 'found', bill: expect.any(Object) })
    expect(await capability().presentBill(invalidAccount, never())).toEqual({ kind: 'invalid_account' })
    expect(await capability().presentBill(unavailable, never())).toMatchObject({ kind: 'unavailable' })
  })

  for (const fault of FAULTS.filter(can)) {
    it(`a question that meets ${fault} is unavailable, and never an invalid account`, async () => {
      const ask = (signal: AbortSignal) => capability().presentBill(samples().found, signal)
      const answer = await spoiled(bench(), 'bill', fault, ask)
      expect(fault === 'huge' ? ['unavailable', 'found'] : ['unavailable']).toContain(answer.kind)
      expectNothingSecret(bench(), answer)
    })
  }
}

function describeOptions({ bench, can }: Suite): void {
  const capability = () => required(bench().provider.options, 'options')
  const samples = () => required(bench().options, 'sample questions about options')

  it('choices have codes of their own, and an outage is told apart from none', async () => {
    const answer = await capability().listOptions(samples().found, never())
    if (answer.kind !== 'found') throw new Error(answer.reason)
    expect(answer.options.length).toBeGreaterThan(0)
    expect(new Set(answer.options.map(({ code }) => code)).size).toBe(answer.options.length)
    expect(await capability().listOptions(samples().unavailable, never())).toMatchObject({
      kind: 'unavailable',
    })
  })

  for (const fault of FAULTS.filter(can)) {
    it(`a question that meets ${fault} is unavailable`, async () => {
      const ask = (signal: AbortSignal) => capability().listOptions(samples().found, signal)
      const answer = await spoiled(bench(), 'options', fault, ask)
      expect(fault === 'huge' ? ['unavailable', 'found'] : ['unavailable']).toContain(answer.kind)
      expectNothingSecret(bench(), answer)
      // The account number may be an identity number or a phone number.
      expect(JSON.stringify('reason' in answer ? answer.reason : '')).not.toContain(
        samples().found.accountNumber,
      )
    })
  }
}

function describeFloat({ bench, can }: Suite): void {
  const capability = () => required(bench().provider.float, 'float')

  it('is an amount, and never more after an order than before it', async () => {
    const before = await capability().readFloat(never())
    expectSucceeded(await submit(bench(), await bench().order('succeeds')))
    const after = await capability().readFloat(never())
    if (before.kind !== 'known' || after.kind !== 'known') throw new Error('the float is not known')
    expect(after.amount).toBeLessThanOrEqual(before.amount)
  })

  for (const fault of FAULTS.filter(can)) {
    it(`a question that meets ${fault} is unknown, not zero`, async () => {
      const answer = await spoiled(bench(), 'float', fault, (signal) => capability().readFloat(signal))
      expect(fault === 'huge' ? ['unknown', 'known'] : ['unknown']).toContain(answer.kind)
      expectNothingSecret(bench(), answer)
    })
  }
}

function describeHealth({ bench, can }: Suite): void {
  const isHealthy = (signal: AbortSignal) => required(bench().provider.health, 'health').isHealthy(signal)

  it('is well when nothing is wrong', async () => {
    expect(await isHealthy(never())).toBe(true)
  })

  for (const fault of FAULTS.filter((each) => can(each) && (each === 'refused' || each === 'error_before'))) {
    it(`is ill when it meets ${fault}`, async () => {
      expect(await spoiled(bench(), 'health', fault, isHealthy)).toBe(false)
    })
  }
}

/** Makes one exchange with a fault. A silent one is given up. */
async function spoiled<T>(
  bench: ProviderBench,
  place: FaultPoint,
  fault: Fault,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await bench.spoil(place, fault)
  const isSilent = fault === 'silence_before' || fault === 'silence_after'
  const answer = await ask(isSilent ? AbortSignal.timeout(GIVE_UP_MS) : never())
  await bench.mend()
  return answer
}

// ── Callbacks ──

function describeCallbacks({ bench }: Suite): void {
  const samples = () => required(bench().callbacks, 'sample callbacks')
  const read = (sample: CallbackSample) => readCallback(bench().provider, samples(), sample)

  it('one that is signed is news of our reference, and the same again has the same id', async () => {
    const order = await bench().order('succeeds')
    const reading = expectNews(read({ order, says: 'succeeded' }))
    expect(reading.reference).toBe(order.reference)
    expect(reading.id).toMatch(/./)
    expect([null, 'succeeded']).toContain(reading.outcome?.kind ?? null)
    const amounts = [null, order.amount, order.faceValue]
    expect(amounts).toContain(reading.claimedAmount)
    expect(expectNews(read({ order, says: 'succeeded' })).id).toBe(reading.id)
  })

  it('different news of one order have different ids', async () => {
    const order = await bench().order('succeeds')
    const says = ['succeeded', 'failed', 'pending'] as const
    const readings = says.map((each) => expectNews(read({ order, says: each })))
    expect(new Set(readings.map(({ id }) => id)).size).toBe(says.length)
    for (const [n, { outcome }] of readings.entries())
      expect([null, says[n]]).toContain(outcome?.kind ?? null)
  })

  it.each(CALLBACK_FLAWS)('one with a flaw is refused, and the reason tells no secret: %s', async (flaw) => {
    const order = await bench().order('succeeds')
    const reading = read({ order, says: 'succeeded', flaw: flaw satisfies CallbackFlaw })
    expect(reading).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/./) })
    expectNothingSecret(bench(), reading)
  })

  it('any content is read without an exception', () => {
    const { callbacks } = bench().provider
    const bodies = ['', '{', 'null', '[]', '"text"', '0', '\u0000', '{"__proto__":{}}', '['.repeat(50_000)]
    for (const body of bodies) {
      const request = { headers: {}, query: '', body: Buffer.from(body) }
      expect(callbacks?.readCallback(request, samples().nowMs())).toMatchObject({ kind: 'refused' })
    }
  })
}

function readCallback(
  provider: Provider,
  { make, nowMs }: NonNullable<ProviderBench['callbacks']>,
  sample: CallbackSample,
): CallbackReading {
  return required(provider.callbacks, 'callbacks').readCallback(make(sample), nowMs())
}

function expectNews(reading: CallbackReading): Extract<CallbackReading, { kind: 'news' }> {
  if (reading.kind !== 'news')
    throw new Error(reading.kind === 'refused' ? `refused: ${reading.reason}` : 'a ping')
  return reading
}
