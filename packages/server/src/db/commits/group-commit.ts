import { assert } from '../../lib/errors.ts'
import { isCancelled, isLockTimeout, isOutOfRoom, isReadOnly, sqlSeverity } from '../database.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Progress } from './progress.ts'
import { trackProgress } from './progress.ts'
import type { HeldRows, SlowLines } from './slow-lines.ts'
import { createSlowLines } from './slow-lines.ts'

/**
 * Commits many small commands together: while one batch is on its way to the database the next one fills. The batch
 * size therefore follows the load by itself and nothing waits on a timer. Tried and rejected: a fixed delay to gather
 * commands (adds latency when idle, nothing when busy) and starting a batch on the first submit of a tick (batches of
 * one, because each socket's request arrives in a callback of its own; `setImmediate` gathers everything that the same
 * turn of the event loop read).
 */
export type GroupCommitOptions<Command, Result> = {
  name: string
  /**
   * Runs a batch in one transaction and returns one result per command, in order. Running the same commands again must
   * be harmless: it happens when a connection was lost and it is unknown whether it committed.
   */
  execute(commands: readonly Command[]): Promise<readonly Result[]>
  batchMax: number
  /** Limit of waiting commands; more are refused at once. */
  queueMax: number
  /** Limit of batches under way at the same time. */
  lanes: number
  /** Returns a key. Commands of one key keep their order, and no key can delay the others. */
  fairnessKey?(command: Command): unknown
  /**
   * Delays a batch by one turn of the event loop: a process that stood still reads a request in one turn and learns in
   * the next that its client had hung up.
   */
  looksForHangUps?: boolean
  /**
   * Rows that `execute` locks with a short `lock_timeout`. When a batch reaches it, the commands of the held rows wait
   * in lines of their own, and the others go on.
   */
  heldRows?: HeldRows<Command>
}

export type GroupCommit<Command, Result> = {
  /**
   * Submits a command. It is dropped when, before its batch starts, `deadlineMs` (performance.now) has passed or
   * `isAwaited` says that the caller has gone.
   */
  submit(command: Command, deadlineMs?: number, isAwaited?: () => boolean): Promise<Result>
  readonly waiting: number
  /** Number of commands that wait or whose batch is under way. */
  readonly unanswered: number
  readonly progress: Progress
  /** Refuses new commands and resolves when the last accepted one is answered. */
  drain(): Promise<void>
}

/**
 * Error of a full or closed queue, or of a command that was no longer awaited when its batch began: certainly nothing
 * was done.
 */
export class NotAttemptedError extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'NotAttemptedError'
  }
}

