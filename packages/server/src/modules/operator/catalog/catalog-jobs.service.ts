import type { Database } from '../../../db/database.ts'
import type { Attempted } from '../../acts/service.ts'
import { attempt } from '../../acts/service.ts'
import type { AuditLog } from '../../audit/types.ts'
import { printCatalog, printCatalogCsv } from '../../catalog/operators.service.ts'
import type { CatalogBody } from '../../catalog/transfer/given.service.ts'
import { readImport, readPreview } from '../../catalog/transfer/given.service.ts'
import { importFiles } from '../../catalog/transfer/service.ts'
import type { CsvKind } from '../../catalog/transfer/types.ts'
import { importCatalogue } from '../../margins/prices.acts.ts'
import { judgeCatalog } from '../../margins/service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { importView } from './catalog.view.ts'

// Jobs that go through the whole catalogue. They would stop a node's payments for seconds, so they run on a thread of
// their own and exchange plain data with it. The thread must start quickly: it loads no library that it can do without.

export type CatalogJob =
  | { readonly kind: 'preview'; readonly body: CatalogBody }
  | { readonly kind: 'import'; readonly body: CatalogBody; readonly caller: OperatorCaller }
  /** null: the whole catalogue as JSON. */
  | { readonly kind: 'export'; readonly csv: CsvKind | null }

export type CatalogChange = ReturnType<typeof importView>

/** Result of each kind of job. The result of an export is the bytes of the file. */
export type CatalogOutcome<J extends CatalogJob> = J extends { kind: 'export' }
  ? Uint8Array
  : J extends { kind: 'import' }
    ? Exclude<Attempted<CatalogChange>, { readonly refuse: unknown }>
    : CatalogChange

export type CatalogWork = <J extends CatalogJob>(job: J) => Promise<CatalogOutcome<J>>

/** Does the job on the calling thread. The log must belong to the same database. */
export function doCatalogJob(
  log: Pick<AuditLog, 'database' | 'key'>,
  job: CatalogJob,
  /** Largest change of a price, in percent, that one operator may make alone. */
  maxPercent: number,
): Promise<CatalogOutcome<CatalogJob>> {
  switch (job.kind) {
    case 'preview':
      return preview(log.database, job.body, maxPercent)
    case 'import':
      return apply(log, job, maxPercent)
    case 'export':
      return print(log.database, job.csv)
    default:
      return job satisfies never
  }
}

/** Checks and measures everything, and saves nothing. */
async function preview(database: Database, body: CatalogBody, maxPercent: number): Promise<CatalogChange> {
  const { files, deactivateMissing } = readPreview(body)
  const { judge, found } = judgeCatalog(maxPercent)
  const options = { reason: 'preview', dryRun: true, deactivateMissing, judge }
  return importView(await importFiles(database, files, options), found())
}

async function apply(
  log: Pick<AuditLog, 'database' | 'key'>,
  { body, caller }: Extract<CatalogJob, { readonly kind: 'import' }>,
  maxPercent: number,
): Promise<CatalogOutcome<Extract<CatalogJob, { readonly kind: 'import' }>>> {
  const { input, reason } = readImport(body)
  const given = { caller, input, reason }
  const attempted = await attempt({ log, world: { maxPercent, log } }, importCatalogue, given)
  if ('refuse' in attempted) throw attempted.refuse
  if ('ask' in attempted) return attempted
  const { imported, comparison } = attempted.result
  return { result: importView(imported, comparison) }
}

async function print(database: Database, csv: CsvKind | null): Promise<Uint8Array> {
  const text = csv === null ? printCatalog(database) : printCatalogCsv(database, csv)
  return Buffer.from(await text, 'utf8')
}
