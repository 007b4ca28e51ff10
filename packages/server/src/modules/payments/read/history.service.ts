import type { Tx } from '../../../db/database.ts'
import type { Reader } from '../../../db/standby/reader.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { LivePlans, NumberPlans } from '../../../lib/numbers/plans.ts'
import { customersOf } from '../../catalog/model/accounts.rules.ts'
import { KIND_TRAITS } from '../../catalog/model/kinds.rules.ts'
import { amountCurrency } from '../../catalog/model/pricing.rules.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import type { BaseCatalog } from '../../catalog/model/types.ts'
import type { DaySum, HistoryFilter, HistoryQuery, Totals } from './history.rules.ts'
import { codeFilterOf, findPageStart, matching, possibleDays, totalsOf } from './history.rules.ts'
import { listHistoryRows, openSnapshot, sumDays, sumDaysOfAccount } from './history.sql.ts'
import type { PaymentLine } from './lines.service.ts'
import { toLine } from './lines.service.ts'
import type { LineRow } from './lines.sql.ts'

/** Payment as history shows it. */
export type HistoryRecord = PaymentLine & {
  /** Product as the catalog has it today; undefined when the catalog no longer has it. */
  readonly product: ProductLabels | undefined
}

export type ProductLabels = {
  readonly imageUrl: string
  readonly categoryName: string
  /** Unit of the amount. */
  readonly currency: string
  /** False: a biller code that was sent with the payment has no meaning. */
  readonly hasBillers: boolean
}

export type HistoryPage = { readonly records: readonly HistoryRecord[]; readonly totals: Totals }

export type History = { list(resellerId: bigint, query: HistoryQuery): Promise<HistoryPage> }

export type HistorySettings = {
  readonly database: Pick<Reader, 'transaction'>
  readonly vault: Vault
  readonly catalog: Pick<Catalog, 'base'>
  readonly numbers?: LivePlans | undefined
}

export function createHistory({ database, vault, catalog, numbers }: HistorySettings): History {
  return {
    async list(resellerId, query) {
      const days = possibleDays(query.days)
      if (days === undefined) return { records: [], totals: totalsOf([]) }
      const { rows, totals } = await database.transaction((tx) =>
        readPage(tx, resellerId, days, query, numbers?.current),
      )
      const labels = labelsOf(catalog.base(), rows)
      const records = await withFreshKeys(vault, () =>
        rows.map((row) => ({ ...toLine(vault, resellerId, row), product: labels.get(row.product_code) })),
      )
      return { records, totals }
    },
  }
}

async function readPage(
  tx: Tx,
  resellerId: bigint,
  days: DayRange,
  query: HistoryQuery,
  plans: NumberPlans | undefined,
): Promise<{ rows: readonly LineRow[]; totals: Totals }> {
  await openSnapshot(tx)
  const sums = matching(await sumOf(tx, resellerId, days, query, accountsOf(query, plans)), query.statuses)
  const totals = totalsOf(sums)
  const start = findPageStart(sums, query.offset)
  if (start === undefined) return { rows: [], totals }
  const rows = await listHistoryRows(tx, {
    resellerId,
    days: { from: days.from, to: start.day },
    accounts: accountsOf(query, plans),
    product: query.product,
    codes: codeFilterOf(query.statuses),
    passOver: start.passOver,
    limit: query.limit,
  })
  return { rows, totals }
}

function sumOf(
  tx: Tx,
  resellerId: bigint,
  days: DayRange,
  { product }: HistoryFilter,
  accounts: readonly string[] | null,
): Promise<DaySum[]> {
  return accounts === null
    ? sumDays(tx, resellerId, days, product)
    : sumDaysOfAccount(tx, resellerId, days, accounts, product)
}

function accountsOf({ account }: HistoryFilter, plans: NumberPlans | undefined): readonly string[] | null {
  return account === null ? null : customersOf(account, plans)
}

function labelsOf(base: BaseCatalog, rows: readonly LineRow[]): ReadonlyMap<string, ProductLabels> {
  const wanted = new Set(rows.map((row) => row.product_code))
  const categories = new Map(base.categories.map((category) => [category.code, category.name]))
  return new Map(
    base.products
      .filter((product) => wanted.has(product.code))
      .map((product) => [
        product.code,
        {
          imageUrl: product.imageUrl,
          categoryName: categories.get(product.categoryCode) ?? '',
          currency: amountCurrency(product),
          hasBillers: KIND_TRAITS[product.kind].extras === 'biller',
        },
      ]),
  )
}
