import type { EventRef } from '../types.ts'
import type { EventColumns } from './refs.rules.ts'
import { refOf } from './refs.rules.ts'

/** The event of a delivery's row. */
export type RefRow = EventColumns & {
  reseller_id: bigint
  event_id: string
  catalog_set_id: string | null
  catalog_position: number | null
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

/** Callbacks begin with the state after "accepted", so only the balance's event of a taken payment is delivered. */
export const DELIVERED_TAKEN_TYPE = 'balance.deducted'

export function refOfRow(row: RefRow): EventRef {
  const { catalog_set_id: setId, catalog_position: position } = row
  return refOf(row, {
    resellerId: row.reseller_id,
    eventId: row.event_id,
    takenType: DELIVERED_TAKEN_TYPE,
    location: setId === null || position === null ? undefined : { kind: 'set', setId, position },
  })
}
