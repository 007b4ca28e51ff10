import type { PaymentCode } from '../payments/payment/types.ts'
import type { EventRef, EventSource } from './types.ts'

/** What deliveries hold of their event. */
export type RefRow = {
  reseller_id: bigint
  event_id: string
  source: EventSource
  subject: bigint
  code: PaymentCode | null
  amount: bigint | null
  balance: bigint | null
  type: string | null
  data: Record<string, unknown> | null
  catalog_set_id: string | null
  catalog_position: number | null
  at: Date
}

export const REF_COLUMNS = [
  'reseller_id',
  'event_id',
  'source',
  'subject',
  'code',
  'amount',
  'balance',
  'type',
  'data',
  'catalog_set_id',
  'catalog_position',
  'at',
] as const

export function refOf(row: RefRow): EventRef {
  const { catalog_set_id: setId, catalog_position: position } = row
  return {
    resellerId: row.reseller_id,
    eventId: row.event_id,
    source: row.source,
    subject: row.subject,
    code: row.code,
    amount: row.amount,
    balance: row.balance,
    // Of what was taken, deliveries tell the balance's event alone: callbacks begin with the next state.
    type: row.source === 'taken' ? 'balance.deducted' : row.type,
    data: row.data,
    position: null,
    catalogSet: setId === null || position === null ? null : { id: setId, position },
    at: row.at,
  }
}
