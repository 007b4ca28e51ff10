import { readWithin } from '../../../db/bounded.ts'
import type { PackedFile } from '../../../http/streams/archives.ts'
import { packZip } from '../../../http/streams/archives.ts'
import { printTableCsv, printXlsx } from '../../../http/streams/tables.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { MonthStatement } from '../../finance/closings/types.ts'
import type { ReadEntries } from '../../finance/statement/statement.service.ts'
import { openMonthStatement, printStatement } from '../../finance/statement/statement.service.ts'
import { listPlaces } from '../../tills/service.ts'
import type { Dimension } from './rules.ts'
import type { Report, ReportSettings } from './service.ts'
import { readReport } from './service.ts'
import { monthTotals, reportsPdf, reportTable } from './view.ts'

export type PackSettings = ReportSettings & { readonly issuer: string }

/** Owner of a pack; the name stands on its papers. */
export type PackOwner = { readonly id: bigint; readonly account: string; readonly name: string }

const TIMEOUT_MS = 8_000
/** Reports as files of their own; the spreadsheet has all of them. */
const FILES: readonly Dimension[] = ['day', 'product']
const SHEETS: readonly Dimension[] = ['day', 'product', 'category', 'seller', 'hour']
/** Sheets of a shop that has branches. */
const PLACES: readonly Dimension[] = ['branch', 'till']

/**
 * Packs what closes a month: the statement, its entries, the reports and the totals. Each file is read when its turn
 * comes, so that a pack costs no more memory than a page of entries.
 */
export async function* packMonth(
  settings: PackSettings,
  owner: PackOwner,
  reseller: DirectoryReseller,
  month: string,
): AsyncGenerator<readonly Buffer[]> {
  const read: ReadEntries = (work) => readWithin(settings.reader, TIMEOUT_MS, work)
  const statement = await read((tx) => openMonthStatement(tx, owner, month, read))
  yield* packZip(filesOf(settings, owner, reseller, statement), new Date(startOfDayMs(statement.asOf)))
}

function filesOf(
  settings: PackSettings,
  owner: PackOwner,
  reseller: DirectoryReseller,
  statement: MonthStatement,
): PackedFile[] {
  const { issuer } = settings
  const { month, asOf } = statement
  // A month that is not over has its days until today.
  const days = { from: month.from, to: Math.min(month.to, asOf) }
  const known = new Map<Dimension, Promise<Report>>()
  const report = (by: Dimension) => {
    const reading = known.get(by) ?? readReport(settings, reseller, by, days)
    known.set(by, reading)
    return reading
  }
  const named = (name: string) => name.replace('*', `${owner.account}-${month.name}`)
  const file = (name: string, pieces: PackedFile['pieces']): PackedFile => ({ name: named(name), pieces })
  return [
    file('statement-*.pdf', () => printStatement(statement, 'pdf', issuer)),
    file('statement-*.csv', () => printStatement(statement, 'csv', issuer)),
    file('totals-*.csv', async function* () {
      yield printTableCsv(monthTotals(statement, await report('day')))
    }),
    file('sales-*.pdf', async function* () {
      yield* reportsPdf(owner, issuer, [await report('day'), await report('product')])
    }),
    ...FILES.map((by) =>
      file(`sales-by-${by}-*.csv`, async function* () {
        yield printTableCsv(reportTable(await report(by), false))
      }),
    ),
    file('sales-*.xlsx', async function* () {
      const tables = [monthTotals(statement, await report('day'))]
      const { branches } = await listPlaces(settings.database, owner.id)
      for (const by of branches.length > 0 ? [...SHEETS, ...PLACES] : SHEETS)
        tables.push(reportTable(await report(by), true))
      yield await printXlsx(tables)
    }),
  ]
}
