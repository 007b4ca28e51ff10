import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import type { LivePlans } from '../../../lib/numbers/plans.ts'
import { canonicalAccount } from '../../catalog/model/accounts.rules.ts'
import type { BaseCatalog } from '../../catalog/model/types.ts'
import { listNextPayments, moveWalk, takeWalk, writeCanonical } from './old-numbers.sql.ts'

export type OldNumbersSettings = {
  readonly database: Pick<Database, 'transaction'>
  readonly catalog: { base(): Pick<BaseCatalog, 'products'> }
  readonly numbers: LivePlans
  /** True while payments wait: the walk waits too. */
  readonly isBusy: () => boolean
  readonly stepMax?: number
  readonly pauseMs?: number
}

/** A step holds its rows for some milliseconds: they are payments that ended long ago. */
const STEP_MAX = 500
const PAUSE_MS = 100

/**
 * Gives payments their canonical numbers that were taken before these were stored. Each step commits how far it is, so
 * that any node goes on from there. It ends once, for ever.
 */
export async function readOldNumbers(settings: OldNumbersSettings, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && !settings.isBusy() && (await goStep(settings))) {
    await delay(settings.pauseMs ?? PAUSE_MS)
  }
}

/** Goes a step; false: there is none to go. */
async function goStep({ database, catalog, numbers, stepMax = STEP_MAX }: OldNumbersSettings) {
  return database.transaction(async (tx) => {
    const after = await takeWalk(tx)
    if (after === undefined) return false
    const rows = await listNextPayments(tx, after, stepMax)
    const products = new Map(catalog.base().products.map((each) => [each.code, each]))
    const found = rows.flatMap(({ reseller_id: resellerId, id, product_code: code, account, ...row }) => {
      const canonical = canonicalAccount(products.get(code), account, numbers.current)
      return row.canonical_account !== null || canonical === account ? [] : [{ resellerId, id, canonical }]
    })
    if (found.length > 0) await writeCanonical(tx, found)
    await moveWalk(tx, rows.at(-1))
    return rows.length > 0
  })
}
