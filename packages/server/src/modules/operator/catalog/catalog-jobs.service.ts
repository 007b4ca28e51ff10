import type { Database, Tx } from '../../../db/database.ts'
import { parseJsonBody } from '../../../http/body.ts'
import { shortReason } from '../../../lib/input/records.ts'
import { appendAudit, audited, readReason } from '../../audit/service.ts'
import type { Act, AuditLog, Done } from '../../audit/types.ts'
import { printCatalog, printCatalogCsv } from '../../catalog/operators.service.ts'
import type { Imported } from '../../catalog/transfer/service.ts'
import { importFiles } from '../../catalog/transfer/service.ts'
import type { CsvKind } from '../../catalog/transfer/types.ts'
import type { Consent } from '../../margins/service.ts'
import { judgeCatalog, requireConsent } from '../../margins/service.ts'
import type { Comparison } from '../../margins/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { mustBeAsPreviewed, readGivenApply, readGivenCatalog, sourcesOf } from './catalog.rules.ts'
import { importView, namedSummaryView } from './catalog.view.ts'
import { piecesOf } from './catalog-log.rules.ts'
import type { RowChange, RowOutcome } from './catalog-rows.service.ts'
import { changeRow } from './catalog-rows.service.ts'

// Jobs that go through the whole catalogue. They would stop a node's payments for seconds, so they run on a thread of
// their own and exchange plain data with it. The thread must start quickly: it loads no library that it can do without.

export type CatalogBody = { readonly contentType: string | undefined; readonly bytes: Uint8Array }

export type CatalogJob =
  | { readonly kind: 'preview'; readonly body: CatalogBody }
  | { readonly kind: 'import'; readonly body: CatalogBody; readonly caller: OperatorCaller }
  | {
      readonly kind: 'row'
      readonly change: RowChange
      readonly caller: OperatorCaller
      readonly reason: string
    }
  /** null: the whole catalogue as JSON. */
  | { readonly kind: 'export'; readonly csv: CsvKind | null }

export type CatalogChange = ReturnType<typeof importView>

/** Result of each kind of job. The result of an export is the bytes of the file. */
export type CatalogOutcome<J extends CatalogJob> = J extends { kind: 'export' }
  ? Uint8Array
  : J extends { kind: 'row' }
    ? RowOutcome
    : CatalogChange

export type CatalogWork = <J extends CatalogJob>(job: J) => Promise<CatalogOutcome<J>>

/** Does the job on the calling thread. The log must belong to the same database. */
export function doCatalogJob(
  log: Pick<AuditLog, 'database' | 'key'>,
  job: CatalogJob,
  /** Largest change of a price, in percent, that one operator may make alone. */
  maxPercent: number,
): Promise<CatalogChange | RowOutcome | Uint8Array> {
  switch (job.kind) {
    case 'preview':
      return preview(log.database, job.body, maxPercent)
    case 'import':
      return apply(log, job.body, job.caller, maxPercent)
    case 'row':
      return changeRow(log, { caller: job.caller, reason: job.reason }, job.change, maxPercent)
    case 'export':
      return print(log.database, job.csv)
    default:
      return job satisfies never
  }
}

/** Checks and measures everything, and saves nothing. */
async function preview(database: Database, body: CatalogBody, maxPercent: number): Promise<CatalogChange> {
  const given = readGivenCatalog(readBody(body))
  const deactivateMissing = given.deactivate_missing ?? false
  const { judge, found } = judgeCatalog(maxPercent)
  const options = { reason: 'preview', dryRun: true, deactivateMissing, judge }
  return importView(await importFiles(database, sourcesOf(given), options), found())
}

async function apply(
  log: Pick<AuditLog, 'database' | 'key'>,
  body: CatalogBody,
  caller: OperatorCaller,
  maxPercent: number,
): Promise<CatalogChange> {
  const reason = readReason(readGivenApply(readBody(body)).reason)
  const act = { caller, action: 'catalogue.import', reason }
  return audited(log, act, async (tx, database) => {
    const { imported, comparison } = await writeImport(database, body, {
      maxPercent,
      consent: { kind: 'alone' },
    })
    return { ...(await logImport(tx, log, act, imported)), result: importView(imported, comparison) }
  })
}

/** Imports within the caller's transaction. An approved import is checked against its seal, not against a version. */
export async function writeImport(
  database: Pick<Database, 'transaction'>,
  body: CatalogBody,
  { maxPercent, consent }: { maxPercent: number; consent: Consent },
): Promise<{ imported: Imported; comparison: Comparison }> {
  const given = readGivenApply(readBody(body))
  const { judge, found } = judgeCatalog(maxPercent)
  const imported = await importFiles(database, sourcesOf(given), {
    reason: shortReason(readReason(given.reason)),
    dryRun: false,
    deactivateMissing: given.deactivate_missing ?? false,
    judge,
  })
  if (consent.kind === 'alone') mustBeAsPreviewed(given.expected_version, imported.summary.version)
  requireConsent(found(), imported.differences, consent)
  return { imported, comparison: found() }
}

async function print(database: Database, csv: CsvKind | null): Promise<Uint8Array> {
  const text = csv === null ? printCatalog(database) : printCatalogCsv(database, csv)
  return Buffer.from(await text, 'utf8')
}

/** Values in 10 MB of the smallest rows. They are read on a thread of their own, so that nothing else waits for it. */
const BODY_VALUES_MAX = 1_000_000

export function readBody({ contentType, bytes }: CatalogBody): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return parseJsonBody(contentType, buffer, BODY_VALUES_MAX) ?? {}
}

/**
 * Writes all rows of an import to the log except the last one, which it returns. A long list of differences takes
 * several rows, all in the same commit.
 */
export async function logImport(
  tx: Tx,
  log: Pick<AuditLog, 'key'>,
  act: Act,
  { summary, differences }: Imported,
): Promise<Omit<Done<unknown>, 'result'>> {
  const { pieces, leftOut } = piecesOf(differences)
  const [only = []] = pieces
  const target = { kind: 'catalogue', id: String(summary.version) }
  const whole = { summary: namedSummaryView(summary), differences_total: differences.length }
  if (pieces.length <= 1) return { target, before: null, after: { ...whole, differences: only } }
  for (const [index, piece] of pieces.entries()) {
    const after = { piece: index + 1, pieces: pieces.length, differences: piece }
    await appendAudit(tx, log, act, { target, before: null, after })
  }
  return { target, before: null, after: { ...whole, pieces: pieces.length, differences_left_out: leftOut } }
}
