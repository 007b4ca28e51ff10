import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAILURE_CODES } from '../../lib/failure-codes.ts'
import { leaseNowMs } from '../../lib/lease-time.ts'
import type { Order, QueryAnswer, SubmitOutcome } from '../../modules/providers/port/types.ts'
import { describeAskingAgain, describeWithoutQuery } from './provider-answers.ts'
import type {
  Capability,
  Fate,
  Fault,
  Inabilities,
  Inability,
  OpenBench,
  ProviderBench,
} from './provider-bench.ts'
import { CAPABILITIES, FATES, FAULTS } from './provider-bench.ts'
import { describeCapabilities } from './provider-capabilities.ts'
import type { Suite } from './provider-checks.ts'
import {
  expectNothingSecret,
  expectSucceeded,
  freeze,
  GIVE_UP_MS,
  never,
  submit,
  submitUntilReceived,
} from './provider-checks.ts'

/**
 * Suite that every connector passes. Each test has its own bench. What the far side or the connector cannot do is
 * declared in `cannot` with a reason, and is shown as a test.
 */
export function describeProviderConformance(
  name: string,
  openBench: OpenBench,
  cannot: Inabilities = {},
): void {
  describe(`${name} as a provider`, () => {
    let bench: ProviderBench

    beforeEach(async () => {
      bench = await openBench()
    })

    afterEach(() => bench.close())

    const suite: Suite = { bench: () => bench, can: (what) => cannot[what] === undefined }
    describeDeclarations(suite, cannot)
    if (!suite.can('query')) {
      describeWithoutQuery(suite)
      describeCapabilities(suite)
      return
    }
    describeAskingAgain(suite)
    describeOrders(suite)
    describeRepetition(suite)
    describeSecondSending(suite)
    describeTime(suite)
    describeFaults(suite)
    describeAborts(suite)
    describeCapabilities(suite)
  })
}

// ── Description ──

function describeDeclarations(suite: Suite, cannot: Inabilities): void {
  it('has a code, deadlines and limits that a dispatcher can work with', () => {
    const { provider } = suite.bench()
    expect(provider.code).toMatch(/^[a-z][a-z0-9_-]{0,49}$/)
    for (const ms of [provider.submitTimeoutMs, provider.queryTimeoutMs]) {
      expect(ms).toBeGreaterThan(0)
      expect(ms).toBeLessThanOrEqual(600_000)
    }
    expect(Number.isInteger(provider.concurrencyMax) && provider.concurrencyMax > 0).toBe(true)
    expect(provider.ratePerSecond === null || provider.ratePerSecond > 0).toBe(true)
    expect(provider.notFoundProvesAfterMs === null || provider.notFoundProvesAfterMs >= 0).toBe(true)
  })

  it('says whether a reference may be sent again, and the suite was told the same', () => {
    const { repeatsReference } = suite.bench().provider
    expect(repeatsReference, 'declare repeat_reference away, with the reason').toBe(
      suite.can('repeat_reference'),
    )
  })

  const declared = Object.entries(cannot) as [Inability, string][]
  for (const [what, reason] of declared) {
    it(`is not shown ${what}: ${reason}`, async () => {
      expect(reason.trim()).not.toBe('')
      await expectImpossible(suite.bench(), what)
    })
  }
}

async function expectImpossible(bench: ProviderBench, what: Inability): Promise<void> {
  const { provider } = bench
  if (isOneOf<Capability>(CAPABILITIES, what)) {
    expect(provider[what], 'it has the capability: take the declaration out').toBeUndefined()
  } else if (isOneOf<Fate>(FATES, what)) {
    await expect(bench.order(what), 'it can be arranged: take the declaration out').rejects.toThrow()
  } else if (isOneOf<Fault>(FAULTS, what)) {
    await expect(
      bench.spoil('submit', what),
      'it can be arranged: take the declaration out',
    ).rejects.toThrow()
  } else if (what === 'repeat_reference') {
    const order = await bench.order('succeeds')
    await submit(bench, order)
    const { kind } = await submit(bench, order)
    expect(kind, 'it takes it again: take the declaration out').not.toBe('succeeded')
  } else if (what === 'query') {
    expect(provider.canBeAsked, 'it can be asked: take the declaration out').toBe(false)
  } else if (what === 'not_found') {
    const { kind } = await provider.query(await bench.order('succeeds'), never())
    expect(kind, 'it does say so: take the declaration out').not.toBe('not_found')
  } else {
    const counted = bench.countActs(await bench.order('succeeds'))
    await expect(counted, 'it can be counted: take the declaration out').rejects.toThrow()
  }
}

