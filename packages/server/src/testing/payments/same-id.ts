import type { Payment } from '../../modules/payments/core/types.ts'
import type { CommandChange, Node, PaymentsBench } from './payments.ts'
import { payWith } from './payments.ts'

/**
 * Takes two payments of two resellers under one id. An id is the millisecond and a number of the sequence, so two
 * payments share one when both wallets are dated alike and the sequence gives its last number again.
 */
export async function payUnderOneId(
  bench: PaymentsBench,
  node: Node,
  changes: readonly [CommandChange, CommandChange],
): Promise<[Payment, Payment]> {
  const resellers = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)] as const
  await bench.database.query(
    `update wallets set last_entry_at = now() + interval '1 hour' where reseller_id = any ($1)`,
    [resellers],
  )
  const first = await payWith(node, resellers[0], changes[0])
  await bench.database.query(`select setval('payment_numbers', last_value, false) from payment_numbers`)
  const second = await payWith(node, resellers[1], changes[1])
  if (first.id !== second.id) throw new Error(`two ids: ${first.id} and ${second.id}`)
  return [first, second]
}
