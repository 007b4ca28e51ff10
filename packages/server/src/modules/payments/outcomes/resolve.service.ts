import { createGroupCommit } from '../../../db/commits/group-commit.ts'
import type { Progress } from '../../../db/commits/progress.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import type { Outcome } from '../../providers/port/types.ts'
import { findHeldWallets } from '../../wallet/balance/service.ts'
import { sealOutput } from '../core/secrets.service.ts'
import { PROCESSING, SUCCEEDED, VOIDED } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'
import type { Move, Resolution } from './resolve.sql.ts'
import { resolvePayments } from './resolve.sql.ts'
import { supplierFactsOf } from './supplier-facts.rules.ts'
import { keepSupplierFacts } from './supplier-facts.sql.ts'

/** Provider and product, which are labels of the metrics, and the names under which the payment is found in logs. */
export type PaymentLabels = {
  readonly provider: string
  readonly product: string
  readonly refid?: string | undefined
  readonly requestId?: string | undefined
}

export type ResolveCommand = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly outcome: Outcome | { readonly kind: 'voided' }
  /** Milliseconds until the next question, while the payment is not final. */
  readonly nextMs: number
  /** Attempt that the provider answered about; left out: the outcome is about the payment itself. */
  readonly attempt?: number
  /** Source of the outcome for the timeline, when it was not the provider's own answer to the order. */
  readonly evidence?: string
  /** Lease of the sender. If another node holds the work by then, that node decides when to ask next. */
  readonly lease?: number
  /** Labels under which the metrics count the payment. */
  readonly about?: PaymentLabels
  /** True: a failure that the provider did not report. It counts only while the sender still has the lease. */
  readonly isConcluded?: boolean
}

export type Resolver = {
  /** Writes an outcome; true when the payment moved, false when it had moved before. */
  submit(command: ResolveCommand): Promise<boolean>
  readonly waiting: number
  readonly unanswered: number
  readonly progress: Progress
  drain(): Promise<void>
}

const BATCH_MAX = 256
const QUEUE_MAX = 100_000
const LANES = 1

/** Writes outcomes by group commit. The refund of a failure is in the same commit. */
export function createResolver(settings: {
  database: Database
  vault: Vault
  failpoint: Failpoint
  /** Called once per contradiction, after the commit that noted it and raised the alert. */
  onContradiction?: ((command: ResolveCommand) => void) | undefined
  /** Called after the commit that moved the payment. */
  onMoved?: ((command: ResolveCommand) => void) | undefined
  /** Called after each commit. */
  onCommitted?: (() => void) | undefined
}): Resolver {
  const { database, vault, failpoint, onContradiction, onMoved, onCommitted } = settings

  async function resolveBatch(commands: readonly ResolveCommand[]): Promise<boolean[]> {
    const moved: boolean[] = commands.map(() => false)
    for (const round of roundsOf(commands)) {
      const said = round.map((place) => commands[place] as ResolveCommand)
      const moves = said.map((command) => toMove(vault, command))
      const givesBack = moves.some(({ code }) => code !== PROCESSING && code !== SUCCEEDED)
      failpoint(givesBack ? 'refund.before' : 'resolve.before')
      const resolution = await writeMoves(database, moves, said)
      for (const index of resolution.moved.keys()) {
        moved[round[index] as number] = true
        onMoved?.(commands[round[index] as number] as ResolveCommand)
      }
      for (const index of resolution.contradictions)
        onContradiction?.(commands[round[index] as number] as ResolveCommand)
      failpoint(givesBack ? 'refund.committed' : 'resolve.committed')
      onCommitted?.()
    }
    return moved
  }

  const group = createGroupCommit<ResolveCommand, boolean>({
    name: 'resolve',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    execute: resolveBatch,
    heldRows: {
      keyOf: ({ resellerId, outcome }) => (movesMoney(outcome) ? resellerId : undefined),
      findHeld: (resellerIds) => findHeldWallets(database, resellerIds as readonly bigint[]),
    },
  })
  return {
    submit: (command) => group.submit(command),
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

/** Writes moves, and in the same commit what the suppliers said beside them; where nothing was said, in one statement. */
function writeMoves(
  database: Database,
  moves: readonly Move[],
  commands: readonly ResolveCommand[],
): Promise<Resolution> {
  const facts = commands.flatMap((command) => supplierFactsOf(command) ?? [])
  if (facts.length === 0) return resolvePayments(database, moves)
  return database.transaction(async (tx) => {
    const resolution = await resolvePayments(tx, moves)
    await keepSupplierFacts(tx, facts)
    return resolution
  })
}

/** Tells whether the outcome locks the wallet: only a refund does. */
function movesMoney({ kind }: ResolveCommand['outcome']): boolean {
  return kind === 'failed' || kind === 'voided'
}

/** Returns the positions of a batch in lock order. The second command of one payment goes into a round of its own. */
function roundsOf(commands: readonly ResolveCommand[]): number[][] {
  const rounds: number[][] = []
  const seen = new Map<string, number>()
  const inOrder = commands
    .map((command, place) => ({ command, place }))
    .sort(
      (a, b) => compare(a.command.resellerId, b.command.resellerId) || compare(a.command.id, b.command.id),
    )
  for (const { command, place } of inOrder) {
    const key = `${command.resellerId} ${command.id}`
    const round = seen.get(key) ?? 0
    seen.set(key, round + 1)
    const places = rounds[round] ?? []
    places.push(place)
    rounds[round] = places
  }
  return rounds
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const REASON_LENGTH_MAX = 200

/** Names every member in one place: all moves have one form then, which V8 reads several times faster. */
function toMove(vault: Vault, command: ResolveCommand): Move {
  const { resellerId, id, outcome, nextMs, attempt, lease = null, isConcluded = false } = command
  const output = outcome.kind === 'succeeded' ? outcome.output : undefined
  const isOpen = outcome.kind === 'pending' || outcome.kind === 'unknown'
  const needsLease = isOpen || (outcome.kind === 'failed' && isConcluded)
  return {
    resellerId,
    id,
    code: codeOf(outcome),
    failure: failureOf(outcome),
    serialNumber: output?.serialNumber ?? null,
    expiry: output?.expiry ?? null,
    note: output?.note ?? null,
    sealedOutput: output === undefined ? null : sealOutput(vault, resellerId, id, output),
    nextMs: isOpen ? nextMs : null,
    attempt: attempt ?? null,
    evidence: evidenceOf(command),
    lease: needsLease ? lease : null,
  }
}

function codeOf(outcome: ResolveCommand['outcome']): PaymentCode {
  switch (outcome.kind) {
    case 'succeeded':
      return SUCCEEDED
    case 'failed':
      return outcome.code
    case 'voided':
      return VOIDED
    case 'pending':
    case 'unknown':
      return PROCESSING
  }
}

function failureOf(outcome: ResolveCommand['outcome']): string | null {
  if (outcome.kind === 'voided') return 'Refund'
  return outcome.kind === 'failed' ? outcome.reason : null
}

/** Returns the source of an outcome, or the reason why it is unknown. The timeline keeps it when the payment moves. */
function evidenceOf({ outcome, evidence }: ResolveCommand): string | null {
  if (evidence !== undefined) return evidence
  return outcome.kind === 'unknown' ? outcome.reason.slice(0, REASON_LENGTH_MAX) : null
}
