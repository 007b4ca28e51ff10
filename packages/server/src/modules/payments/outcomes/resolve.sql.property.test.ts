import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { runs } from '../../../testing/runs.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { ResolveCommand } from './resolve.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

/** Model in memory of a payment and of the answers about it. */
type Model = {
  code: number
  attempt: number
  /** Attempt that succeeded; null: none, or not known which. */
  succeeded: number | null
  contradictions: Set<string>
  /** Attempt of the answer that decided; undefined: no answer has decided. */
  ended: number | null | undefined
  /** Attempts that a provider may carry out although the payment does not wait for them. */
  open: Set<number>
  /** Attempts whose failure was reported although it did not end the payment. */
  failed: Set<number>
}

type Message = {
  readonly kind: 'succeeded' | 'failed' | 'pending' | 'voided'
  readonly attempt: number | null
}

function apply(model: Model, message: Message): void {
  applyToAttempt(model, message)
  const { kind, attempt } = message
  const isOpen = model.code === 0 || model.code === 1
  if (kind === 'voided') {
    if (model.code === 20) model.code = 53
  } else if (isOpen) {
    if (kind === 'succeeded') {
      model.code = 20
      model.succeeded = attempt
      model.ended = attempt
    } else if (kind === 'failed' && attempt !== null && isWaiting(model)) {
      // The failure of the present attempt does not count while another one is undecided.
    } else if (attempt === null || attempt === model.attempt) {
      model.code = kind === 'failed' ? 48 : 1
      if (kind === 'failed') model.ended = attempt
    }
  } else if (contradicts(model, kind, attempt)) model.contradictions.add(`${kind} ${attempt}`)
}

/** Tells whether an attempt is undecided beside the present one. */
const isWaiting = ({ attempt, open }: Model) => [...open].some((each) => each !== attempt)

/** Updates the attempts that a message leaves open or closes. */
function applyToAttempt(model: Model, { kind, attempt }: Message): void {
  if (kind === 'voided' || attempt === null) return
  const isPresent = model.ended === undefined && attempt === model.attempt
  const isCounted = isPresent && !isWaiting(model)
  const isNoted = model.ended === undefined ? !isCounted : model.ended !== null && model.ended !== attempt
  if (kind === 'failed' && isNoted) model.failed.add(attempt)
  if (kind !== 'pending') {
    model.open.delete(attempt)
    if (kind === 'succeeded' && model.ended === undefined && !isPresent) model.open.add(model.attempt)
  } else if (
    attempt <= model.attempt &&
    !isPresent &&
    attempt !== model.ended &&
    !model.failed.has(attempt)
  ) {
    model.open.add(attempt)
  }
}

function contradicts(model: Model, kind: Message['kind'], attempt: number | null): boolean {
  if (kind === 'pending') return false
  if (model.code === 53) return kind === 'succeeded' && attempt !== null && isSecond(model, attempt)
  if (model.code === 48) return kind === 'succeeded'
  const isSameAttempt = attempt === null || model.succeeded === null || attempt === model.succeeded
  return kind === 'failed' ? isSameAttempt : !isSameAttempt
}

function isSecond({ succeeded }: Model, attempt: number): boolean {
  return succeeded !== null && succeeded !== attempt
}

const OUTCOMES: Record<Message['kind'], ResolveCommand['outcome']> = {
  succeeded: {
    kind: 'succeeded',
    output: { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' },
  },
  failed: { kind: 'failed', code: 48, reason: 'Rejected' },
  pending: { kind: 'pending' },
  voided: { kind: 'voided' },
}

const WORD = fc.record<Message>({
  kind: fc.constantFrom('succeeded', 'failed', 'pending', 'voided'),
  attempt: fc.constantFrom(null, 1, 1, 2, 3),
})
const STEP = fc.oneof({ weight: 5, arbitrary: WORD }, { weight: 1, arbitrary: fc.constant('begin' as const) })

it('each contradiction of the end is noted once, and a payment waits for each undecided attempt, in whatever order answers come', async () => {
  const reseller = await bench.newReseller(100_000_000n)
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 14 }), fc.boolean(), async (steps, isTogether) => {
      const payment = await payWith(node, reseller)
      const model: Model = {
        code: 0,
        attempt: 1,
        succeeded: null,
        contradictions: new Set(),
        ended: undefined,
        open: new Set(),
        failed: new Set(),
      }
      const { resellerId, id } = payment
      let last: Promise<unknown> = Promise.resolve()
      for (const step of steps) {
        if (step === 'begin') {
          await last
          const work = { reseller_id: resellerId, payment_id: id, attempt: model.attempt }
          const begun = await beginAttempt(bench.database, work, 60_000, 'as a test')
          if (isWaiting(model)) expect(begun).toBeUndefined()
          if (begun !== undefined) model.attempt += 1
          continue
        }
        apply(model, step)
        const { attempt } = step
        const command = { resellerId, id, outcome: OUTCOMES[step.kind], nextMs: 1_000 }
        // Answers about one payment are applied in the order in which they were submitted, also within one batch.
        last = node.resolver.submit(attempt === null ? command : { ...command, attempt })
        if (!isTogether) await last
      }
      await last
      const changes = await listChanges(bench.database, resellerId, id, 1_000)
      const noted = changes.filter(({ kind }) => kind === 'contradiction').length
      const open = await openAttemptsOf(payment)
      expect({ code: await bench.codeOf(payment), noted, open }).toEqual({
        code: model.code,
        noted: model.contradictions.size,
        open: [...model.open].sort(),
      })
    }),
    { numRuns: runs(150) },
  )
  await expectSoundMoney(bench.database)
})

async function openAttemptsOf({ resellerId, id }: Payment): Promise<number[]> {
  const { rows } = await bench.database.query<{ attempt: number }>(
    'select attempt from payment_open_attempts where reseller_id = $1 and payment_id = $2 order by attempt',
    [resellerId, id],
  )
  return rows.map(({ attempt }) => attempt)
}
