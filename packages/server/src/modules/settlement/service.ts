import type { Database, Queryable } from '../../db/database.ts'
import { joined } from '../../db/joined.ts'
import type { Vault } from '../../db/vault.ts'
import { RequestError } from '../../lib/errors.ts'
import { PROVIDER_CODE } from '../../lib/input/codes.ts'
import { LIST_LIMIT, oneOf, readFields } from '../../lib/input/fields.ts'
import { REASON } from '../../lib/input/records.ts'
import type { Evidence } from '../payments/support/settled.service.ts'
import { listAttemptsOf, noteOnPayment, resolveByEvidence } from '../payments/support/settled.service.ts'
import type { SettledAttempt } from '../payments/support/settled.types.ts'
import { compareLines, noSuchFile } from './compare.service.ts'
import type { KindCount } from './differences.sql.ts'
import {
  closeDifference,
  countByKind,
  findDifference,
  hasOpenAmount,
  listDifferenceRows,
  lockDifference,
} from './differences.sql.ts'
import type { ListedLine } from './sql.ts'
import { findFile, findOpposite, listFileProviders, listFiles, listLines } from './sql.ts'
import type { Difference, DifferenceKind, SettlementFile } from './types.ts'
import { DIFFERENCE_KINDS } from './types.ts'

/** Lists the providers of whom files were imported, those that are gone included. */
export function listSettledProviders(database: Queryable): Promise<string[]> {
  return listFileProviders(database)
}

/** Lists the latest day first. */
export function listSettlements(
  database: Database,
  page: { provider?: string | undefined; limit: number },
): Promise<SettlementFile[]> {
  const { limit } = readFields({ limit: LIST_LIMIT }, page)
  const provider = page.provider === undefined ? null : readFields({ provider: PROVIDER_CODE }, page).provider
  return listFiles(database, { provider, limit })
}

export async function getSettlement(
  database: Database,
  id: bigint,
): Promise<{ file: SettlementFile; kinds: KindCount[] }> {
  const file = await findFile(database, id)
  if (file === undefined) throw noSuchFile()
  return { file, kinds: await countByKind(database, id) }
}

export type DifferenceQuery = {
  readonly kind?: string | undefined
  readonly withClosed: boolean
  readonly after?: bigint | undefined
  readonly limit: number
}

export async function listDifferences(
  database: Database,
  fileId: bigint,
  query: DifferenceQuery,
): Promise<Difference[]> {
  const { limit } = readFields({ limit: LIST_LIMIT }, query)
  const kind: DifferenceKind | null =
    query.kind === undefined ? null : readFields({ kind: oneOf(DIFFERENCE_KINDS) }, query).kind
  if ((await findFile(database, fileId)) === undefined) throw noSuchFile()
  const { withClosed, after = 0n } = query
  return listDifferenceRows(database, fileId, { kind, withClosed, after, limit })
}

// ── Ends of a difference ──

type Settings = { readonly database: Database; readonly vault: Vault }

const REASON_RULES = { reason: REASON }

/** Closes a difference that somebody examined and accepts as it is; the payment's timeline says so. */
export async function acceptDifference(
  { database }: Pick<Settings, 'database'>,
  id: bigint,
  input: { reason: string },
): Promise<Difference> {
  const { reason } = readFields(REASON_RULES, input)
  return database.transaction(async (tx) => {
    const closed = await closeDifference(tx, id, 'accepted', reason)
    if (closed === undefined) throw await notOpen(tx, id)
    const { resellerId, paymentId, attempt } = closed
    if (resellerId !== null && paymentId !== null) {
      const text = `${closed.kind}: there ${closed.theirs || 'nothing'}, here ${closed.ours || 'nothing'}`
      const detail = `${text}; ${lineText(closed)}; accepted: ${reason}`
      await noteOnPayment(tx, { resellerId, paymentId, attempt }, 'settlement', detail)
    }
    return closed
  })
}

/**
 * Ends a payment that is not final here but final there: the file is evidence, and counts like the provider's own
 * answer. Nothing else can be applied, because a payment that is final here changes only by a void. Evidence that
 * contradicts itself is refused.
 */