function isOneOf<T extends string>(list: readonly string[], value: string): value is T {
  return list.includes(value)
}

// ── Orders without faults ──

function describeOrders({ bench, can }: Suite): void {
  it('an order that succeeds gives its output, and is found so afterwards', async () => {
    const { provider, order } = bench()
    const good = await order('succeeds')
    const outcome = await submit(bench(), good)
    expectSucceeded(outcome)
    expect(await provider.query(good, never())).toEqual(outcome)
  })

  for (const code of FAILURE_CODES.filter((each) => can(`fails_${each}`))) {
    it(`a failure with ${code} is failed or not acted on, and never found as a success`, async () => {
      const bad = await bench().order(`fails_${code}`)
      const outcome = await submit(bench(), bad)
      expect(['failed', 'not_acted']).toContain(outcome.kind)
      expect(outcome).toMatchObject({ code, reason: expect.stringMatching(/./) })
      const answer = await bench().provider.query(bad, never())
      if (outcome.kind === 'failed') expect(answer).toMatchObject({ kind: 'failed', code })
      else expect(['not_found', 'unknown', 'failed']).toContain(answer.kind)
    })
  }

  if (can('pending_then_succeeds')) {
    it('an order that is pending stays so until it is decided, and then gives its output', async () => {
      const late = await bench().order('pending_then_succeeds')
      expect(await submit(bench(), late)).toMatchObject({ kind: 'pending' })
      expect(await bench().provider.query(late, never())).toMatchObject({ kind: 'pending' })
      await bench().decide(late)
      expectSucceeded(await bench().provider.query(late, never()))
    })
  }

  if (can('pending_then_fails')) {
    it('an order that is pending can fail', async () => {
      const late = await bench().order('pending_then_fails')
      expect(await submit(bench(), late)).toMatchObject({ kind: 'pending' })
      await bench().decide(late)
      expect(await bench().provider.query(late, never())).toMatchObject({ kind: 'failed' })
    })
  }

  if (can('never_known')) {
    it('an order of which nobody can say what became is unknown, and not called not found', async () => {
      const lost = await bench().order('never_known')
      expect((await submitUntilReceived(bench(), lost, can('count_acts'))).kind).toBe('unknown')
      expect((await bench().provider.query(lost, never())).kind).toBe('unknown')
    })
  }

  if (can('not_acted')) {
    it('an order that is refused without acting is not acted on', async () => {
      const refused = await bench().order('not_acted')
      const outcome = await submit(bench(), refused)
      expect(outcome).toMatchObject({ kind: 'not_acted', reason: expect.stringMatching(/./) })
      expect(FAILURE_CODES).toContain('code' in outcome ? outcome.code : undefined)
      if (can('count_acts')) expect(await bench().countActs(refused)).toBe(0)
    })
  }

  if (can('not_found')) {
    it('an order that was never sent is not found, or unknown where that proves nothing', async () => {
      const { provider, order } = bench()
      const { kind } = await provider.query(await order('succeeds'), never())
      const provesNothing = provider.notFoundProvesAfterMs === null
      expect(provesNothing ? ['not_found', 'unknown'] : ['not_found']).toContain(kind)
    })
  }
}

// ── Orders that are repeated ──

const AT_ONCE = 10

