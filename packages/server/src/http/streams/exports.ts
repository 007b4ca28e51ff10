import type { DayRange } from '../../lib/dates.ts'
import { formatDay } from '../../lib/dates.ts'
import { RequestError } from '../../lib/errors.ts'
import { printCsv } from '../../lib/input/csv.ts'
import { createTurns } from '../../lib/turns.ts'
import type { Answer, Encoded } from '../operation.ts'

export type ExportFile<T> = {
  readonly name: string
  readonly days: DayRange
  readonly columns: readonly string[]
  readonly pages: () => AsyncIterable<readonly T[]>
  readonly cells: (row: T) => readonly string[]
}

/** File that is sent in pieces of its own form, such as an archive. */
export type PiecesFile = {
  readonly name: string
  readonly contentType: string
  readonly pages: () => AsyncIterable<readonly Buffer[]>
}

type Owner = { readonly id: bigint; readonly account: string }

export type Exports = {
  /**
   * Returns the answer that streams the file. The first page is read before, so that a failed read gives an error and
   * not a file. The other pages are read while the file is sent.
   */
  begin<T>(owner: Owner, file: ExportFile<T>, isAwaited?: () => boolean): Promise<Answer<Encoded>>
  /** The same for a file that is no list. */
  beginPieces(owner: Owner, file: PiecesFile, isAwaited?: () => boolean): Promise<Answer<Encoded>>
  readonly underway: number
}

/** Limit of readers, however slow: each costs a page of memory. The turns limit their load on the database. */
const UNDERWAY_MAX = 64
const UNDERWAY_PER_ACCOUNT_MAX = 2

/** Limits of page reads, so that any number of files leaves the database and the processor to payments. */
const PAGES = {
  atOnceMax: 2,
  perOwnerMax: 1,
  waitingPerOwnerMax: UNDERWAY_PER_ACCOUNT_MAX,
  waitMs: 10 * 60_000,
  restFactor: 1,
}

/**
 * Sends files while they are read. A page is read when the previous one was sent. A slow reader therefore costs a page
 * of memory and no connection, and a file of a million rows costs no more than one of a thousand. The files take turns,
 * so that many together cost no more at a time than two.
 */
export function createExports(): Exports {
  const turns = createTurns(PAGES)
  const byAccount = new Map<bigint, number>()
  let underway = 0

  /** Takes a place; the returned function gives it back, once. */
  function enter(id: bigint): () => void {
    const own = byAccount.get(id) ?? 0
    if (underway >= UNDERWAY_MAX || own >= UNDERWAY_PER_ACCOUNT_MAX) throw tooMany()
    underway += 1
    byAccount.set(id, own + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      underway -= 1
      const left = (byAccount.get(id) ?? 0) - 1
      if (left > 0) byAccount.set(id, left)
      else byAccount.delete(id)
    }
  }

  async function send<T>(
    owner: Owner,
    { pages: open, head, print, headers }: Sending<T>,
    isAwaited: (() => boolean) | undefined,
  ): Promise<Answer<Encoded>> {
    const leave = enter(owner.id)
    let isRead = true
    const giveUp = () => {
      isRead = false
      leave()
    }
    try {
      const pages = open()[Symbol.asyncIterator]()
      const read = (isWanted?: () => boolean) => turns.take(owner.id, () => pages.next(), isWanted)
      const first = await read(isAwaited)
      const pieces = piecesOf({ head, print }, () => read(() => isRead), first)
      return { status: 200, body: endingWith(giveUp, pages, pieces), headers }
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    begin: (owner, file, isAwaited) => send(owner, listOf(owner.account, file), isAwaited),
    beginPieces(owner, { name, contentType, pages }, isAwaited) {
      const headers = headersOf(name, contentType)
      return send(owner, { pages, head: [], print: (pieces) => Buffer.concat(pieces), headers }, isAwaited)
    },
    get underway() {
      return underway
    },
  }
}

type Page<T> = IteratorResult<readonly T[], unknown>

type Sending<T> = {
  readonly pages: () => AsyncIterable<readonly T[]>
  readonly head: readonly Buffer[]
  readonly print: (page: readonly T[]) => Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** Sends a list as CSV. */
function listOf<T>(account: string, file: ExportFile<T>): Sending<T> {
  const { pages, columns, cells } = file
  return {
    pages,
    head: [Buffer.from(printCsv([columns]))],
    print: (rows) => Buffer.from(printCsv(rows.map(cells))),
    headers: headersOf(fileName(account, file), 'text/csv; charset=utf-8'),
  }
}

async function* piecesOf<T>(
  { head, print }: Pick<Sending<T>, 'head' | 'print'>,
  read: () => Promise<Page<T>>,
  first: Page<T>,
): AsyncGenerator<Buffer> {
  yield* head
  for (let page = first; page.done !== true; page = await read()) yield print(page.value)
}

/**
 * Wraps `pieces` so that `leave` is always called at the end. A generator that was never read ends without running its
 * code.
 */
function endingWith<T>(
  leave: () => void,
  pages: AsyncIterator<readonly T[]>,
  pieces: AsyncGenerator<Buffer>,
): AsyncIterableIterator<Buffer> {
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      let isLast = true
      try {
        const piece = await pieces.next()
        isLast = piece.done === true
        return piece
      } finally {
        if (isLast) leave()
      }
    },
    async return() {
      // The place is given back first: a page that is being read, or waits for its turn, may take a while to stop.
      leave()
      await pieces.return(undefined)
      await pages.return?.()
      return { done: true, value: undefined }
    },
  }
}

function headersOf(name: string, contentType: string): Readonly<Record<string, string>> {
  return { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` }
}

function fileName<T>(account: string, { name, days }: ExportFile<T>): string {
  return `${name}-${account}-${formatDay(days.from)}-${formatDay(days.to)}.csv`
}

function tooMany(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_exports',
    publicText: 'Other files are being sent. Try again when they are done.',
    headers: { 'Retry-After': '10' },
  })
}