export async function applyDifference(
  settings: Settings,
  id: bigint,
  input: { reason: string },
): Promise<Difference> {
  const { reason } = readFields(REASON_RULES, input)
  return settings.database.transaction(async (tx) => {
    const database = joined(tx, settings.database)
    // A withdrawal of the file closes the difference too: its evidence counts or is withdrawn, never both.
    await lockDifference(tx, id)
    const difference = await findDifference(tx, id)
    if (difference === undefined || difference.closedAt !== null) throw await notOpen(tx, id)
    const { file, line, ours } = await readDifference(database, difference)
    if (ours?.isOpen && difference.kind === 'state') {
      await refuseContradictory(database, file, line)
      const evidence = evidenceOf(ours, line, `${lineText(difference)}: ${reason}`)
      await resolveByEvidence({ ...settings, database }, evidence)
    }
    const left = await compareLines(tx, file, [line])
    if (left.some(({ kind }) => kind === difference.kind)) throw notApplicable()
    return (await closeDifference(tx, id, 'agrees', reason)) ?? (await getDifference(database, id))
  })
}

async function readDifference(
  database: Database,
  difference: Difference,
): Promise<{ file: SettlementFile; line: ListedLine; ours: SettledAttempt | undefined }> {
  const file = await findFile(database, difference.fileId)
  const [line] = await listLines(database, difference.fileId, { afterLine: difference.line - 1, limit: 1 })
  if (file === undefined || line === undefined || line.line !== difference.line) throw notApplicable()
  const { paymentId, attempt } = line
  if (paymentId === null || attempt === null) return { file, line, ours: undefined }
  const [ours] = await listAttemptsOf(database, file.provider, [{ paymentId, attempt }])
  return { file, line, ours }
}

async function refuseContradictory(
  database: Database,
  file: SettlementFile,
  line: ListedLine,
): Promise<void> {
  const opposite = await findOpposite(database, file.provider, line)
  if (opposite !== undefined) {
    throw contradictory(
      `file ${opposite.file_id}, line ${opposite.line} has the same order as ${opposite.state}. ` +
        'Ask the provider, and withdraw the file that is wrong.',
    )
  }
  if (await hasOpenAmount(database, file.id, line.line)) {
    throw contradictory('the same line has another amount than ours. End that difference first.')
  }
}

function evidenceOf(ours: SettledAttempt, line: ListedLine, text: string): Evidence {
  if (line.state === 'pending') throw notApplicable()
  const { resellerId, paymentId, attempt } = ours
  const output = { serialNumber: line.serialNumber, pin: '', expiry: '', voucherLink: '', note: '' }
  return {
    resellerId,
    paymentId,
    attempt,
    outcome:
      line.state === 'succeeded'
        ? { kind: 'succeeded', output }
        : { kind: 'failed', code: 48, reason: 'Provider_Rejected' },
    text,
  }
}

export async function getDifference(database: Database, id: bigint): Promise<Difference> {
  const difference = await findDifference(database, id)
  if (difference === undefined) throw noSuchDifference()
  return difference
}

function lineText({ fileId, line }: Difference): string {
  return line === 0 ? `settlement file ${fileId}` : `settlement file ${fileId}, line ${line}`
}

async function notOpen(connection: Parameters<typeof findDifference>[0], id: bigint): Promise<RequestError> {
  if ((await findDifference(connection, id)) === undefined) return noSuchDifference()
  return new RequestError({
    status: 409,
    code: 'already_closed',
    publicText: 'The difference is closed already.',
  })
}

function noSuchDifference(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such difference.' })
}

function contradictory(how: string): RequestError {
  return new RequestError({
    status: 409,
    code: 'contradictory_evidence',
    publicText: `The file cannot decide this one: ${how}`,
  })
}

function notApplicable(): RequestError {
  return new RequestError({
    status: 409,
    code: 'not_applicable',
    publicText:
      'The file cannot decide this one: only a payment that is not final here and is final there is ended by it. ' +
      'Accept the difference with a reason, after what is to be done about it was done.',
  })
}
