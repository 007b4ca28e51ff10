import type { Database } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { getReseller } from '../../accounts/service.ts'
import type { HighestThreshold } from './thresholds.sql.ts'
import {
  deleteFromHighest,
  deleteThreshold,
  findHighest,
  insertThreshold,
  listThresholdRows,
  lockThresholds,
} from './thresholds.sql.ts'

export type Threshold = HighestThreshold & {
  /** Registered e-mail address of the account. */
  readonly email: string
}

type Owner = { readonly id: bigint; readonly account: string }

export type Thresholds = {
  /** Returns the highest threshold. Its amount is null if none is set. */
  get(owner: Owner): Promise<Threshold>
  /** Replaces the highest threshold. The new one is then the highest. */
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

// ── Several thresholds: each has its own event when the balance falls below it ──

export type OneThreshold = { readonly amount: Amount; readonly at: Date }

const THRESHOLDS_MAX = 10

/** Lists thresholds, highest first. The API reads and writes the first one. */
export function listThresholds(database: Database, resellerId: bigint): Promise<OneThreshold[]> {
  return listThresholdRows(database, resellerId, THRESHOLDS_MAX)
}

/** Adds a threshold to the others. Adding one that exists changes nothing. */
export function addThreshold(
  database: Database,
  resellerId: bigint,
  amount: Amount,
): Promise<OneThreshold[]> {
  return database.transaction(async (tx) => {
    await lockThresholds(tx, resellerId)
    const present = await listThresholdRows(tx, resellerId, THRESHOLDS_MAX)
    const isNew = present.every((each) => each.amount !== amount)
    if (isNew && present.length >= THRESHOLDS_MAX) {
      throw new RequestError({
        status: 409,
        code: 'limit_reached',
        publicText: `An account has at most ${THRESHOLDS_MAX} thresholds.`,
      })
    }
    await insertThreshold(tx, resellerId, amount)
    return listThresholdRows(tx, resellerId, THRESHOLDS_MAX)
  })
}

export function removeThreshold(
  database: Database,
  resellerId: bigint,
  amount: Amount,
): Promise<OneThreshold[]> {
  return database.transaction(async (tx) => {
    await lockThresholds(tx, resellerId)
    if (!(await deleteThreshold(tx, resellerId, amount))) {
      throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such threshold.' })
    }
    return listThresholdRows(tx, resellerId, THRESHOLDS_MAX)
  })
}