function describeRepetition({ bench, can }: Suite): void {
  it('one reference submitted twice is acted on once, and the second answer does not contradict the first', async () => {
    const order = await bench().order('succeeds')
    const first = await submit(bench(), order)
    const second = await submit(bench(), order)
    expectSucceeded(first)
    if (second.kind === 'succeeded') expect(second).toEqual(first)
    else expect(second.kind).toBe('unknown')
    if (can('count_acts')) expect(await bench().countActs(order)).toBe(1)
  })

  it('one reference submitted many times at once is acted on once', async () => {
    const order = await bench().order('succeeds')
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => submit(bench(), order)))
    for (const { kind } of outcomes) expect(['succeeded', 'pending', 'unknown']).toContain(kind)
    if (can('count_acts')) expect(await bench().countActs(order)).toBe(1)
    expectSucceeded(await bench().provider.query(order, never()))
  })

  const bad = FAILURE_CODES.find((code) => can(`fails_${code}`))
  if (bad !== undefined) {
    it('orders at once do not take each other’s answers', async () => {
      const fates = Array.from(
        { length: AT_ONCE },
        (_, n): Fate => (n % 2 === 0 ? 'succeeds' : `fails_${bad}`),
      )
      const orders: Order[] = []
      for (const fate of fates) orders.push(await bench().order(fate))
      const outcomes = await Promise.all(orders.map((order) => submit(bench(), order)))
      for (const [n, outcome] of outcomes.entries()) {
        if (n % 2 === 0) expectSucceeded(outcome)
        else expect(outcome).toMatchObject({ code: bad })
      }
      const serials = outcomes.flatMap((each) => (each.kind === 'succeeded' ? each.output.serialNumber : []))
      const given = serials.filter((serial) => serial !== '')
      expect(new Set(given).size).toBe(given.length)
    })
  }
}

/** Faults after which the far side does not know the order. */
const FAULTS_BEFORE_RECEIPT = ['drop_before', 'silence_before', 'error_before'] as const

/** Tests of an order that was perhaps sent, and is sent again with the same reference. */
function describeSecondSending({ bench, can }: Suite): void {
  if (!can('repeat_reference')) return
  for (const fault of FAULTS_BEFORE_RECEIPT.filter(can)) {
    it(`a reference that was lost by ${fault} is carried out when it is sent again, once`, async () => {
      const order = await bench().order('succeeds')
      await bench().spoil('submit', fault)
      await answerTo(bench(), fault, order, 'submit', can('count_acts'))
      await bench().mend()
      expectSucceeded(await submit(bench(), order))
      if (can('count_acts')) expect(await bench().countActs(order)).toBe(1)
    })
  }

  if (can('drop_after')) {
    it('a reference that was carried out without an answer is not carried out again when it is sent again', async () => {
      const order = await bench().order('succeeds')
      await bench().spoil('submit', 'drop_after')
      expect((await submit(bench(), order)).kind).toBe('unknown')
      const again = await submit(bench(), order)
      expect(['succeeded', 'unknown']).toContain(again.kind)
      if (can('count_acts')) expect(await bench().countActs(order)).toBe(1)
    })
  }

  const bad = FAILURE_CODES.find((code) => can(`fails_${code}`))
  if (bad !== undefined) {
    it('a reference that has failed stays so when it is sent again', async () => {
      const order = await bench().order(`fails_${bad}`)
      await submit(bench(), order)
      expect((await submit(bench(), order)).kind).not.toBe('succeeded')
    })
  }
}

// ── The time in which an order may leave ──

function describeTime({ bench, can }: Suite): void {
  it('an order whose time is over does not leave, and is unsent', async () => {
    const order = await bench().order('succeeds')
    const outcome = await bench().provider.submit(order, never(), leaseNowMs() - 1)
    expect(outcome).toMatchObject({ kind: 'unsent', reason: expect.stringMatching(/./) })
    // Without a network nothing is sent: the item was sold when the payment was taken, and is only read.
    if (can('refused') && can('count_acts')) expect(await bench().countActs(order)).toBe(0)
  })

  // Work in this process is done before anything can freeze it (no timer, no answer, no connection): it needs a network.
  if (can('refused')) {
    it('an order whose time ends while the process is frozen does not leave', async () => {
      const order = await bench().order('succeeds')
      const submitted = bench().provider.submit(order, never(), leaseNowMs() + 50)
      freeze(100)
      expect((await submitted).kind).toBe('unsent')
      if (can('count_acts')) expect(await bench().countActs(order)).toBe(0)
    })
  }

  it('an order that has the time is sent', async () => {
    const order = await bench().order('succeeds')
    expectSucceeded(await bench().provider.submit(order, never(), leaseNowMs() + 60_000))
  })
}

