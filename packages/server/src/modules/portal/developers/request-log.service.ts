import { randomInt } from 'node:crypto'
import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { RequestLine } from '../../../http/request-log.ts'
import type { RequestError } from '../../../lib/errors.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Window } from './request-log.rules.ts'
import { admit, emptyWindow, firstIdAt, oldestKeptId } from './request-log.rules.ts'
import { deleteRequestsBefore, insertRequests, listRequests } from './request-log.sql.ts'
import type { KeptRequest, NewLoggedRequest, RequestFilter } from './request-log.types.ts'

export type RequestJournal = {
  /** Records a request that was answered. It costs one map lookup and one place in a queue, and never waits. */
  take(line: RequestLine, error: RequestError | undefined): void
  /** Writes the waiting requests. Returns when they are written or lost. */
  close(): Promise<void>
}

export type JournalSettings = {
  readonly database: Database
  readonly nowMs: () => number
  readonly onProblem: (error: unknown) => void
  readonly writeEveryMs?: number
  readonly forgetEveryMs?: number
}

const WRITE_EVERY_MS = 500
const FORGET_EVERY_MS = 60_000
const QUEUE_MAX = 5_000
const BATCH_MAX = 1_000
const FORGET_BATCH = 5_000
const LIST_TIMEOUT_MS = 8_000
/** Limit of accounts whose budgets are kept in memory. Beyond it all budgets start again, which costs some rows. */
const WINDOWS_MAX = 10_000
const TIE_MAX = 2 ** 20
const RESELLER_API = '/v2/'

/**
 * Opens the log. Requests are written in batches, apart from the requests themselves. Everything has a limit: each
 * account per second, the queue, and each batch. A request that does not fit is dropped and counted; nothing waits for
 * it.
 */
export function openRequestJournal(settings: JournalSettings): RequestJournal {
  const { database, nowMs, onProblem } = settings
  const windows = new Map<string, Window>()
  const ofAll = emptyWindow(0)
  let queue: NewLoggedRequest[] = []

  function windowOf(account: string, second: number): Window {
    const known = windows.get(account)
    if (known !== undefined) return known
    if (windows.size >= WINDOWS_MAX) windows.clear()
    const window = emptyWindow(second)
    windows.set(account, window)
    return window
  }

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_MAX)
      queue = queue.slice(BATCH_MAX)
      await insertRequests(database, batch)
    }
  }

  const writing = repeat(settings.writeEveryMs ?? WRITE_EVERY_MS, write, onProblem)
  const forgetting = repeat(
    settings.forgetEveryMs ?? FORGET_EVERY_MS,
    (isStopped) => forgetRequests(database, nowMs(), isStopped),
    onProblem,
  )

  return {
    take(line, error) {
      const { reseller, route, status } = line
      if (typeof reseller !== 'string' || typeof route !== 'string' || !route.startsWith(RESELLER_API)) return
      const ms = nowMs()
      const second = Math.floor(ms / 1_000)
      const window = windowOf(reseller, second)
      if (!admit(window, ofAll, second, Number(status) >= 400)) return
      if (queue.length >= QUEUE_MAX) {
        window.skipped += 1
        return
      }
      queue.push({ ...requestOf(line, error), account: reseller, id: idAt(ms), skipped: window.skipped })
      window.skipped = 0
    },
    async close() {
      await Promise.all([writing.stop(), forgetting.stop()])
      await write().catch(onProblem)
    },
  }
}

/** Deletes all old requests, batch by batch, so that each round deletes as many as were added since the last one. */
export async function forgetRequests(
  database: Database,
  nowMs: number,
  isStopped: () => boolean,
  batchMax = FORGET_BATCH,
): Promise<void> {
  const oldest = oldestKeptId(nowMs)
  while (!isStopped()) {
    if ((await deleteRequestsBefore(database, oldest, batchMax)) < batchMax) return
  }
}

export function listLoggedRequests(
  database: Database,
  account: string,
  filter: RequestFilter,
): Promise<KeptRequest[]> {
  return readWithin(database, LIST_TIMEOUT_MS, (tx) => listRequests(tx, account, filter))
}

/** Makes the id. Two nodes may write in the same millisecond, so the rest of the id is random. */
function idAt(ms: number): bigint {
  return firstIdAt(ms) + BigInt(randomInt(TIE_MAX))
}

function requestOf(line: RequestLine, error: RequestError | undefined) {
  return {
    requestId: String(line.request_id),
    method: String(line.method),
    route: String(line.route),
    status: Number(line.status),
    durationMs: Number(line.duration_ms),
    address: String(line.address),
    keyId: line.key_id === undefined ? null : String(line.key_id),
    userId: line.user_id === undefined ? null : String(line.user_id),
    error: error?.code ?? null,
    message: error?.publicText ?? null,
  }
}
