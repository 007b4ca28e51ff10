import type { Database } from '../../db/database.ts'
import { parseJsonBody } from '../../http/body.ts'
import { audited, readReason } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { printCatalog, printCatalogCsv } from '../catalog/desk.service.ts'
import type { ChangeSummary } from '../catalog/store.types.ts'
import type { Imported } from '../catalog/transfer.service.ts'
import { importFiles } from '../catalog/transfer.service.ts'
import type { CsvKind } from '../catalog/transfer.types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import {
  catalogueReason,
  mustBeAsPreviewed,
  readGivenApply,
  readGivenCatalogue,
  sourcesOf,
} from './catalogue.rules.ts'
import { importView } from './catalogue.view.ts'
import type { RowChange } from './catalogue-rows.service.ts'
import { changeRow } from './catalogue-rows.service.ts'

// What goes through the whole catalogue, and would stop a node's payments for seconds: it is done on a thread of its
// own, and what goes there and comes back is plain data. The thread has to be there soon: it is given no library that
// it can do without.

export type CatalogueBody = { readonly contentType: string | undefined; readonly bytes: Uint8Array }

export type CatalogueJob =
  | { readonly kind: 'preview'; readonly body: CatalogueBody }
  | { readonly kind: 'import'; readonly body: CatalogueBody; readonly caller: OperatorCaller }
  | {
      readonly kind: 'row'
      readonly change: RowChange
      readonly caller: OperatorCaller
      readonly reason: string
    }
  /** null: the whole as JSON. */
  | { readonly kind: 'export'; readonly csv: CsvKind | null }

export type CatalogueChange = ReturnType<typeof importView>

/** What comes of each; of an export, the file's bytes. */
export type CatalogueOutcome<J extends CatalogueJob> = J extends { kind: 'export' }
  ? Uint8Array
  : J extends { kind: 'row' }
    ? ChangeSummary
    : CatalogueChange

export type CatalogueWork = <J extends CatalogueJob>(job: J) => Promise<CatalogueOutcome<J>>

/** On whatever thread it is called; the log is that of the same database. */
export function doCatalogueJob(
  log: Pick<AuditLog, 'database' | 'key'>,
  job: CatalogueJob,
): Promise<CatalogueChange | ChangeSummary | Uint8Array> {
  switch (job.kind) {
    case 'preview':
      return preview(log.database, job.body)
    case 'import':
      return apply(log, job.body, job.caller)
    case 'row':
      return changeRow(log, { caller: job.caller, reason: job.reason }, job.change)
    case 'export':
      return print(log.database, job.csv)
    default:
      return job satisfies never
  }
}

/** Everything is checked and measured, and nothing is left behind. */
async function preview(database: Database, body: CatalogueBody): Promise<CatalogueChange> {
  const given = readGivenCatalogue(readBody(body))
  const deactivateMissing = given.deactivate_missing ?? false
  const options = { reason: 'preview', dryRun: true, deactivateMissing }
  return importView(await importFiles(database, sourcesOf(given), options))
}

async function apply(
  log: Pick<AuditLog, 'database' | 'key'>,
  body: CatalogueBody,
  caller: OperatorCaller,
): Promise<CatalogueChange> {
  const given = readGivenApply(readBody(body))
  const reason = readReason(given.reason)
  const sources = sourcesOf(given)
  return audited(log, { caller, action: 'catalogue.import', reason }, async (_, database) => {
    const imported = await importFiles(database, sources, {
      reason: catalogueReason(reason),
      dryRun: false,
      deactivateMissing: given.deactivate_missing ?? false,
    })
    mustBeAsPreviewed(given.expected_version, imported.summary.version)
    return {
      target: { kind: 'catalogue', id: String(imported.summary.version) },
      before: null,
      after: logged(imported),
      result: importView(imported),
    }
  })
}

async function print(database: Database, csv: CsvKind | null): Promise<Uint8Array> {
  const text = csv === null ? printCatalog(database) : printCatalogCsv(database, csv)
  return Buffer.from(await text, 'utf8')
}

function readBody({ contentType, bytes }: CatalogueBody): unknown {
  return parseJsonBody(contentType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? {}
}

const LOGGED_MAX = 100

/** The log keeps the beginning of a long list: the catalogue's own record of the change has all of it. */
function logged(imported: Imported) {
  const { differences, ...view } = importView(imported)
  return { ...view, differences: differences.slice(0, LOGGED_MAX) }
}
