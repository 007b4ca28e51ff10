import type { Database, Tx } from '../../../db/database.ts'
import { createHints } from '../../../lib/input/nearest.ts'
import { listResellers } from '../../accounts/service.ts'
import type { EventPart, Expansion } from '../changes/expansion.service.ts'
import { openExpansion } from '../changes/expansion.service.ts'
import { accountsWithChangedAccess, levelsWithChangedAccess } from '../model/access.rules.ts'
import type { Merge } from '../model/merge.rules.ts'
import { mergeBase } from '../model/merge.rules.ts'
import type { Problem } from '../model/problems.rules.ts'
import { isStructureTouched, patched } from '../model/state.rules.ts'
import type {
  BaseChange,
  CatalogState,
  ChangeJudge,
  ChangeSummary,
  Diff,
  Touched,
} from '../model/store.types.ts'
import { countTouched } from '../model/touched.rules.ts'
import { upsertCategories, upsertGroups, upsertProducts } from '../store/base.sql.ts'
import { upsertLevels, writePrices } from '../store/levels.sql.ts'
import { loadCatalog } from '../store/load.service.ts'
import { upsertOptions } from '../store/options.sql.ts'
import { upsertTexts } from '../store/texts.sql.ts'
import { lockVersion, takeVersion } from '../store/version.sql.ts'
import { stampViews, writePermissions } from '../store/views.sql.ts'
import { invalidCatalog, recordChange, refuse } from '../store/write.service.ts'
import { checkBase, checkLevel } from './check.rules.ts'
import { checkTexts } from './check-texts.rules.ts'

/** Writes the rows of a change, all or none. Equal rows are left alone, and no row is ever removed. */
export function applyBase(
  database: Pick<Database, 'transaction'>,
  change: BaseChange,
  reason: string,
  options: WriteOptions = {},
): Promise<ChangeSummary> {
  return database.transaction((tx) => writeBase(tx, change, reason, options))
}

export type WriteOptions = {
  readonly judge?: ChangeJudge | undefined
  /** Node's own view of the catalogue, used if it is of the present version: a change of one row then reads no other. */
  readonly held?: CatalogState | undefined
}

const ROLLED_BACK = new Error('a preview leaves nothing behind')

/** Writes the same in a transaction that is rolled back: it is refused and measured exactly as the real change. */
export async function previewBase(
  database: Database,
  change: BaseChange,
  reason = 'preview',
): Promise<ChangeSummary> {
  let summary: ChangeSummary | undefined
  try {
    await database.transaction(async (tx) => {
      summary = await writeBase(tx, change, reason)
      throw ROLLED_BACK
    })
  } catch (error) {
    if (error !== ROLLED_BACK || summary === undefined) throw error
  }
  if (summary === undefined) throw new Error('a preview ends with its summary')
  return summary
}

async function writeBase(
  tx: Tx,
  change: BaseChange,
  reason: string,
  { judge, held }: WriteOptions = {},
): Promise<ChangeSummary> {
  await lockVersion(tx)
  const before = await loadCatalog(tx, held)
  const merge = mergeBase(before, change)
  const { touched } = merge
  const after = patched(before, touched, 'after')
  const accounts = await listAllAccounts(tx)
  refuseRepeated(merge)
  refuse([
    ...problemsOf(after, before, touched),
    ...checkTexts(touched, after),
    ...strayPrices(after, touched),
  ])
  refuseStrayPermissions(after, touched, new Set(accounts.map((account) => account.id)))
  if (countTouched(touched) === 0) return summaryOf(merge, before.version, [])

  await judge?.(tx, before, after)
  const affected = listAffected(openExpansion({ before, after, touched }), accounts)
  const { version } = await takeVersion(tx, isStructureTouched(touched))
  await writeTouched(tx, touched, after, version)
  await recordChange(tx, { version, reason, touched })
  return summaryOf(merge, version, affected)
}

const NAMED_MAX = 100

function summaryOf(merge: Merge, version: bigint, affected: readonly AccountLevel[]): ChangeSummary {
  const { created, updated, deactivated, unchanged } = merge
  const accountsNamed = affected.slice(0, NAMED_MAX).map(({ account }) => account)
  const accounts = { accountsAffected: affected.length, accountsNamed }
  return { version, created, updated, deactivated, unchanged, ...accounts }
}

