import { describe, expect, it } from 'vitest'
import { FAILURE_CODES } from '../../lib/failure-codes.ts'
import type { Fault } from './provider-bench.ts'
import { FAULTS } from './provider-bench.ts'
import type { Suite } from './provider-checks.ts'
import { expectNothingSecret, expectSucceeded, never, submit } from './provider-checks.ts'

// Part of the conformance suite that checks if a provider can be queried again about an order. If it cannot, an answer
// that was received and not yet written is lost with `kill -9`, its PIN included.

export function describeAskingAgain({ bench }: Suite): void {
  it('can be asked again: what it answered is answered once more, PIN and all', async () => {
    const { provider } = bench()
    expect(provider.canBeAsked, 'it says that it cannot: declare `query` away').not.toBe(false)
    const order = await bench().order('succeeds')
    const answer = await submit(bench(), order)
    expectSucceeded(answer)
    expect(await provider.query(order, never())).toEqual(answer)
  })
}

/** Faults after which the supplier has acted, although its answer is lost. */
const ACTED: readonly Fault[] = ['error_after', 'garbage', 'truncated', 'drop_after']

/** Tests that replace all queries, for a provider whose `query` was declared away. */
export function describeWithoutQuery(suite: Suite): void {
  const { bench, can } = suite
  describe('says once what became of an order', () => {
    it('says of itself that it cannot be asked, so that a stop waits for its answers', () => {
      expect(bench().provider.canBeAsked).toBe(false)
      expect(bench().provider.notFoundProvesAfterMs).toBeNull()
    })

    it('an order that succeeds gives its output, and asked about it is unknown', async () => {
      const order = await bench().order('succeeds')
      expectSucceeded(await submit(bench(), order))
      expect((await bench().provider.query(order, never())).kind).toBe('unknown')
    })

    it('an order that was never sent is unknown, and never not found', async () => {
      const order = await bench().order('succeeds')
      expect((await bench().provider.query(order, never())).kind).toBe('unknown')
    })

    for (const code of FAILURE_CODES.filter((each) => can(`fails_${each}`))) {
      it(`a failure with ${code} is failed or not acted on`, async () => {
        const outcome = await submit(bench(), await bench().order(`fails_${code}`))
        expect(['failed', 'not_acted']).toContain(outcome.kind)
      })
    }

    for (const fault of FAULTS.filter((each) => can(each) && ACTED.includes(each))) {
      it(`a submission that meets ${fault} is unknown and says nothing secret`, async () => {
        const order = await bench().order('succeeds')
        await bench().spoil('submit', fault)
        const outcome = await submit(bench(), order)
        expect(outcome.kind).toBe('unknown')
        expectNothingSecret(bench(), outcome)
      })
    }
  })
}
