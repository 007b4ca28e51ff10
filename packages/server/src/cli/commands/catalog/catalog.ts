import { performAlone } from '../../../modules/acts/service.ts'
import { createAuditLog } from '../../../modules/audit/service.ts'
import { summaryView } from '../../../modules/catalog/summary.view.ts'
import { countRows } from '../../../modules/catalog/transfer/read.rules.ts'
import type { Imported } from '../../../modules/catalog/transfer/service.ts'
import { exportCatalog, importFiles } from '../../../modules/catalog/transfer/service.ts'
import type { GivenRows, SourceFile } from '../../../modules/catalog/transfer/types.ts'
import { comparisonView } from '../../../modules/margins/comparison.service.ts'
import { importCatalogue } from '../../../modules/margins/prices.acts.ts'
import { judgeCatalog } from '../../../modules/margins/service.ts'
import type { Comparison } from '../../../modules/margins/types.ts'
import { listSources, printTo, writeExport } from '../../catalog-files.ts'
import { REASON_OPTION, readReason } from '../../catalog-options.ts'
import { formatDifference, formatSummary } from '../../catalog-views.ts'
import type { Call, Command, Option } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { consentOf, noteFindings, PRICE_OPTIONS } from '../../consent.ts'
import { openProgress } from '../../progress.ts'
import { commandCaller } from '../../record.ts'
import { formatTable } from '../../text.ts'

const FILE_OPTIONS: Readonly<Record<string, Option>> = {
  file: {
    value: 'FILE',
    help: 'a .json or .csv file; the forms are in docs/catalog-files.md',
    multiple: true,
  },
  dir: { value: 'FOLDER', help: 'every .json and .csv file of a folder' },
  'deactivate-missing': {
    help: 'the files have every option of the lists they name: switch off the options they leave out',
  },
}

export const catalogFileCommands: readonly Command[] = [
  {
    name: 'catalog export',
    isLong: true,
    summary: 'write the catalogue to files that catalog import reads',
    details: `Without --file and --dir, one JSON document on standard output. --dir with --format csv writes groups,
categories, options and prices as CSV, and products and levels, which have no CSV form, as JSON.`,
    options: {
      file: { value: 'FILE', help: 'one file; the name of a .csv says its content, such as options.csv' },
      dir: { value: 'FOLDER', help: 'a folder, made where it is missing' },
      format: { value: 'json|csv', help: 'with --dir (default json)' },
    },
    async run(call) {
      const target = readTarget(call)
      const document = await exportCatalog((await call.runtime()).database)
      const printed = printTo(document, target)
      if (target.kind === 'output') {
        const [{ content } = { content: '' }] = printed
        return { json: JSON.parse(content), text: content.trimEnd() }
      }
      const files = await writeExport(printed)
      return { json: { files }, text: formatTable(files, 'Nothing was written.') }
    },
  },
  {
    name: 'catalog import',
    isLong: true,
    summary: 'import files into the catalogue, all of them or nothing',
    details: `Rows that the files do not name stay as they are, and so do the optional members
and columns that they leave out; required ones must always be there.
If a file has a mistake, nothing is imported, and every problem is listed with its file and line.
Prices below the cheapest route's cost, and prices that move by more than WARUNG_PRICE_CHANGE_MAX_PERCENT, are shown with
their loss on the sales of the last 30 days, and imported only with --accept-loss and that figure.`,
    options: {
      ...FILE_OPTIONS,
      ...PRICE_OPTIONS,
      reason: REASON_OPTION,
    },
    async run(call) {
      const isDry = call.has('dry-run')
      const { summary, comparison } = await runImport(call, isDry)
      const title = isDry ? 'Nothing was changed. An import would make these changes:' : 'Imported:'
      return {
        json: { dry_run: isDry, ...summaryView(summary), comparison: comparisonView(comparison) },
        text: `${title}\n${formatSummary(summary)}`,
      }
    },
  },
  {
    name: 'catalog diff',
    isLong: true,
    summary: 'show line by line what an import of files would change',
    options: FILE_OPTIONS,
    async run(call) {
      const { summary, differences, comparison } = await runImport(call, true)
      const lines = differences.map(formatDifference)
      return {
        json: { differences, ...summaryView(summary), comparison: comparisonView(comparison) },
        text: [...(lines.length === 0 ? ['No differences.'] : lines), '', formatSummary(summary)].join('\n'),
      }
    },
  },
]

function readTarget(call: Call): Parameters<typeof printTo>[1] {
  const file = call.find('file')
  const dir = call.find('dir')
  const format = call.find('format') ?? 'json'
  if (file !== undefined && dir !== undefined) throw new UsageError('give --file or --dir, not both')
  if (format !== 'json' && format !== 'csv') throw new UsageError('--format: must be json or csv')
  if (dir !== undefined) return { kind: 'dir', path: dir, format }
  if (call.has('format') && (file === undefined || !file.toLowerCase().endsWith(`.${format}`))) {
    throw new UsageError(
      file === undefined
        ? '--format goes with --dir'
        : `--format: the name of the file says it; let it end in .${format}`,
    )
  }
  return file === undefined ? { kind: 'output' } : { kind: 'file', path: file }
}

type Compared = Imported & { readonly comparison: Comparison }

async function runImport(call: Call, dryRun: boolean): Promise<Compared> {
  const files = await listSources(call.list('file'), call.find('dir'))
  const names = files.map((file) => file.name).join(', ')
  const reason = readReason(call, `import of ${names}`)
  const { config, database, vault } = await call.runtime()
  const maxPercent = config.priceChangeMaxPercent
  const progress = openProgress(call, expectedRows(files))
  const progressed = {
    onRows: progress.rows,
    onRead: (rows: GivenRows) =>
      progress.step(`read ${countRows(rows)} rows; now they are checked and compared`),
  }
  const deactivateMissing = call.has('deactivate-missing')
  if (dryRun) {
    const { judge, found } = judgeCatalog(maxPercent)
    const options = { reason, dryRun, deactivateMissing, judge, ...progressed }
    const imported = await importFiles(database, files, options)
    noteFindings(call, comparisonView(found()))
    return { ...imported, comparison: found() }
  }
  const log = createAuditLog({ database, vault })
  const stage = { log, world: { maxPercent, log, progress: progressed } }
  const input = { files, deactivateMissing, expectedVersion: null }
  const given = { caller: commandCaller(), input, reason, consent: consentOf(call) }
  const { imported, comparison } = await performAlone(stage, importCatalogue, given)
  noteFindings(call, comparisonView(comparison))
  return { ...imported, comparison }
}

const LF = 0x0a

/** Estimates the number of rows for the progress bar: most rows are one line. */
function expectedRows(files: readonly SourceFile[]): number {
  let count = 0
  for (const { bytes } of files) {
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1
  }
  return count
}
