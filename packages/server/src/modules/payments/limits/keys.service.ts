import type { DatabaseClock } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { dayOf, startOfDayMs } from '../../../lib/dates.ts'
import { assert } from '../../../lib/errors.ts'
import { getApiKeyById } from '../../accounts/keys.service.ts'
import type { ApiKey, KeySums, OwnKeys } from '../../accounts/types.ts'
import { spentByPurpose } from './service.ts'

/** Reads what keys have spent, in their order. Only those with a cap are counted. */
export async function sumsOf(
  database: Database,
  nowMs: number,
  resellerId: bigint,
  keys: readonly ApiKey[],
): Promise<readonly KeySums[]> {
  const capped = keys.filter((key) => isCapped(key)).map(({ purposeId }) => purposeId)
  const spent = await spentByPurpose(database, resellerId, [...new Set(capped)])
  return keys.map((key) => {
    const found = isCapped(key) ? spent.get(key.purposeId) : undefined
    if (found === undefined) return { today: null, thisMonth: null, resetsAt: endOfDay(nowMs) }
    return { today: found.today, thisMonth: found.month, resetsAt: found.dayEndsAt }
  })
}

function endOfDay(nowMs: number): Date {
  return new Date(startOfDayMs(dayOf(nowMs) + 1))
}

function isCapped({ maxAmount, dailyCap, monthlyCap }: ApiKey): boolean {
  return maxAmount !== null || dailyCap !== null || monthlyCap !== null
}

/** Makes the reader of keys for the programs that use them. */
export function createOwnKeys(database: Database, clock: Pick<DatabaseClock, 'nowMs'>): OwnKeys {
  return {
    async find(resellerId, keyId) {
      const key = await getApiKeyById(database, resellerId, keyId)
      const [sums] = await sumsOf(database, clock.nowMs(), resellerId, [key])
      assert(sums !== undefined, 'there are sums for each key')
      return { key, sums }
    },
  }
}
