import { readWithin } from '../../../db/bounded.ts'
import type { Database, Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert } from '../../../lib/errors.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import type { OnProblem } from '../../../lib/observing/payment-stages.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import { listUsers } from '../../accounts/service.ts'
import type { Directory, DirectoryReseller } from '../../accounts/types.ts'
import { tellMembers } from '../../alerts/mail/notices.service.ts'
import type { Caller } from '../../auth/types.ts'
import {
  deleteOldBatches,
  insertBatch,
  insertBatchLines,
  listBatchRows,
  noteRefusal,
} from '../batches/sql.ts'
import { readPaymentRequest } from '../core/request.rules.ts'
import type { Payments, PayResult } from '../take/service.ts'
import type { Verdict } from './rules.ts'
import { nextRunMs, refidOf, verdictOf } from './rules.ts'
import { openScheduled } from './secrets.service.ts'
import type { HeldSchedule, ScheduleWork, SealedLine } from './sql.ts'
import {
  awaitTurn,
  forgetInputs,
  listScheduleLines,
  listScheduleRows,
  noteBegun,
  noteEnded,
  noteLine,
  noteStopped,
  readHeld,
  tryAgain,
} from './sql.ts'
import type { Schedule, StopReason } from './types.ts'

export type TurnSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly directory: Pick<Directory, 'findReseller'>
  readonly payments: Payments
  readonly failpoint: Failpoint
  readonly onProblem: OnProblem
}

/** Times of a claim on performance.now's clock: see `Term` of the orders' fulfilment, which pays in the same way. */
export type TurnTerm = { readonly claimedMs: number; readonly payUntilMs: number }

const TIMEOUT_MS = 8_000
/** Lines of one turn. Then the schedules of others have theirs. */
const TURN_LINES = 10
/** Pause of a schedule between its turns: a file does not crowd out payments that somebody waits for. */
const PACE_MS = 1_000
/** Pause after a line that could not be paid now. */
const AGAIN_MS = 20_000
/** Time for which it is tried. */
const FAILING_MAX_MS = 3_600_000
/** Delay after which a run is not begun any more: nobody expects it then. */
const LATE_MS = 86_400_000
/** Least seconds in which the same payment again counts as a slip, as on the page. */
const SLIP_SECONDS = 120

/** Lists a reseller's schedules, newest first. They are bounded: see `KEPT_MAX`. */
export function listSchedules(
  database: Pick<Database, 'transaction'>,
  resellerId: bigint,
): Promise<Schedule[]> {
  return readWithin(database, TIMEOUT_MS, (tx) => listScheduleRows(tx, resellerId))
}

/**
 * Pays the next lines of a run. Which line is paid under which refid is fixed by the schedule, the run and the line, so
 * a turn that was cut off anywhere is taken again, by any node, and pays nothing twice.
 */
export async function takeTurn(settings: TurnSettings, work: ScheduleWork, term: TurnTerm): Promise<void> {
  const { database } = settings
  const held = await readHeld(database, work)
  if (held === undefined) return
  const reseller = settings.directory.findReseller(work.resellerId)
  if (reseller === undefined) throw new Error(`reseller ${work.resellerId} is not in the directory`)
  const obstacle = await findObstacle(settings, held, reseller)
  if (obstacle !== undefined) return stop(settings, work, held, obstacle)
  const run = held.batchId === null ? await begin(settings, work, held, reseller) : held
  if (run === undefined) return
  settings.failpoint('schedule.begun')
  const lines = await listScheduleLines(database, work, { after: run.line, limit: TURN_LINES })
  for (const line of lines) {
    // The rest of the lease is for writing down.
    if (performance.now() >= term.payUntilMs) return awaitTurn(database, work, 0)
    const verdict = await payLine(settings, { work, held, reseller, term }, line)
    if (verdict.kind === 'later') return tryAgain(database, work, AGAIN_MS)
    if (verdict.kind === 'stop') return stop(settings, work, held, verdict.reason)
    settings.failpoint('schedule.paid')
    if (!(await note(settings, work, run, line, verdict))) return
    settings.failpoint('schedule.noted')
  }
  if (lines.length === TURN_LINES) return awaitTurn(database, work, PACE_MS)
  await end(settings, work, held)
}

/** Finds what stands against paying for the schedule at all. */
async function findObstacle(
  { database }: TurnSettings,
  held: HeldSchedule,
  reseller: DirectoryReseller,
): Promise<StopReason | undefined> {
  const { now, runAt, batchId, failingSince } = held
  if (batchId === null && now.getTime() - runAt.getTime() > LATE_MS) return 'late'
  if (failingSince !== null && now.getTime() - failingSince.getTime() > FAILING_MAX_MS) return 'unavailable'
  const member = (await listUsers(database, reseller.id)).find(({ id }) => id === held.memberId)
  if (member?.status !== 'active' || !memberMay(member, 'bulk')) return 'member'
  return reseller.topupRequiresApiKey || !reseller.allowsAddress(held.sender) ? 'not_allowed' : undefined
}

type Run = { readonly batchId: bigint; readonly line: number }