// ── Failures of the network ──

/** True for faults after which the far side has acted, although it did not say so. */
const ACTED: Readonly<Record<Fault, boolean>> = {
  error_before: false,
  error_after: true,
  garbage: true,
  echo: true,
  huge: true,
  truncated: true,
  drop_before: false,
  drop_after: true,
  silence_before: false,
  silence_after: true,
  refused: false,
}

function describeFaults(suite: Suite): void {
  for (const fault of FAULTS.filter(suite.can)) {
    describe(`when it meets ${fault}`, () => {
      submissionMeets(suite, fault)
      questionMeets(suite, fault)
    })
  }
}

function submissionMeets({ bench, can }: Suite, fault: Fault): void {
  it('a submission is neither succeeded nor failed, says nothing secret, and asking tells what is true', async () => {
    const order = await bench().order('succeeds')
    await bench().spoil('submit', fault)
    const outcome = await answerTo(bench(), fault, order, 'submit', can('count_acts'))
    // An answer that is right and can be read to its end counts as right.
    const allowed =
      fault === 'huge' ? ['unknown', 'succeeded'] : ACTED[fault] ? ['unknown'] : ['unknown', 'not_acted']
    expect(allowed).toContain(outcome.kind)
    expectNothingSecret(bench(), outcome)
    await bench().mend()
    if (can('count_acts')) expect(await bench().countActs(order)).toBe(ACTED[fault] ? 1 : 0)
    const found = await bench().provider.query(order, never())
    if (ACTED[fault]) expectSucceeded(found)
    else expect(['not_found', 'unknown']).toContain(found.kind)
    expectSucceeded(await submit(bench(), await bench().order('succeeds')))
  })
}

function questionMeets({ bench, can }: Suite, fault: Fault): void {
  it('a question is unknown, and never not found', async () => {
    const order = await bench().order('succeeds')
    await submit(bench(), order)
    await bench().spoil('query', fault)
    const answer = await answerTo(bench(), fault, order, 'query', can('count_acts'))
    expect(fault === 'huge' ? ['unknown', 'succeeded'] : ['unknown']).toContain(answer.kind)
    expectNothingSecret(bench(), answer)
    await bench().mend()
    expectSucceeded(await bench().provider.query(order, never()))
  })
}

/** Returns the answer under a fault. A silent far side is given up, as the dispatcher does at the deadline. */
async function answerTo(
  bench: ProviderBench,
  fault: Fault,
  order: Order,
  place: 'submit' | 'query',
  countsActs: boolean,
): Promise<SubmitOutcome | QueryAnswer> {
  if (fault === 'silence_after' && place === 'submit') return submitUntilReceived(bench, order, countsActs)
  if (fault !== 'silence_before' && fault !== 'silence_after') return bench.provider[place](order, never())
  return bench.provider[place](order, AbortSignal.timeout(GIVE_UP_MS))
}

// ── Deadlines ──

function describeAborts({ bench, can }: Suite): void {
  it('a signal that is over before it begins ends it, and nothing is claimed', async () => {
    const order = await bench().order('succeeds')
    const outcome = await bench().provider.submit(order, AbortSignal.abort())
    // Work in this process may be done before the signal is checked.
    expect(['unknown', 'not_acted', 'succeeded']).toContain(outcome.kind)
    if (outcome.kind === 'succeeded') expect(await bench().provider.query(order, never())).toEqual(outcome)
    if (outcome.kind === 'not_acted' && can('count_acts')) expect(await bench().countActs(order)).toBe(0)
    expect(['unknown', 'not_found', 'succeeded']).toContain(
      (await bench().provider.query(order, AbortSignal.abort())).kind,
    )
  })

  if (can('silence_after')) {
    it('a submission that hangs ends when its signal does, and the next one is served', async () => {
      const order = await bench().order('succeeds')
      await bench().spoil('submit', 'silence_after')
      expect((await submitUntilReceived(bench(), order, can('count_acts'))).kind).toBe('unknown')
      expectSucceeded(await submit(bench(), await bench().order('succeeds')))
    })
  }
}
