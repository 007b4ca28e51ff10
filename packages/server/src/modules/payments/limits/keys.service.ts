import type { DatabaseClock } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { dayOf, startOfDayMs } from '../../../lib/dates.ts'
import { assert } from '../../../lib/errors.ts'
import { getApiKeyById, listApiKeys } from '../../accounts/keys.service.ts'
import type { ApiKey, CountedKey, CountedKeys } from '../../accounts/types.ts'
import { spentByPurpose } from './service.ts'

/** Makes the reader of keys with what they have spent. Only those with a cap are counted. */
export function createCountedKeys(database: Database, clock: Pick<DatabaseClock, 'nowMs'>): CountedKeys {
  async function counted(resellerId: bigint, keys: readonly ApiKey[]): Promise<CountedKey[]> {
    const purposes = keys.filter((key) => isCapped(key)).map(({ purposeId }) => purposeId)
    const spent = await spentByPurpose(database, resellerId, [...new Set(purposes)])
    const dayEndsAt = new Date(startOfDayMs(dayOf(clock.nowMs()) + 1))
    return keys.map((key) => {
      const found = isCapped(key) ? spent.get(key.purposeId) : undefined
      const { today = null, month: thisMonth = null, dayEndsAt: resetsAt = dayEndsAt } = found ?? {}
      return { ...key, sums: { today, thisMonth, resetsAt } }
    })
  }
  return {
    async get(resellerId, keyId) {
      const [key] = await counted(resellerId, [await getApiKeyById(database, resellerId, keyId)])
      assert(key !== undefined, 'a key is counted as one')
      return key
    },
    list: async (resellerId) => counted(resellerId, await listApiKeys(database, resellerId)),
  }
}

function isCapped({ maxAmount, dailyCap, monthlyCap }: ApiKey): boolean {
  return maxAmount !== null || dailyCap !== null || monthlyCap !== null
}
