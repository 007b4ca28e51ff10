import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LedgerBench } from '../../../testing/ledger.ts'
import { openChainedWallet, openLedgerBench, updateWallet, WALLET_ENTRIES } from '../../../testing/ledger.ts'
import { runs } from '../../../testing/runs.ts'

let bench: LedgerBench

beforeAll(async () => {
  bench = await openLedgerBench()
  // An attacker with all rights can also drop constraints.
  await bench.database.query('drop index transfers_one_refund')
})
afterAll(() => bench.close())

type Movement = { readonly kind: 'payment' | 'refund'; readonly amount: number; readonly paymentId: number }

const movements = fc.array(
  fc.record<Movement>({
    kind: fc.constantFrom('payment', 'refund'),
    amount: fc.constantFrom(5, 5, 5, 4),
    paymentId: fc.constantFrom(1, 2),
  }),
  { minLength: 1, maxLength: 5 },
)

/** Charges and refunds of a payment, in their order; right: one charge, and at most one refund of as much after it. */
function isRight(own: readonly Movement[]): boolean {
  const [charge, refund, ...others] = own
  if (charge === undefined) return true
  if (charge.kind !== 'payment' || others.length > 0) return false
  return refund === undefined || (refund.kind === 'refund' && refund.amount === charge.amount)
}

it('a payment is named exactly if it was not charged once and refunded in full afterwards or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(movements, async (drawn) => {
      const wallet = await openChainedWallet(bench)
      let [balance, sequence] = [40, WALLET_ENTRIES]
      for (const { kind, amount, paymentId } of drawn) {
        const signed = kind === 'payment' ? -amount : amount
        balance += signed
        sequence += 1
        await wallet.tamper(
          `insert into transfers
             (reseller_id, sequence, kind, house_account, amount, balance_after, remarks, payment_id)
           values ($1, ${sequence}, '${kind}', 'provider_clearing', ${signed}, ${balance}, '', ${paymentId})`,
        )
      }
      await wallet.tamper(updateWallet(`balance = ${balance}, sequence = ${sequence}`))
      const areRight = [1, 2].every((id) => isRight(drawn.filter(({ paymentId }) => paymentId === id)))
      expect((await wallet.firstBreak())?.kind).toBe(areRight ? undefined : 'payment')
    }),
    { numRuns: runs(60) },
  )
})
