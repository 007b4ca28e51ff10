import { readWithin } from '../../../db/bounded.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { formatDay, startOfDayMs } from '../../../lib/dates.ts'
import { listApiKeys } from '../../accounts/keys.service.ts'
import { listUsers } from '../../accounts/service.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { totalsOf } from '../../payments/read/history.rules.ts'
import { sumSalesBy } from '../../payments/reports/parts.service.ts'
import { listPlaces, sumPlaces } from '../../tills/service.ts'
import type { PortalSettings } from '../access/types.ts'
import type { FigureDay } from '../payments/overview.rules.ts'
import type { Dimension, ReportLine } from './rules.ts'
import { daysBefore, foldSums, orderedLines, rankedLines, totalOf, withOutside } from './rules.ts'

export type Report = {
  readonly by: Dimension
  readonly days: DayRange
  /** Days of the comparison. */
  readonly before: DayRange
  readonly lines: readonly ReportLine[]
}

export type ReportSettings = Pick<PortalSettings, 'catalog' | 'database' | 'payments' | 'reader'>

export async function readReport(
  settings: ReportSettings,
  reseller: DirectoryReseller,
  by: Dimension,
  days: DayRange,
): Promise<Report> {
  const before = daysBefore(days)
  return { by, days, before, lines: await READERS[by](settings, reseller, days, before) }
}

type Read = (
  settings: ReportSettings,
  reseller: DirectoryReseller,
  days: DayRange,
  before: DayRange,
) => Promise<ReportLine[]>

const READERS: Readonly<Record<Dimension, Read>> = {
  async day({ payments }, { id }, days, before) {
    const back = days.from - before.from
    const nowSums = await payments.sumByDay(id, days)
    const beforeSums = await payments.sumByDay(id, before)
    const keyed = (sums: readonly (FigureDay & { readonly day: number })[], ahead: number) =>
      new Map(sums.map((sum) => [formatDay(sum.day + ahead), sum]))
    const keys = nowSums.map(({ day }) => ({ key: formatDay(day), name: null }))
    return orderedLines(keys, keyed(nowSums, 0), keyed(beforeSums, back))
  },
  async product(settings, reseller, days, before) {
    const [now, then] = await sumBoth(settings, reseller, days, before, 'product')
    return rankedLines(now, then, productNames(settings, reseller))
  },
  async category(settings, reseller, days, before) {
    const [now, then] = await sumBoth(settings, reseller, days, before, 'product')
    const { products } = settings.catalog.state().base
    const known = new Map(products.map(({ code, categoryCode }) => [code, categoryCode]))
    const snapshot = settings.catalog.snapshotFor(reseller)
    const categoryOf = (code: string) =>
      snapshot.products.get(code)?.categoryCode ?? known.get(code) ?? UNKNOWN_CATEGORY
    const names = new Map(
      [...settings.catalog.state().base.categories, ...snapshot.categories].map(({ code, name }) => [
        code,
        name,
      ]),
    )
    return rankedLines(
      foldSums(now, categoryOf),
      foldSums(then, categoryOf),
      (code) => names.get(code) ?? null,
    )
  },
  async hour(settings, reseller, days, before) {
    const [now, then] = await sumBoth(settings, reseller, days, before, 'hour')
    const hours = Array.from({ length: 24 }, (_, hour) => ({ key: String(hour), name: null }))
    return orderedLines(hours, now, then)
  },
  async seller(settings, reseller, days, before) {
    const [now, then] = await sumBoth(settings, reseller, days, before, 'seller')
    const names = await sellerNames(settings, reseller.id)
    return rankedLines(now, then, (key) => names.get(key) ?? null)
  },
  branch: (settings, reseller, days, before) => readPlaces(settings, reseller, days, before, 'branch'),
  till: (settings, reseller, days, before) => readPlaces(settings, reseller, days, before, 'till'),
}

async function readPlaces(
  settings: ReportSettings,
  { id }: DirectoryReseller,
  days: DayRange,
  before: DayRange,
  kind: 'branch' | 'till',
): Promise<ReportLine[]> {
  const now = await sumAtPlaces(settings, id, days, kind)
  const then = await sumAtPlaces(settings, id, before, kind)
  const { branches, tills } = await listPlaces(settings.database, id)
  const branchNames = new Map(branches.map((branch) => [branch.id, branch.name]))
  const names =
    kind === 'branch'
      ? branches.map((branch) => [String(branch.id), branch.name] as const)
      : tills.map((till) => [String(till.id), `${branchNames.get(till.branchId)}, ${till.name}`] as const)
  const known = new Map(names)
  return rankedLines(now, then, (key) => known.get(key) ?? null)
}

async function sumAtPlaces(
  { reader }: ReportSettings,
  resellerId: bigint,
  days: DayRange,
  kind: 'branch' | 'till',
) {
  const span = { fromMs: BigInt(startOfDayMs(days.from)), untilMs: BigInt(startOfDayMs(days.to + 1)) }
  const sums = await readWithin(reader, TIMEOUT_MS, (tx) => sumPlaces(tx, resellerId, span, kind))
  const groups = new Map<string, typeof sums>()
  for (const sum of sums) groups.set(sum.place, [...(groups.get(sum.place) ?? []), sum])
  const places = new Map([...groups].map(([place, each]) => [place, totalsOf(each)]))
  const hours = await sumSalesBy(reader, resellerId, days, 'hour')
  return withOutside(places, totalOf([...hours.values()]))
}

const TIMEOUT_MS = 8_000

/** Category of payments whose product the catalogue does not know any more. */
export const UNKNOWN_CATEGORY = ''

/** Sums one after the other, so that a report takes one connection of the pool. */
async function sumBoth(
  { reader }: ReportSettings,
  { id }: DirectoryReseller,
  days: DayRange,
  before: DayRange,
  kind: 'product' | 'hour' | 'seller',
) {
  const now = await sumSalesBy(reader, id, days, kind)
  return [now, await sumSalesBy(reader, id, before, kind)] as const
}

function productNames({ catalog }: ReportSettings, reseller: DirectoryReseller) {
  const { products } = catalog.snapshotFor(reseller)
  const base = new Map(catalog.state().base.products.map(({ code, name }) => [code, name]))
  return (code: string) => products.get(code)?.name ?? base.get(code) ?? null
}

/** Names of the sellers: a member's user name, a key's label, or its beginning where it has none. */
async function sellerNames({ database }: ReportSettings, resellerId: bigint): Promise<Map<string, string>> {
  const users = await listUsers(database, resellerId)
  const keys = await listApiKeys(database, resellerId)
  return new Map([
    ...users.map(({ id, username }) => [`member:${id}`, username] as const),
    ...keys.map(({ purposeId, label, key }) => [`key:${purposeId}`, label === '' ? key : label] as const),
  ])
}
