import type { DatabaseClock } from '../../../db/clock.ts'
import { createGroupCommit } from '../../../db/commits/group-commit.ts'
import type { Progress } from '../../../db/commits/progress.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { assert, unavailable } from '../../../lib/errors.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { NONCE_SKEW_MAX_SECONDS } from '../../auth/service.ts'
import { findHeldWallets } from '../../wallet/balance/service.ts'
import { toPayment } from '../core/records.service.ts'
import { sealInput } from '../core/secrets.service.ts'
import type { PaymentRow } from '../core/sql.ts'
import { listPaymentRows } from '../core/sql.ts'
import { ACCEPTED } from '../core/states.rules.ts'
import type { Decision, Payment, SellerKind } from '../core/types.ts'
import { reachedOf } from '../limits/rules.ts'
import type { IntakeRow, SealedCommand } from './intake.sql.ts'
import { takePayments } from './intake.sql.ts'
import type { IntakeCommand, IntakeResult } from './intake.types.ts'

export type IntakeSettings = {
  database: Database
  vault: Vault
  failpoint: Failpoint
  /** Milliseconds for which the node that took a payment holds its lease. */
  leaseMs: number
  /** Called after each commit. */
  onCommitted?: (() => void) | undefined
  /**
   * Learns the database's time from rejections. Requests that this node receives after a rejection are then known to be
   * later.
   */
  clock?: Pick<DatabaseClock, 'observe'>
}

export type Intake = {
  /**
   * Rejects with NotAttemptedError, UncertainOutcomeError or the server's own error: see db/commits/group-commit. A command is
   * not begun when its client has gone (`isAwaited`).
   */
  submit(command: IntakeCommand, deadlineMs: number, isAwaited?: () => boolean): Promise<IntakeResult>
  readonly waiting: number
  readonly unanswered: number
  readonly progress: Progress
  drain(): Promise<void>
}

const BATCH_MAX = 256
const QUEUE_MAX = 20_000
const LANES = 1
const NO_EXTRAS = { subproductCode: null, billerCode: null, ref2: null, icNumber: null }

/** Result for the second use of a nonce within one batch: that command is not sent to the database. */
const NONCE_REFUSED = { verdict: 'nonce' } as const
type Taken =
  | (IntakeRow & Pick<Existing, 'readError'> & { readonly existing: PaymentRow | undefined })
  | typeof NONCE_REFUSED

/** Existing payments by reseller and id. `readError`: the reason why they could not be read. */
type Existing = { readonly rows: ReadonlyMap<string, PaymentRow>; readonly readError?: unknown }

/** Takes payments by group commit: nonce, debit, entry and work of a whole batch in one round trip. */
export function createIntake(settings: IntakeSettings): Intake {
  const group = createGroupCommit<IntakeCommand, Taken>({
    name: 'intake',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    fairnessKey: (command) => command.resellerId,
    looksForHangUps: true,
    execute: (commands) => takeBatch(settings, commands),
    heldRows: {
      keyOf: (command) => command.resellerId,
      findHeld: (resellerIds) => findHeldWallets(settings.database, resellerIds as readonly bigint[]),
    },
  })
  const { vault } = settings
  return {
    async submit(command, deadlineMs, isAwaited) {
      const row = await group.submit(command, deadlineMs, isAwaited)
      // Read outside the batch: a stored secret that does not open fails only the request that asked for it.
      return withFreshKeys(vault, () => readResult(vault, command, row))
    },
    get waiting() {
      return group.waiting
    },
    get unanswered() {
      return group.unanswered
    },
    get progress() {
      return group.progress
    },
    drain: () => group.drain(),
  }
}

/**
 * Takes a batch. Where several commands have one refid, the first is judged and the others only look it up, in the same
 * commit: they find the payment that the first created. Where the first created nothing, the others are taken one after
 * the other.
 */
async function takeBatch(settings: IntakeSettings, commands: readonly IntakeCommand[]): Promise<Taken[]> {
  const refids = new Set<string>()
  const digests = new Set<string>()
  const rows: (Taken | undefined)[] = []
  const sent: IntakeCommand[] = []
  const places: number[] = []
  const followers: number[] = []
  for (const [place, command] of commands.entries()) {
    if (command.nonce !== undefined && digests.has(command.nonce.digest)) {
      rows[place] = NONCE_REFUSED
      continue
    }
    if (command.nonce !== undefined) digests.add(command.nonce.digest)
    const key = `${command.resellerId} ${command.request.refid}`
    const isFollower = command.decision !== null && refids.has(key)
    if (isFollower) followers.push(place)
    else if (command.decision !== null) refids.add(key)
    places.push(place)
    sent.push(isFollower ? { ...command, decision: null, isLookupOnly: true } : command)
  }
  const taken = await take(settings, sent)
  for (const [index, place] of places.entries()) rows[place] = taken[index]
  for (const place of followers) {
    if (rows[place]?.verdict !== 'absent') continue
    const [row] = await take(settings, [commands[place] as IntakeCommand])
    rows[place] = row
  }
  return rows as Taken[]
}

