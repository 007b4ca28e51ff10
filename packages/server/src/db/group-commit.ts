import { assert } from '../lib/errors.ts'
import { isCancelled, sqlSeverity } from './database.ts'
import type { Progress } from './progress.ts'
import { trackProgress } from './progress.ts'

/**
 * Many small commands, one commit: while one batch is on its way to the database the next one fills, so the
 * batch size follows the load by itself and nothing waits on a timer. Tried and rejected: a fixed delay to
 * gather commands (adds latency when idle, nothing when busy) and starting a batch on the first submit of a
 * tick (batches of one, because each socket's request arrives in a callback of its own; `setImmediate`
 * gathers everything the same turn of the event loop read).
 */
export type GroupCommitOptions<Command, Result> = {
  name: string
  /**
   * Runs a batch in one transaction and returns one result per command, in order. Running the same commands
   * again must be harmless: it happens when a connection was lost and nobody knows whether it committed.
   */
  execute(commands: readonly Command[]): Promise<readonly Result[]>
  batchMax: number
  /** Commands that may wait; more are refused at once rather than piling up. */
  queueMax: number
  /** Batches that may be under way at the same time. */
  lanes: number
  /** Commands of one key keep their order, and no key can keep the others waiting. */
  fairnessKey?(command: Command): unknown
}

export type GroupCommit<Command, Result> = {
  /** `deadlineMs` (performance.now) drops a command whose caller has gone before its batch starts. */
  submit(command: Command, deadlineMs?: number): Promise<Result>
  readonly waiting: number
  /** Those that wait and those whose batch is under way. */
  readonly unanswered: number
  readonly progress: Progress
  /** Refuses new commands and resolves when the last accepted one is answered. */
  drain(): Promise<void>
}

/** The queue is full or closed, or the deadline passed before the batch began: certainly nothing was done. */
export class NotAttemptedError extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'NotAttemptedError'
  }
}

/** The connection broke twice: nobody knows whether the command was committed. */
export class UncertainOutcomeError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: the outcome of a commit is uncertain`, { cause })
    this.name = 'UncertainOutcomeError'
  }
}

type Waiting<Command, Result> = {
  command: Command
  deadlineMs: number
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
  let lanesBusy = 0
  let underway = 0
  let scheduled = false
  let closed = false
  let drained: (() => void) | undefined
  const progress = trackProgress()

  function schedule(): void {
    if (scheduled || lanesBusy >= options.lanes) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      startBatches()
    })
  }

  function startBatches(): void {
    while (lanesBusy < options.lanes && queue.size > 0) {
      const batch = dropExpired(queue.take(options.batchMax))
      if (batch.length > 0) void runLane(batch)
    }
    if (closed && lanesBusy === 0 && queue.size === 0) drained?.()
  }

  async function runLane(batch: Waiting<Command, Result>[]): Promise<void> {
    lanesBusy += 1
    underway += batch.length
    await settle({ ...options, execute: watched }, batch)
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
      if (isCertainRollback(error)) progress.note('rolled back')
      throw error
    }
  }

  return {
    get waiting() {
      return queue.size
    },
    get unanswered() {
      return queue.size + underway
    },
    get progress() {
      return progress.read(queue.size + underway > 0)
    },
    submit(command, deadlineMs = Number.POSITIVE_INFINITY) {
      if (closed) return Promise.reject(new NotAttemptedError(`${options.name}: closed`))
      if (queue.size >= options.queueMax) {
        return Promise.reject(new NotAttemptedError(`${options.name}: ${queue.size} commands are waiting`))
      }
      if (queue.size + underway === 0) progress.begin()
      return new Promise((resolve, reject) => {
        queue.add(options.fairnessKey?.(command), { command, deadlineMs, resolve, reject })
        schedule()
      })
    },
    drain() {
      closed = true
      return new Promise((resolve) => {
        drained = resolve
        startBatches()
      })
    },
  }
}

function dropExpired<C, R>(batch: Waiting<C, R>[]): Waiting<C, R>[] {
  const now = performance.now()
  return batch.filter((waiting) => {
    if (waiting.deadlineMs >= now) return true
    waiting.reject(new NotAttemptedError('the deadline passed before the batch began'))
    return false
  })
}

/** Answers every command of the batch, whatever happens. */
async function settle<C, R>(
  options: GroupCommitOptions<C, R>,
  batch: Waiting<C, R>[],
  isRerun = false,
): Promise<void> {
  let results: readonly R[]
  try {
    results = await options.execute(batch.map((waiting) => waiting.command))
  } catch (error) {
    await recover(options, batch, error, isRerun)
    return
  }
  for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as R)
}

async function recover<C, R>(
  options: GroupCommitOptions<C, R>,
  batch: Waiting<C, R>[],
  error: unknown,
  isRerun: boolean,
): Promise<void> {
  if (!isCertainRollback(error)) {
    if (!isRerun) return settle(options, batch, true)
    for (const waiting of batch) waiting.reject(new UncertainOutcomeError(options.name, error))
    return
  }
  if (batch.length === 1) {
    batch[0]?.reject(error)
    return
  }
  // One bad command must not fail its neighbours: halve until it stands alone.
  const middle = batch.length >> 1
  await settle(options, batch.slice(0, middle))
  await settle(options, batch.slice(middle))
}

/**
 * The server itself said ERROR: the transaction is rolled back. FATAL or a broken connection says nothing. A statement
 * that took too long is no command's fault: halving the batch would multiply the wait, so it is run once more whole.
 */
function isCertainRollback(error: unknown): boolean {
  return sqlSeverity(error) === 'ERROR' && !isCancelled(error)
}

export type FairQueue<Item> = {
  readonly size: number
  add(key: unknown, item: Item): void
  take(max: number): Item[]
}

/** One line per key; a batch takes an equal share of every line, and a line served goes to the back. */
export function createFairQueue<Item>(): FairQueue<Item> {
  const lines = new Map<unknown, { items: Item[]; head: number }>()
  let size = 0
  return {
    get size() {
      return size
    },
    add(key, item) {
      const line = lines.get(key)
      if (line === undefined) lines.set(key, { items: [item], head: 0 })
      else line.items.push(item)
      size += 1
    },
    take(max) {
      const taken: Item[] = []
      while (taken.length < max && size > 0) {
        const share = Math.max(1, Math.floor((max - taken.length) / lines.size))
        for (const [key, line] of [...lines]) {
          const end = Math.min(line.items.length, line.head + Math.min(share, max - taken.length))
          for (let index = line.head; index < end; index += 1) taken.push(line.items[index] as Item)
          size -= end - line.head
          line.head = end
          lines.delete(key)
          if (end < line.items.length) lines.set(key, compacted(line))
          if (taken.length >= max) break
        }
      }
      return taken
    },
  }
}

const COMPACT_AT = 1_024

function compacted<Item>(line: { items: Item[]; head: number }): { items: Item[]; head: number } {
  return line.head < COMPACT_AT ? line : { items: line.items.slice(line.head), head: 0 }
}
