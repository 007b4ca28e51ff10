import { createGroupCommit } from '../../../db/commits/group-commit.ts'
import type { Database, Tx } from '../../../db/database.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import type { AttemptKey, ReferenceToKeep } from './attempts.sql.ts'
import { keepReferences, listHeld, releaseAttempts } from './attempts.sql.ts'
import type { AttemptCommand, BegunRow, LeasedCommand } from './work.sql.ts'
import { beginAttempts, resumeAttempts } from './work.sql.ts'

export type Attempts = {
  /**
   * Begins an attempt and returns the new lease for its holder. undefined: another node was faster, or an earlier attempt
   * is undecided.
   */
  begin(command: AttemptCommand): Promise<Begun | undefined>
  /**
   * Tells whether the attempt is still its holder's. False: the payment or the lease has ended, or another node took it
   * over.
   */
  isPresent(attempt: AttemptKey): Promise<boolean>
  /**
   * Keeps the reference under which a provider gets the attempt, and returns the one that is kept for ever. undefined: the
   * attempt is not its holder's any more.
   */
  keepReference(wanted: ReferenceToKeep): Promise<string | undefined>
  /** Releases an attempt that was not sent and never will be. Only its holder can know that. */
  release(attempt: AttemptKey): Promise<void>
  drain(): Promise<void>
}

export type Begun = {
  /** Time of submission by the database's clock. */
  readonly submittedAt: Date
  /** End of the lease on leaseNowMs's clock. */
  readonly leaseEndsMs: number
  readonly lease: number
}

const BATCH_MAX = 256
const QUEUE_MAX = 100_000
const LANES = 1

/**
 * Begins further attempts by group commit. When a provider fails, all orders that waited for it go to other providers
 * at once; they must not take the database's connections from requests to pay. A commit with an unknown result is
 * repeated and then finds its own attempt. A provider that cannot be asked would otherwise never get the order. An order
 * that is sent again under the same reference is left to recovery: its provider can be asked.
 */
export function createAttempts(settings: {
  database: Database
  leaseMs: number
  failpoint: Failpoint
}): Attempts {
  const { database, leaseMs, failpoint } = settings
  /** Commands of which an earlier run may be committed. */
  const unsure = new WeakSet<AttemptCommand>()

  async function beginOrResume(tx: Tx, commands: readonly AttemptCommand[]): Promise<readonly BegunRow[]> {
    const rows = await beginAttempts(tx, commands, leaseMs)
    const begun = new Set(rows.map(({ command }) => command))
    const lost = commands.flatMap((command, index) =>
      unsure.has(command) && !begun.has(index + 1) && isNewAttempt(command)
        ? [{ command, place: index + 1 }]
        : [],
    )
    if (lost.length === 0) return rows
    const resumed = await resumeAttempts(
      tx,
      lost.map(({ command }) => command),
      leaseMs,
    )
    return [...rows, ...resumed.map((row) => ({ ...row, command: lost[row.command - 1]?.place ?? 0 }))]
  }

  const group = createGroupCommit<AttemptCommand, Begun | undefined>({
    name: 'attempts',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    async execute(commands) {
      const leaseEndsMs = leaseNowMs() + leaseMs
      failpoint('attempt.before')
      const rows = await database
        .transaction((tx) => beginOrResume(tx, commands))
        .catch((error: unknown) => {
          for (const command of commands) unsure.add(command)
          throw error
        })
      failpoint('attempt.committed')
      const begun: (Begun | undefined)[] = commands.map(() => undefined)
      for (const row of rows) {
        begun[row.command - 1] = { submittedAt: row.submitted_at, leaseEndsMs, lease: row.lease }
      }
      return begun
    },
  })
  const looks = createGroupCommit<AttemptKey, boolean>({
    name: 'attempts looked at',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    async execute(attempts) {
      const present = await listHeld(database, attempts)
      return attempts.map((_, index) => present.has(index + 1))
    },
  })
  const references = createGroupCommit<ReferenceToKeep, string | undefined>({
    name: 'references kept',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    async execute(wanted) {
      const kept = await keepReferences(database, wanted)
      return wanted.map((_, index) => kept.get(index + 1))
    },
  })
  const releases = createGroupCommit<AttemptKey, void>({
    name: 'attempts given back',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    async execute(attempts) {
      await releaseAttempts(database, attempts)
      return attempts.map(() => undefined)
    },
  })
  return {
    begin: (command) => group.submit(command),
    isPresent: (attempt) => looks.submit(attempt),
    keepReference: (wanted) => references.submit(wanted),
    release: (attempt) => releases.submit(attempt),
    async drain() {
      await Promise.all([group.drain(), looks.drain(), references.drain(), releases.drain()])
    },
  }
}

function isNewAttempt(command: AttemptCommand): command is LeasedCommand {
  return command.isBegun && command.isRepeat !== true && command.lease !== null
}
