import { randomInt } from 'node:crypto'
import { readWithin } from '../../../db/bounded.ts'
import type { Database, Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { RequestLine } from '../../../http/request-log.ts'
import type { RequestError } from '../../../lib/errors.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { KeyUse } from '../../accounts/public.sql.ts'
import { saveKeyUses } from '../../accounts/public.sql.ts'
import type { Window } from './request-log.rules.ts'
import { admit, CANONICAL_MAX, emptyWindow, firstIdAt, oldestKeptId } from './request-log.rules.ts'
import {
  deleteRequestsBefore,
  findFirstCall,
  findRequest,
  insertFirstCalls,
  insertRequests,
  listRequests,
} from './request-log.sql.ts'
import type { DiagnosedRequest, KeptRequest, NewLoggedRequest, RequestFilter } from './request-log.types.ts'

export type RequestJournal = {
  /** Records a request that was answered. It costs one map lookup and one place in a queue, and never waits. */
  take(line: RequestLine, error: RequestError | undefined): void
  /** Writes the waiting requests. Returns when they are written or lost. */
  close(): Promise<void>
}

export type JournalSettings = {
  readonly database: Database
  readonly vault: Vault
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
/** Interval at which the use of a key is written again: a busy key costs one row a minute. */
const KEY_USE_EVERY_MS = 60_000

/**
 * Opens the log. Requests are written in batches, apart from the requests themselves. Everything has a limit: each
 * account per second, the queue, and each batch. A request that does not fit is dropped and counted; nothing waits for
 * it.
 */
export function openRequestJournal(settings: JournalSettings): RequestJournal {
  const { database, vault, nowMs, onProblem } = settings
  const windowOf = rememberWindows()
  const ofAll = emptyWindow(0)
  const firstCalls = createFirstCalls(settings)
  const keyUses = collectKeyUses(database)
  let queue: NewLoggedRequest[] = []

  async function write(): Promise<void> {
    await firstCalls.write()
    await keyUses.write().catch(onProblem)
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
      firstCalls.note(line, ms)
      keyUses.note(line, ms)
      const second = Math.floor(ms / 1_000)
      const window = windowOf(reseller, second)
      if (!admit(window, ofAll, second, Number(status) >= 400)) return
      if (queue.length >= QUEUE_MAX) {
        window.skipped += 1
        return
      }
      const id = idAt(ms)
      // Every member is named here: a copy by spreading with members added gets a form of its own, which V8 keeps among
      // its old objects until a full collection.
      queue.push({
        requestId: String(line.request_id),
        method: String(line.method),
        route,
        status: Number(status),
        durationMs: Number(line.duration_ms),
        address: String(line.address),
        keyId: textOf(line.key_id),
        userId: textOf(line.user_id),
        error: error?.code ?? textOf(line.rejection),
        message: error?.publicText ?? null,
        refid: textOf(line.refid),
        paymentId: textOf(line.payment_id),
        code: line.code === undefined ? null : Number(line.code),
        account: reseller,
        id,
        skipped: window.skipped,
        sealedCanonical: sealed(vault, reseller, id, error?.canonicalString),
      })
      window.skipped = 0
    },
    async close() {
      await Promise.all([writing.stop(), forgetting.stop()])
      await write().catch(onProblem)
    },
  }
}

function textOf(value: RequestLine[string] | undefined): string | null {
  return value === undefined ? null : String(value)
}

function rememberWindows(): (account: string, second: number) => Window {
  const windows = new Map<string, Window>()
  return (account, second) => {
    const known = windows.get(account)
    if (known !== undefined) return known
    if (windows.size >= WINDOWS_MAX) windows.clear()
    const window = emptyWindow(second)
    windows.set(account, window)
    return window
  }
}

/** Notes the first signed request that was answered well. Each account is written once by each process. */
function createFirstCalls({ database, onProblem }: JournalSettings) {
  const signed = new Set<string>()
  let firstCalls = new Map<string, Date>()
  return {
    note({ reseller, key_id: keyId, status }: RequestLine, ms: number): void {
      if (typeof reseller !== 'string' || keyId === undefined || Number(status) >= 400) return
      if (signed.has(reseller) || signed.size >= WINDOWS_MAX) return
      signed.add(reseller)
      firstCalls.set(reseller, new Date(ms))
    },
    async write(): Promise<void> {
      if (firstCalls.size === 0) return
      const calls = firstCalls
      firstCalls = new Map()
      await insertFirstCalls(database, calls).catch((error: unknown) => {
        for (const account of calls.keys()) signed.delete(account)
        onProblem(error)
      })
    },
  }
}

/** Collects when keys were last used. A refused signature proves nothing, and does not count. */
function collectKeyUses(database: Database) {
  const notedMs = new Map<string, number>()
  let waiting: KeyUse[] = []
  return {
    note({ reseller, key_id: keyId, status }: RequestLine, ms: number): void {
      if (typeof reseller !== 'string' || typeof keyId !== 'string' || status === 401) return
      if (ms - (notedMs.get(keyId) ?? 0) < KEY_USE_EVERY_MS) return
      if (notedMs.size >= WINDOWS_MAX) notedMs.clear()
      notedMs.set(keyId, ms)
      waiting.push({ account: reseller, keyId: BigInt(keyId), at: new Date(ms) })
    },
    async write(): Promise<void> {
      if (waiting.length === 0) return
      const batch = waiting
      waiting = []
      try {
        await saveKeyUses(database, batch)
      } catch (error) {
        for (const { keyId } of batch) notedMs.delete(String(keyId))
        throw error
      }
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

/** Finds a request, with the text that its signature was compared with. */
export async function findLoggedRequest(
  { database, vault }: Pick<JournalSettings, 'database' | 'vault'>,
  account: string,
  id: bigint,
): Promise<DiagnosedRequest | undefined> {
  const found = await findRequest(database, account, id)
  if (found === undefined) return undefined
  const { request, sealedCanonical } = found
  if (sealedCanonical === null) return { ...request, canonical: null }
  const opened = await withFreshKeys(vault, () => vault.open(contextOf(account, id), sealedCanonical))
  const text = opened.toString('utf8')
  return { ...request, canonical: { text, isCut: text.length >= CANONICAL_MAX } }
}

/** Time of the account's first signed request that was answered well; null: there was none. */
export function findFirstSignedCall(database: Queryable, account: string): Promise<Date | null> {
  return findFirstCall(database, account)
}

function sealed(vault: Vault, account: string, id: bigint, text: string | undefined): Buffer | null {
  if (text === undefined) return null
  return vault.seal(contextOf(account, id), Buffer.from(text.slice(0, CANONICAL_MAX), 'utf8'))
}

function contextOf(account: string, id: bigint): string {
  return `request_log:${account}:${id}`
}

/** Makes the id. Two nodes may write in the same millisecond, so the rest of the id is random. */
function idAt(ms: number): bigint {
  return firstIdAt(ms) + BigInt(randomInt(TIE_MAX))
}
