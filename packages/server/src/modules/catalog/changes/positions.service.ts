import type { Queryable } from '../../../db/database.ts'
import type { SetPart } from './positions.sql.ts'
import { findSetIds, listPositions } from './positions.sql.ts'

/**
 * Position of an account within a change. Creations and updates come first, set by set; deletions follow, from
 * the last set to the first. So each set is visited twice.
 */
export type FanoutPosition = {
  /** Number of the visit, from 0: the sets in their order, then the same sets backwards. */
  readonly visit: number
  /** Position within the set. */
  readonly position: number
}

export type PositionedEvent = { readonly setId: string; readonly position: number }

export type PositionPage = {
  readonly events: readonly PositionedEvent[]
  /** Place where the next page continues. */
  readonly place: FanoutPosition
  readonly isLast: boolean
}

/** Limit of sets per page, so that the cost of a page does not depend on the size of the change. */
const VISITS_MAX = 4

/** Lists where the account's next events of a change are stored, in the order in which it gets them. */
export async function listPositionsOfChange(
  connection: Queryable,
  account: { readonly resellerId: bigint; readonly version: bigint },
  after: FanoutPosition,
  limit: number,
): Promise<PositionPage> {
  const setIds = (await findSetIds(connection, account.resellerId, account.version)) ?? []
  const parts = partsFrom(setIds, after)
  const found = await listPositions(connection, account.version, parts, limit)
  const events = found.map(({ part, position }) => ({ setId: parts[part]?.setId ?? '', position }))
  const last = found.at(-1)
  if (last !== undefined && found.length === limit) {
    return { events, place: { visit: after.visit + last.part, position: last.position }, isLast: false }
  }
  const visit = after.visit + parts.length
  return { events, place: { visit, position: 0 }, isLast: visit >= 2 * setIds.length }
}

function partsFrom(setIds: readonly string[], { visit, position }: FanoutPosition): SetPart[] {
  return [...setIds.map((setId) => ({ setId, isGoing: false })), ...setIds.toReversed().map(going)]
    .slice(visit, visit + VISITS_MAX)
    .map((part, index) => ({ ...part, after: index === 0 ? position : 0 }))
}

const going = (setId: string) => ({ setId, isGoing: true })