/** Error after the connection broke twice: it is unknown whether the command was committed. */
export class UncertainOutcomeError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: the outcome of a commit is uncertain`, { cause })
    this.name = 'UncertainOutcomeError'
  }
}

type Waiting<Command, Result> = {
  command: Command
  deadlineMs: number
  isAwaited: (() => boolean) | undefined
  /** Set when a connection was lost with this command under way: it may have been committed. */
  uncertain: UncertainOutcomeError | undefined
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createGroupCommit<Command, Result>(
  options: GroupCommitOptions<Command, Result>,
): GroupCommit<Command, Result> {
  assert(
    options.batchMax > 0 && options.queueMax > 0 && options.lanes > 0,
    `${options.name}: limits are positive`,
  )
  const queue = createFairQueue<Waiting<Command, Result>>()
  const slow = createSlowLines<Waiting<Command, Result>>({
    findHeld: (keys) => options.heldRows?.findHeld(keys) ?? Promise.resolve(new Set()),
    keepAwaited: dropUnawaited,
    release(_, items) {
      // The wait for a row is no standstill of this queue: the time starts anew when commands come back to an empty
      // queue.
      if (queue.size + underway === 0) progress.begin()
      for (const each of items) queue.add(options.fairnessKey?.(each.command), each)
      schedule()
    },
    refuse(items, reason) {
      for (const each of items) giveUp(each, `${options.name}: ${reason}`)
      schedule()
    },
  })
  const run: Run<Command, Result> = { options: { ...options, execute: watched }, slow }
  let lanesBusy = 0
  let underway = 0
  let scheduled = false
  let closed = false
  let drained: (() => void) | undefined
  const progress = trackProgress()

  function schedule(): void {
    if (scheduled || lanesBusy >= options.lanes) return
    scheduled = true
    const start = () => {
      scheduled = false
      startBatches()
    }
    setImmediate(options.looksForHangUps === true ? () => setImmediate(start) : start)
  }

  function startBatches(): void {
    while (lanesBusy < options.lanes && queue.size > 0) {
      const batch = divertHeld(run, dropUnawaited(queue.take(options.batchMax)))
      if (batch.length > 0) void runLane(batch)
    }
    if (closed && lanesBusy === 0 && queue.size === 0 && slow.size === 0) drained?.()
  }

  async function runLane(batch: Waiting<Command, Result>[]): Promise<void> {
    lanesBusy += 1
    underway += batch.length
    await settle(run, batch)
    underway -= batch.length
    lanesBusy -= 1
    startBatches()
  }

  async function watched(commands: readonly Command[]): Promise<readonly Result[]> {
    try {
      const results = await options.execute(commands)
      progress.note('committed')
      return results
    } catch (error) {
      if (isCertainRollback(error)) progress.note(isOutOfRoom(error) ? 'out of room' : 'rolled back')
      throw error
    }
  }

  return {
    get waiting() {
      return queue.size + slow.size
    },
    get unanswered() {
      return queue.size + slow.size + underway
    },
    get progress() {
      // A held row is no standstill of this queue.
      return progress.read(queue.size + underway > 0)
    },
    submit(command, deadlineMs = Number.POSITIVE_INFINITY, isAwaited = undefined) {
      if (closed) return Promise.reject(new NotAttemptedError(`${options.name}: closed`))
      if (queue.size >= options.queueMax) {
        return Promise.reject(new NotAttemptedError(`${options.name}: ${queue.size} commands are waiting`))
      }
      if (queue.size + underway === 0) progress.begin()
      return new Promise((resolve, reject) => {
        queue.add(options.fairnessKey?.(command), {
          command,
          deadlineMs,
          isAwaited,
          uncertain: undefined,
          resolve,
          reject,
        })
        schedule()
      })
    },
    drain() {
      closed = true
      return new Promise((resolve) => {
        drained = resolve
        slow.close()
        startBatches()
      })
    },
  }
}

/** Context that every step of a batch needs. */
type Run<Command, Result> = {
  readonly options: GroupCommitOptions<Command, Result>
  readonly slow: SlowLines<Waiting<Command, Result>>
}

/** Rejects a command that is not tried again. */
function giveUp<C, R>(waiting: Waiting<C, R>, reason: string): void {
  waiting.reject(waiting.uncertain ?? new NotAttemptedError(reason))
}

/**
 * Rejects a command whose run was rolled back. An earlier run whose connection was lost may have been committed: that
 * stays unknown.
 */
function refuse<C, R>(waiting: Waiting<C, R>, error: unknown): void {
  waiting.reject(waiting.uncertain ?? error)
}

function dropUnawaited<C, R>(items: Waiting<C, R>[]): Waiting<C, R>[] {
  const nowMs = performance.now()
  return items.filter((each) => {
    if (each.deadlineMs >= nowMs && each.isAwaited?.() !== false) return true
    giveUp(each, 'nobody waited any more when the batch began')
    return false
  })
}

/** Moves commands of a row that is known to be held to its line, and returns the others. */
function divertHeld<C, R>({ options, slow }: Run<C, R>, batch: Waiting<C, R>[]): Waiting<C, R>[] {
  const { heldRows } = options
  if (heldRows === undefined || slow.size === 0) return batch
  return batch.filter((each) => {
    const key = heldRows.keyOf(each.command)
    if (key === undefined || !slow.has(key)) return true
    slow.add(key, [each])
    return false
  })
}

/**
 * Counts of a batch's runs: `reruns` after a lost connection, `lockTimeouts` because another transaction held a row.
 */
type Tries = { readonly reruns: number; readonly lockTimeouts: number }
const FIRST_TRY: Tries = { reruns: 0, lockTimeouts: 0 }
const RERUNS_MAX = 1
/** Limit of lock timeouts of a batch; after it the whole batch waits. */
const LOCK_TIMEOUTS_MAX = 3

/** Answers every command of the batch or leaves it to a slow line, in every case. */
async function settle<C, R>(run: Run<C, R>, batch: Waiting<C, R>[], tries = FIRST_TRY): Promise<void> {
  if (batch.length === 0) return
  let results: readonly R[]
  try {
    results = await run.options.execute(batch.map((waiting) => waiting.command))
  } catch (error) {
    await recover(run, batch, error, tries)
    return
  }
  for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as R)
}

async function recover<C, R>(
  run: Run<C, R>,
  batch: Waiting<C, R>[],
  error: unknown,
  tries: Tries,
): Promise<void> {
  if (isReadOnly(error)) return runElsewhere(run, batch, error, tries)
  if (!isCertainRollback(error)) return rerun(run, batch, error, tries)
  if (run.options.heldRows !== undefined && isLockTimeout(error)) {
    return goOnWithoutHeld(run, batch, error, { ...tries, lockTimeouts: tries.lockTimeouts + 1 })
  }
  // No command is at fault, and halves would find no room either.
  if (batch.length === 1 || isOutOfRoom(error)) {
    for (const each of batch) refuse(each, error)
    return
  }
  // One bad command must not fail the others: the batch is halved until it is alone.
  const middle = batch.length >> 1
  await settle(run, batch.slice(0, middle))
  await settle(run, batch.slice(middle))
}

/**
 * Runs a batch again when it is unknown whether it was committed; the second run tells. Commands that are no longer
 * awaited are left out, because by now they must not be executed; they stay uncertain.
 */
async function rerun<C, R>(
  run: Run<C, R>,
  batch: Waiting<C, R>[],
  error: unknown,
  tries: Tries,
): Promise<void> {
  for (const each of batch) each.uncertain = new UncertainOutcomeError(run.options.name, error)
  const isLast = tries.reruns >= RERUNS_MAX
  if (isLast) for (const each of batch) giveUp(each, '')
  else await settle(run, dropUnawaited(batch), { ...tries, reruns: tries.reruns + 1 })
}

/**
 * Runs a batch again, on another connection, when the server only reads. This run wrote nothing and no command is at
 * fault, so halving the batch would only multiply the refusals.
 */
async function runElsewhere<C, R>(
  run: Run<C, R>,
  batch: Waiting<C, R>[],
  error: unknown,
  tries: Tries,
): Promise<void> {
  if (tries.reruns >= RERUNS_MAX) for (const each of batch) refuse(each, error)
  else await settle(run, dropUnawaited(batch), { ...tries, reruns: tries.reruns + 1 })
}

/**
 * Goes on after a rollback because of a wait for a row. Commands whose rows are held are set aside, and the others run
 * at once. Halving would wait for the same row again and again.
 */
async function goOnWithoutHeld<C, R>(
  { options, slow }: Run<C, R>,
  batch: Waiting<C, R>[],
  error: unknown,
  tries: Tries,
): Promise<void> {
  const { heldRows } = options
  assert(heldRows !== undefined, 'only batches with rows to lock come here')
  const keyOf = ({ command }: Waiting<C, R>) => heldRows.keyOf(command)
  const keys = [...new Set(batch.map(keyOf))].filter((key) => key !== undefined)
  if (keys.length === 0) {
    for (const each of batch) refuse(each, error)
    return
  }
  const areAllHeld = tries.lockTimeouts >= LOCK_TIMEOUTS_MAX
  const held = areAllHeld ? new Set(keys) : await heldRows.findHeld(keys).catch(() => new Set<unknown>(keys))
  for (const each of batch) if (held.has(keyOf(each))) slow.add(keyOf(each), [each])
  const others = batch.filter((each) => !held.has(keyOf(each)))
  await settle({ options, slow }, dropUnawaited(others), tries)
}

/**
 * Tells that the server itself reported ERROR: the transaction is rolled back. FATAL or a broken connection proves
 * nothing. A statement that took too long is no command's fault: halving the batch would multiply the wait, so the
 * batch is run once more as a whole. Neither is a server that only reads, which is no progress of the queue.
 */
function isCertainRollback(error: unknown): boolean {
  return sqlSeverity(error) === 'ERROR' && !isCancelled(error) && !isReadOnly(error)
}
