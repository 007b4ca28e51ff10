import { readWithin } from '../../../db/bounded.ts'
import type { Reader } from '../../../db/standby/reader.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { Totals } from '../read/history.rules.ts'
import { possibleDays, totalsOf } from '../read/history.rules.ts'
import { sumParts } from './parts.sql.ts'
import type { PartKind, PartSum } from './parts.types.ts'

/** Limit of the statement: it holds a connection that payments need. */
const TIMEOUT_MS = 8_000

/** Sums a reseller's payments of some days by product, hour or seller. Parts without payments are left out. */
export async function sumSalesBy(
  reader: Pick<Reader, 'transaction'>,
  resellerId: bigint,
  wanted: DayRange,
  kind: PartKind | 'product',
): Promise<ReadonlyMap<string, Totals>> {
  const days = possibleDays(wanted)
  if (days === undefined) return new Map()
  const sums = await readWithin(reader, TIMEOUT_MS, (tx) => sumParts(tx, resellerId, days, kind))
  const byPart = new Map<string, PartSum[]>()
  for (const sum of sums) byPart.set(sum.part, [...(byPart.get(sum.part) ?? []), sum])
  return new Map([...byPart].map(([part, each]) => [part, totalsOf(each)]))
}
