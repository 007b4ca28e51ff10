import type { Database, Queryable } from '../../../db/database.ts'
import { LONG_STATEMENTS } from '../../../db/long-statements.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { DAY } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { guardFormula, printCsv } from '../../../lib/input/csv.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { findByRefids, listOfDays } from '../../payments/reports/reconciled.service.ts'
import type { ReconciledPayment } from '../../payments/reports/reconciled.types.ts'
import type { StagedLine } from './reconcile.sql.ts'
import {
  closeStage,
  indexStage,
  listStaged,
  listStagedRefids,
  openStage,
  stageLines,
} from './reconcile.sql.ts'
import type { Mismatch, MismatchKind, ReconcileSummary, ResellerLine, Unreadable } from './reconcile.types.ts'
import { compareLine, duplicateOf, isOutside, missingThere, unreadableOf } from './reconcile-compare.rules.ts'
import { readResellerFile } from './reconcile-reader.service.ts'
import { bareRefid } from './reconcile-reading.rules.ts'

export const RECONCILE_DAYS_MAX = 366
const PAGE = 2_000

export type ReconcileInput = {
  readonly resellerId: bigint
  /** yyyy-MM-dd by GMT+8, both inclusive. */
  readonly from: string
  readonly to: string
  /** Opens the file at its beginning. */
  readonly open: () => AsyncIterable<Uint8Array>
  /**
   * Receives the mismatches of the file in its order, then the payments that the file lacks. The next page is computed
   * when this is done.
   */
  readonly onMismatches: (page: readonly Mismatch[]) => Promise<void>
  readonly onLines?: (lines: number) => void
  /** Throws when no client waits for the rest. Called before each page. */
  readonly checkDeadline?: () => void
}

/** Throws 400 for days that cannot be compared. */
export function readReconcileDays({ from: first, to: last }: Pick<ReconcileInput, 'from' | 'to'>): DayRange {
  const days = readFields({ from: DAY, to: DAY }, { from: first, to: last })
  if (days.to < days.from) throw invalidFields({ to: ['must not be before the first day'] })
  if (days.to - days.from >= RECONCILE_DAYS_MAX) {
    throw invalidFields({ to: [`must be at most ${RECONCILE_DAYS_MAX} days from the first`] })
  }
  return days
}

/**
 * Compares a reseller's own books with ours, both ways, page by page: its lines with our payments of their refids, then
 * our payments of those days with its lines. It writes only a temporary table of the connection.
 */
export function reconcile(
  database: Pick<Database, 'withConnection'>,
  input: ReconcileInput,
): Promise<ReconcileSummary> {
  const days = readReconcileDays(input)
  return database.withConnection(async (connection) => {
    await openStage(connection)
    try {
      const count = createCount(input)
      await stageFile(connection, input)
      await compareStaged(connection, input, days, count)
      await findUnlisted(connection, input, days, count)
      return count.summary()
    } finally {
      // A broken connection took the table with it, and the caller already has the error.
      await closeStage(connection).catch(() => {})
    }
  }, LONG_STATEMENTS)
}

// ── State of a comparison ──

type Count = {
  lines: number
  payments: number
  agreed: number
  outside: number
  tell(found: readonly Mismatch[]): Promise<void>
  summary(): ReconcileSummary
}

function createCount({ onMismatches }: ReconcileInput): Count {
  const kinds: Record<MismatchKind, number> = {
    missing_here: 0,
    missing_there: 0,
    amount: 0,
    status: 0,
    day: 0,
    duplicate: 0,
    unreadable: 0,
  }
  return {
    lines: 0,
    payments: 0,
    agreed: 0,
    outside: 0,
    async tell(found) {
      if (found.length === 0) return
      for (const { kind } of found) kinds[kind] += 1
      await onMismatches(found)
    },
    summary() {
      const { lines, payments, agreed, outside } = this
      const mismatches = Object.values(kinds).reduce((sum, each) => sum + each, 0)
      return { lines, payments, agreed, outside, mismatches, kinds }
    },
  }
}

