import type { Database } from '../../db/database.ts'
import { getReseller } from '../accounts/service.ts'
import type { HighestThreshold } from './thresholds.sql.ts'
import { deleteFromHighest, findHighest, insertThreshold, lockThresholds } from './thresholds.sql.ts'
import type { Amount } from './types.ts'

export type Threshold = HighestThreshold & {
  /** The account's registered address. */
  readonly email: string
}

type Owner = { readonly id: bigint; readonly account: string }

export type Thresholds = {
  /** The highest; with none set its amount is null. */
  get(owner: Owner): Promise<Threshold>
  /** Puts one in the place of the highest: it is the highest afterwards. */
  set(owner: Owner, amount: Amount): Promise<Threshold>
}

export function createThresholds(database: Database): Thresholds {
  return {
    async get({ id, account }) {
      const { email } = await getReseller(database, account)
      return { ...(await findHighest(database, id)), email }
    },
    async set({ id, account }, amount) {
      return database.transaction(async (tx) => {
        const { email } = await getReseller(tx, account)
        await lockThresholds(tx, id)
        await deleteFromHighest(tx, id, amount)
        await insertThreshold(tx, id, amount)
        return { ...(await findHighest(tx, id)), email }
      })
    },
  }
}