async function writeTouched(
  tx: Tx,
  touched: Touched,
  { base }: CatalogState,
  version: bigint,
): Promise<void> {
  if (touched.groups.length > 0) await upsertGroups(tx, aftersOf(touched.groups), version)
  if (touched.categories.length > 0) await upsertCategories(tx, aftersOf(touched.categories), version)
  if (touched.products.length > 0) await upsertProducts(tx, aftersOf(touched.products), version)
  if (touched.options.length > 0) await upsertOptions(tx, aftersOf(touched.options), version)
  if (touched.levels.length > 0) await upsertLevels(tx, aftersOf(touched.levels), version)
  if (touched.texts.length > 0) await upsertTexts(tx, touched.texts, version)
  if (touched.prices.length > 0) {
    await writePrices(tx, touched.prices, version, levelsWithChangedAccess(touched.prices))
  }
  if (touched.permissions.length > 0) {
    const owners = [...new Set(touched.permissions.map((diff) => diff.resellerId))]
    await stampViews(tx, owners, version, 'neither')
    await stampViews(tx, accountsWithChangedAccess(touched.permissions, base), version, 'access')
    await writePermissions(tx, touched.permissions)
  }
}

function aftersOf<T>(diffs: readonly Diff<T>[]): T[] {
  return diffs.flatMap((diff) => (diff.after === null ? [] : [diff.after]))
}

// ── Refusals ──

/**
 * Checks the whole result, not only the given rows: a new denomination can make an old price wrong. Where no product and
 * no option changes, only the levels that change can be wrong.
 */
function problemsOf({ base, levels }: CatalogState, before: CatalogState, touched: Touched): Problem[] {
  const isBaseTouched = base !== before.base
  const changed = new Set([
    ...touched.prices.map(({ levelCode }) => levelCode),
    ...touched.levels.flatMap(({ after }) => (after === null ? [] : [after.code])),
  ])
  const judged = [...levels.values()].filter(({ code }) => isBaseTouched || changed.has(code))
  const ofLevels = judged.flatMap((level) =>
    checkLevel(base, level).map((problem) =>
      problem.resource === 'prices' ? { ...problem, id: `${level.code}.${problem.id}` } : problem,
    ),
  )
  return isBaseTouched ? [...checkBase(base, before.base), ...ofLevels] : ofLevels
}

function strayPrices({ levels }: CatalogState, { prices }: Touched): Problem[] {
  const hintOf = createHints(levels)
  return prices
    .filter((diff) => !levels.has(diff.levelCode))
    .map(({ levelCode, productCode }) => ({
      resource: 'prices',
      id: `${levelCode}.${productCode}`,
      field: 'levelCode',
      text: `there is no price level ${levelCode}${hintOf(levelCode)}`,
    }))
}

function refuseRepeated({ repeated }: Merge): void {
  if (repeated.length === 0) return
  throw invalidCatalog(
    Object.fromEntries(repeated.map(({ kind, id }) => [`${kind}.${id}`, ['is given twice']])),
  )
}

function refuseStrayPermissions(
  { base }: CatalogState,
  { permissions }: Touched,
  accounts: ReadonlySet<bigint>,
): void {
  const products = new Set(base.products.map((product) => product.code))
  const hintOf = createHints(products)
  const stray = permissions.flatMap(({ resellerId, productCode }) => [
    ...(accounts.has(resellerId) ? [] : [[`permissions.${resellerId}`, ['there is no such reseller']]]),
    ...(products.has(productCode)
      ? []
      : [[`permissions.${resellerId}.${productCode}`, [`there is no such product${hintOf(productCode)}`]]]),
  ])
  if (stray.length > 0) throw invalidCatalog(Object.fromEntries(stray))
}

// ── Affected accounts ──

const PAGE_ACCOUNTS = 1_000

type AccountLevel = { readonly id: bigint; readonly account: string; readonly priceLevel: string }

async function listAllAccounts(tx: Tx): Promise<AccountLevel[]> {
  const accounts: AccountLevel[] = []
  for (;;) {
    const page = await listResellers(tx, { after: accounts.at(-1)?.id, limit: PAGE_ACCOUNTS })
    accounts.push(...page.map(({ id, account, priceLevel }) => ({ id, account, priceLevel })))
    if (page.length < PAGE_ACCOUNTS) return accounts
  }
}

function listAffected(expansion: Expansion, accounts: readonly AccountLevel[]): AccountLevel[] {
  const known = new Map<string, boolean>()
  const isNews = ({ key, events }: EventPart): boolean => {
    const news = known.get(key) ?? events().next().done !== true
    known.set(key, news)
    return news
  }
  return accounts.filter(({ id, priceLevel }) =>
    expansion.partsFor({ id, levelBefore: priceLevel, levelAfter: priceLevel }).some(isNews),
  )
}