const NO_DEADLINE = () => {}

async function stageFile(
  connection: Queryable,
  { resellerId, open, onLines = () => {}, checkDeadline = NO_DEADLINE }: ReconcileInput,
): Promise<void> {
  let count = 0
  for await (const lines of readResellerFile(open())) {
    checkDeadline()
    for (let at = 0; at < lines.length; at += PAGE) {
      checkDeadline()
      await stageLines(
        connection,
        await withoutStraySpaces(connection, resellerId, lines.slice(at, at + PAGE)),
      )
    }
    count += lines.length
    onLines(count)
  }
  checkDeadline()
  await indexStage(connection)
}

/** Removes spaces around a refid, unless we have a payment with exactly these spaces. */
async function withoutStraySpaces(
  connection: Queryable,
  resellerId: bigint,
  lines: readonly (ResellerLine | Unreadable)[],
): Promise<(ResellerLine | Unreadable)[]> {
  const spaced = lines.flatMap((line) =>
    'problem' in line || bareRefid(line.refid) === line.refid ? [] : [line.refid],
  )
  const known = await findByRefids(connection, resellerId, [...new Set(spaced)])
  return lines.map((line) =>
    'problem' in line || known.has(line.refid) ? line : { ...line, refid: bareRefid(line.refid) },
  )
}

// ── Lines of the reseller ──

async function compareStaged(
  connection: Queryable,
  { resellerId, checkDeadline = NO_DEADLINE }: ReconcileInput,
  days: DayRange,
  count: Count,
): Promise<void> {
  for (let after = 0; ; ) {
    checkDeadline()
    const page = await listStaged(connection, { after, limit: PAGE })
    const refids = page.flatMap(({ line }) => ('problem' in line ? [] : [line.refid]))
    const ours = await findByRefids(connection, resellerId, [...new Set(refids)])
    count.lines += page.length
    await count.tell(page.flatMap((staged) => lookAt(staged, ours, days, count)))
    if (page.length < PAGE) return
    after = page.at(-1)?.line.line ?? after
  }
}

function lookAt(
  { line, firstLine }: StagedLine,
  payments: ReadonlyMap<string, ReconciledPayment>,
  days: DayRange,
  count: Count,
): Mismatch[] {
  if ('problem' in line) return [unreadableOf(line)]
  const ours = payments.get(line.refid)
  if (isOutside(line, ours, days)) {
    count.outside += 1
    return []
  }
  if (firstLine < line.line) return [duplicateOf(line, firstLine, ours)]
  const found = compareLine(line, ours, days)
  if (found.length === 0) count.agreed += 1
  return found
}

// ── Our payments ──

async function findUnlisted(
  connection: Queryable,
  { resellerId, checkDeadline = NO_DEADLINE }: ReconcileInput,
  { from: fromDay, to: toDay }: DayRange,
  count: Count,
): Promise<void> {
  for (let after = 0n; ; ) {
    checkDeadline()
    const page = await listOfDays(connection, resellerId, { fromDay, toDay, after, limit: PAGE })
    const listed = await listStagedRefids(
      connection,
      page.map(({ refid }) => refid),
    )
    count.payments += page.length
    await count.tell(page.filter(({ refid }) => !listed.has(refid)).map(missingThere))
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? after
  }
}

// ── As a file ──

export function printMismatchHeadings(): string {
  return printCsv([['kind', 'cause', 'line', 'refid', 'transaction_id', 'theirs', 'ours', 'detail']])
}

export function printMismatches(mismatches: readonly Mismatch[]): string {
  return printCsv(
    mismatches.map((each) => [
      each.kind,
      each.cause,
      each.line === 0 ? '' : String(each.line),
      guardFormula(each.refid),
      each.paymentId === null ? '' : String(each.paymentId),
      guardFormula(each.theirs),
      guardFormula(each.ours),
      guardFormula(each.detail),
    ]),
  )
}