/** Begins a run: writes down its lines with their refids. undefined: another node has the schedule. */
function begin(
  { database }: TurnSettings,
  work: ScheduleWork,
  held: HeldSchedule,
  { account }: DirectoryReseller,
): Promise<Run | undefined> {
  const { resellerId, id } = work
  const { memberId, name, runs: run } = held
  return database
    .transaction(async (tx) => {
      const lines = await listScheduleLines(tx, work, { after: -1, limit: held.lines })
      const batchId = await insertBatch(tx, resellerId, { memberId, name, scheduleId: id, run: run + 1 })
      if (!(await noteBegun(tx, work, batchId))) {
        // The batch belongs to nobody: it goes with the transaction.
        throw new LostSchedule()
      }
      const named = lines.map((line) => ({
        ...line,
        refid: refidOf({ account, scheduleId: id, run, line: line.line }),
      }))
      await insertBatchLines(tx, resellerId, batchId, named)
      await deleteOldBatches(tx, resellerId)
      return { batchId, line: -1 }
    })
    .catch((error: unknown) => {
      if (error instanceof LostSchedule) return undefined
      throw error
    })
}

class LostSchedule extends Error {}

type Paying = {
  readonly work: ScheduleWork
  readonly held: HeldSchedule
  readonly reseller: DirectoryReseller
  readonly term: TurnTerm
}

type LineEnd = Verdict | { readonly kind: 'paid' }

/** Pays one line. A repeated call finds the payment of the first by its refid. */
async function payLine(settings: TurnSettings, paying: Paying, line: SealedLine): Promise<LineEnd> {
  const { work, held, reseller, term } = paying
  const refid = refidOf({ account: reseller.account, scheduleId: work.id, run: held.runs, line: line.line })
  const caller: Caller = {
    reseller,
    kind: 'user',
    memberId: String(held.memberId),
    scopes: new Set(['pay']),
  }
  try {
    const result = await settings.payments.pay({
      caller,
      request: await requestOf(settings, work, held, { line, refid }),
      sender: held.sender,
      receivedMs: term.claimedMs,
      deadlineMs: term.payUntilMs,
      duplicateSecondsMin: SLIP_SECONDS,
    })
    return endOf(result)
  } catch (error) {
    // It is not known whether the payment exists. The next turn asks again with the same refid.
    const about = { resellerId: work.resellerId, refid }
    settings.onProblem(`line ${line.line} of schedule ${work.id} is left for the next turn`, error, about)
    return { kind: 'later' }
  }
}

function endOf(result: PayResult): LineEnd {
  switch (result.kind) {
    case 'payment':
      return { kind: 'paid' }
    case 'conflict':
      return { kind: 'refused', refusal: 'Conflict' }
    case 'rejected':
      return verdictOf(result.rejection)
  }
}

async function requestOf(
  { vault }: TurnSettings,
  { resellerId, id }: ScheduleWork,
  { repeats }: HeldSchedule,
  { line, refid }: { readonly line: SealedLine; readonly refid: string },
) {
  const { product, account, amount, remarks, subproductCode, billerCode, ref2, cost, sealedInput } = line
  const place = { resellerId, scheduleId: id, line: line.line }
  const extras = {
    subproduct_code: subproductCode,
    biller_code: billerCode,
    ref2,
    ic_number: await openScheduled(vault, place, sealedInput),
  }
  const read = readPaymentRequest({ refid, product, account, amount, remarks: remarks ?? undefined, extras })
  assert(read.kind === 'request', 'a derived refid can be read')
  const terms = { quoteId: null, costMax: cost, allowsDuplicate: repeats === 'pay' }
  return { ...read.request, terms }
}

/** Writes the end of a line down. False: another node has the schedule, or somebody stopped it. */
function note(
  { database }: TurnSettings,
  work: ScheduleWork,
  { batchId }: { readonly batchId: bigint | null },
  { line }: SealedLine,
  verdict: LineEnd,
): Promise<boolean> {
  if (verdict.kind !== 'refused' || batchId === null) return noteLine(database, work, line)
  return database.transaction(async (tx) => {
    const isHeld = await noteLine(tx, work, line)
    if (isHeld) await noteRefusal(tx, work.resellerId, batchId, { line, refusal: verdict.refusal })
    return isHeld
  })
}

function end({ database }: TurnSettings, work: ScheduleWork, held: HeldSchedule): Promise<void> {
  const nextMs = nextRunMs(
    held.every,
    held.firstAt.getTime(),
    Math.max(held.now.getTime(), held.runAt.getTime()),
  )
  return database.transaction(async (tx) => {
    const last = await readHeld(tx, work)
    if (last === undefined) return
    if (nextMs === undefined) await forgetInputs(tx, work)
    if (await noteEnded(tx, work, nextMs === undefined ? null : new Date(nextMs))) {
      await tell(tx, work, last, null)
    }
  })
}

/** Stops the schedule and says why. Whoever may goes on with it. */
function stop(
  { database }: TurnSettings,
  work: ScheduleWork,
  held: HeldSchedule,
  reason: StopReason,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (await noteStopped(tx, work, reason)) await tell(tx, work, held, reason)
  })
}

/** Tells the members what became of a run, in the commit that ends or stops it. */
async function tell(
  tx: Tx,
  { resellerId, id }: ScheduleWork,
  held: HeldSchedule,
  reason: StopReason | null,
): Promise<void> {
  const { batchId, name, runAt, now } = held
  const [batch] = batchId === null ? [] : await listBatchRows(tx, resellerId, batchId)
  const { unpaid = held.lines, cost = 0n } = batch?.counts ?? {}
  await tellMembers(tx, {
    resellerId,
    kind: 'schedule',
    at: now,
    data: {
      ...{ schedule: String(id), name, reason, run_at: runAt.toISOString() },
      ...{ lines: held.lines, unpaid, cost: String(cost) },
    },
  })
}
