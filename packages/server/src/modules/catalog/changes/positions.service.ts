import type { Queryable } from '../../../db/database.ts'
import type { SetPart } from './positions.sql.ts'
import { findSetIds, listPositions } from './positions.sql.ts'

/**
 * How far an account has been told of a change. What comes is told set by set, and after it what goes, from the last
 * set to the first: each set is visited twice.
 */
export type Place = {
  /** From 0: the sets in their order, then the same sets backwards. */
  readonly visit: number
  /** Within the set. */
  readonly position: number
}

export type PlacedEvent = { readonly setId: string; readonly position: number }

export type PlacePage = {
  readonly events: readonly PlacedEvent[]
  /** Where to go on. */
  readonly place: Place
  readonly isLast: boolean
}

/** A page looks at these many sets at most, so that its cost does not follow from the size of the change. */
const VISITS_MAX = 4

/** The account's next events of a change by where they are stored, in the order in which it is told of them. */
export async function listPositionsOfChange(
  connection: Queryable,
  account: { readonly resellerId: bigint; readonly version: bigint },
  after: Place,
  limit: number,
): Promise<PlacePage> {
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

function partsFrom(setIds: readonly string[], { visit, position }: Place): SetPart[] {
  return [...setIds.map((setId) => ({ setId, isGoing: false })), ...setIds.toReversed().map(going)]
    .slice(visit, visit + VISITS_MAX)
    .map((part, index) => ({ ...part, after: index === 0 ? position : 0 }))
}

const going = (setId: string) => ({ setId, isGoing: true })
