import type { Queryable } from '../../db/database.ts'
import { listAccountNumbers } from './numbers.sql.ts'

/** The account numbers of resellers, suspended ones included. */
export type AccountNumbers = {
  of(resellerIds: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>
}

const KNOWN_MAX = 100_000

/** Caches account numbers. A number is given once and never changes, so a cached one stays true. */
export function createAccountNumbers(connection: Queryable): AccountNumbers {
  const known = new Map<bigint, string>()
  return {
    async of(resellerIds) {
      const numbers = new Map<bigint, string>()
      const unknown: bigint[] = []
      for (const id of new Set(resellerIds)) {
        const number = known.get(id)
        if (number === undefined) unknown.push(id)
        else numbers.set(id, number)
      }
      const found = unknown.length === 0 ? [] : await listAccountNumbers(connection, unknown)
      for (const { id, account } of found) {
        numbers.set(id, account)
        if (known.size < KNOWN_MAX) known.set(id, account)
      }
      return numbers
    },
  }
}