/** Returns one row per command, in order. */
async function take(
  { database, vault, failpoint, leaseMs, onCommitted, clock }: IntakeSettings,
  commands: readonly IntakeCommand[],
): Promise<Taken[]> {
  const sealedCommands = commands.map((command) => seal(vault, command))
  failpoint('intake.before')
  const taken = await takePayments(database, sealedCommands, {
    skewMaxSeconds: NONCE_SKEW_MAX_SECONDS,
    leaseMs,
  })
  failpoint('intake.committed')
  onCommitted?.()
  const rejectedMs = taken.reduce((latest, row) => Math.max(latest, row.rejected_ms ?? 0), 0)
  if (rejectedMs > 0) clock?.observe(rejectedMs, performance.now())
  const existing = await findExisting(database, commands, taken)
  const rows = new Array<Taken>(commands.length)
  for (const { command, verdict, balance, id, rejected_ms, reached } of taken) {
    const payment =
      verdict === 'existing' ? existing.rows.get(`${commands[command - 1]?.resellerId}/${id}`) : undefined
    const { readError } = existing
    rows[command - 1] = { command, verdict, balance, id, rejected_ms, reached, existing: payment, readError }
  }
  return rows
}

/**
 * Reads existing payments after the commit, by reseller and id: polls cost a second query, new payments do not. A query
 * that fails fails the polls only, with its error, because the created payments are committed.
 */
async function findExisting(
  database: Database,
  commands: readonly IntakeCommand[],
  rows: readonly IntakeRow[],
): Promise<Existing> {
  const keys = rows.flatMap(({ verdict, id, command }) => {
    const resellerId = commands[command - 1]?.resellerId
    return verdict === 'existing' && id !== null && resellerId !== undefined ? [{ resellerId, id }] : []
  })
  if (keys.length === 0) return NONE_FOUND
  try {
    const found = await listPaymentRows(database, keys)
    return { rows: new Map(found.map((row) => [`${row.reseller_id}/${row.id}`, row])) }
  } catch (readError) {
    return { ...NONE_FOUND, readError }
  }
}

const NONE_FOUND: Existing = { rows: new Map() }

/**
 * Seals a command. A command without a decision stores its refid only, because its other fields may hold text that
 * PostgreSQL cannot.
 */
function seal(vault: Vault, command: IntakeCommand): SealedCommand {
  const { resellerId, request, decision } = command
  if (decision === null) {
    return sealed(command, { ...request, account: '', remarks: '', extras: NO_EXTRAS }, null)
  }
  return sealed(command, request, sealInput(vault, resellerId, request.refid, request.extras.icNumber))
}

/** Names every member: all commands have one form then, which V8 reads several times faster than spread copies. */
function sealed(
  command: IntakeCommand,
  request: IntakeCommand['request'],
  sealedInput: Buffer | null,
): SealedCommand {
  return {
    resellerId: command.resellerId,
    request,
    decision: command.decision,
    isLookupOnly: command.isLookupOnly,
    times: command.times,
    provider: command.provider,
    reservesStock: command.reservesStock,
    routeNote: command.routeNote,
    duplicateSeconds: command.duplicateSeconds,
    purposeId: command.purposeId,
    caps: command.caps,
    nonce: command.nonce,
    requestId: command.requestId,
    sender: command.sender,
    memberId: command.memberId,
    sealedInput,
  }
}

function readResult(vault: Vault, command: IntakeCommand, row: Taken): IntakeResult {
  switch (row.verdict) {
    case 'nonce':
      return { verdict: 'nonce' }
    case 'created':
      assert(command.decision !== null && row.id !== null, 'only a decided command creates')
      return { verdict: 'created', payment: created(command, command.decision, row.id, row.balance) }
    case 'existing': {
      if (row.existing === undefined) {
        throw unavailable('database_unavailable', 'a payment could not be read', row.readError)
      }
      return { verdict: 'existing', payment: toPayment(vault, row.existing) }
    }
    case 'limited': {
      assert(row.reached !== null, 'a limit that was reached is named')
      return { verdict: 'limited', balance: row.balance, reached: reachedOf(row.reached) }
    }
    case 'late':
    case 'lost':
      return { verdict: row.verdict }
    case 'unquoted':
    case 'repeated':
    case 'out_of_stock':
    case 'outranked':
    case 'insufficient':
    case 'absent':
      return { verdict: row.verdict, balance: row.balance }
  }
}

/** Builds a new payment from what was sent. The database returns only its id and the balance of the wallet. */
function created(command: IntakeCommand, decision: Decision, id: bigint, balance: bigint): Payment {
  const at = new Date(Number(id >> ID_SEQUENCE_BITS))
  return {
    resellerId: command.resellerId,
    id,
    refid: command.request.refid,
    productCode: decision.productCode,
    productName: decision.productName,
    account: command.request.account,
    canonicalAccount: decision.canonicalAccount ?? null,
    amount: decision.amount,
    faceValue: decision.faceValue,
    cost: decision.cost,
    balanceAfter: balance,
    code: ACCEPTED,
    extras: command.request.extras,
    remarks: command.request.remarks,
    output: NO_OUTPUT,
    sender: command.sender,
    memberId: command.memberId,
    seller: sellerOf(command),
    createdAt: at,
    changedAt: at,
  }
}

/** Says what the member of a new payment is, as the column of later reads does. */
function sellerOf({ memberId, purposeId, decision }: IntakeCommand): SellerKind | null {
  if (purposeId !== undefined) return 'key'
  if (!/^[0-9]+$/.test(memberId)) return 'order'
  return decision?.category === undefined ? null : 'member'
}

/** Bits below the millisecond in an id. The upper bits are the millisecond of the payment. */
const ID_SEQUENCE_BITS = 20n
const NO_OUTPUT = { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' }
