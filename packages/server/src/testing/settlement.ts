import { performAlone } from '../modules/acts/service.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import { withdrawSettlement } from '../modules/settlement/acts.ts'
import { compareTouched } from '../modules/settlement/compare.service.ts'
import { findFile } from '../modules/settlement/sql.ts'
import type { SettlementFile } from '../modules/settlement/types.ts'
import type { PaymentsBench } from './payments/payments.ts'

/** Withdraws a file as the command does. */
export async function withdrawFrom(
  { database, vault }: PaymentsBench,
  id: bigint,
  reason: string,
): Promise<SettlementFile | undefined> {
  const log = createAuditLog({ database, vault })
  const caller = { kind: 'command', name: 'test' } as const
  await performAlone({ log, world: undefined }, withdrawSettlement, {
    caller,
    input: { file: String(id) },
    reason,
  })
  await compareTouched(database, id)
  return findFile(database, id)
}
