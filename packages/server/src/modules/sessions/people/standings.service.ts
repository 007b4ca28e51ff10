import type { Queryable } from '../../../db/database.ts'
import type { MemberStanding } from './sql.ts'
import { listStandings } from './sql.ts'

export type Standing = MemberStanding

const NONE: Standing = { secondFactorAt: null, lastSeenAt: null }

/** Tells of each member whether a second factor protects them, and when they were last seen. */
export async function standingsOf(
  connection: Queryable,
  resellerId: bigint,
  userIds: readonly bigint[],
): Promise<(userId: bigint) => Standing> {
  const known = await listStandings(connection, resellerId, userIds)
  return (userId) => known.get(userId) ?? NONE
}
