import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../testing/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../testing/payments.ts'
import type { ResolveCommand } from './resolve.service.ts'
import { listChanges } from './sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

/** What a payment is and was said to be, in memory. */
type Model = {
  code: number
  attempt: number
  /** The attempt that succeeded, as far as anybody said which. */
  succeeded: number | null
  contradictions: Set<string>
}

type Word = { readonly kind: 'succeeded' | 'failed' | 'pending' | 'voided'; readonly attempt: number | null }

function hear(model: Model, { kind, attempt }: Word): void {
  const isOpen = model.code === 0 || model.code === 1
  if (kind === 'voided') {
    if (model.code === 20) model.code = 53
  } else if (isOpen) {
    if (kind === 'succeeded') {
      model.code = 20
      model.succeeded = attempt
    } else if (attempt === null || attempt === model.attempt) model.code = kind === 'failed' ? 48 : 1
  } else if (contradicts(model, kind, attempt)) model.contradictions.add(`${kind} ${attempt}`)
}

function contradicts(model: Model, kind: Word['kind'], attempt: number | null): boolean {
  if (kind === 'pending' || model.code === 53) return false
  if (model.code === 48) return kind === 'succeeded'
  const isSameAttempt = attempt === null || model.succeeded === null || attempt === model.succeeded
  return kind === 'failed' ? isSameAttempt : !isSameAttempt
}

const OUTCOMES: Record<Word['kind'], ResolveCommand['outcome']> = {
  succeeded: {
    kind: 'succeeded',
    output: { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' },
  },
  failed: { kind: 'failed', code: 48, reason: 'Rejected' },
  pending: { kind: 'pending' },
  voided: { kind: 'voided' },
}

const WORD = fc.record<Word>({
  kind: fc.constantFrom('succeeded', 'failed', 'pending', 'voided'),
  attempt: fc.constantFrom(null, 1, 1, 2, 3),
})
const STEP = fc.oneof({ weight: 5, arbitrary: WORD }, { weight: 1, arbitrary: fc.constant('begin' as const) })

it('whatever is said in whatever order, exactly what speaks against the end is noted, each thing once', async () => {
  const reseller = await bench.newReseller(100_000_000n)
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 14 }), fc.boolean(), async (steps, isTogether) => {
      const payment = await payWith(node, reseller)
      const model: Model = { code: 0, attempt: 1, succeeded: null, contradictions: new Set() }
      const { resellerId, id } = payment
      let last: Promise<unknown> = Promise.resolve()
      for (const step of steps) {
        if (step === 'begin') {
          await last
          const begun = await begin(resellerId, id)
          if (begun) model.attempt += 1
          continue
        }
        hear(model, step)
        const { attempt } = step
        const command = { resellerId, id, outcome: OUTCOMES[step.kind], nextMs: 1_000 }
        // In one batch, words about one payment are heard in the order in which they were said.
        last = node.resolver.submit(attempt === null ? command : { ...command, attempt })
        if (!isTogether) await last
      }
      await last
      const changes = await listChanges(bench.database, resellerId, id, 1_000)
      const noted = changes.filter(({ kind }) => kind === 'contradiction').length
      expect({ code: await bench.codeOf(payment), noted }).toEqual({
        code: model.code,
        noted: model.contradictions.size,
      })
    }),
    { numRuns: 150 },
  )
  await expectSoundMoney(bench.database)
})

/** As far as resolving is concerned; false when nobody works on the payment any more. */
async function begin(resellerId: bigint, id: bigint): Promise<boolean> {
  const { rowCount } = await bench.database.query(
    'update payment_work set attempt = attempt + 1 where reseller_id = $1 and payment_id = $2',
    [resellerId, id],
  )
  return rowCount > 0
}
