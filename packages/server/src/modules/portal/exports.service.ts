import type { OperationOutput } from '../../http/operation.ts'
import { printCsv } from '../../lib/csv.ts'
import type { DayRange } from '../../lib/dates.ts'
import { formatDay } from '../../lib/dates.ts'
import { RequestError } from '../../lib/errors.ts'

export type ExportFile<T> = {
  readonly name: string
  readonly days: DayRange
  readonly columns: readonly string[]
  readonly pages: () => AsyncIterable<readonly T[]>
  readonly cells: (row: T) => readonly string[]
}

export type Exports = {
  /**
   * The answer to whoever asked for the file. Its first page is read before, so that what cannot be read is an error and
   * no file; the others while it is sent.
   */
  begin<T>(
    owner: { readonly id: bigint; readonly account: string },
    file: ExportFile<T>,
  ): Promise<OperationOutput>
  readonly underway: number
}

/** Each holds a page and a connection of the pool now and then: a handful does not hold up payments. */
const UNDERWAY_MAX = 8
const UNDERWAY_PER_ACCOUNT_MAX = 2

/**
 * Files that are sent as they are read. A page is read when the one before has left, so a slow reader costs a page of
 * memory and no connection, and a file of a million rows no more than one of a thousand.
 */
export function createExports(): Exports {
  const byAccount = new Map<bigint, number>()
  let underway = 0

  /** Takes a place; what is returned gives it back, once. */
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

  return {
    async begin(owner, file) {
      const leave = enter(owner.id)
      try {
        const pages = file.pages()[Symbol.asyncIterator]()
        const body = endingWith(leave, pages, piecesOf(file, pages, await pages.next()))
        return { status: 200, body, headers: headersOf(owner.account, file) }
      } catch (error) {
        leave()
        throw error
      }
    },
    get underway() {
      return underway
    },
  }
}

type Page<T> = IteratorResult<readonly T[], unknown>

async function* piecesOf<T>(
  { columns, cells }: ExportFile<T>,
  pages: AsyncIterator<readonly T[]>,
  first: Page<T>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(printCsv([columns]))
  for (let page = first; page.done !== true; page = await pages.next()) {
    yield Buffer.from(printCsv(page.value.map(cells)))
  }
}

/** A generator that nobody has begun to read ends without a word: here its end is heard of always. */
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
      try {
        await pieces.return(undefined)
        await pages.return?.()
      } finally {
        leave()
      }
      return { done: true, value: undefined }
    },
  }
}

function headersOf<T>(account: string, file: ExportFile<T>): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName(account, file)}"`,
    'Cache-Control': 'no-store',
  }
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
