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
  /** The answer to whoever asked for the file; its rows are read while it is sent. */
  begin<T>(owner: { readonly id: bigint; readonly account: string }, file: ExportFile<T>): OperationOutput
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

  function enter(id: bigint): void {
    const own = byAccount.get(id) ?? 0
    if (underway >= UNDERWAY_MAX || own >= UNDERWAY_PER_ACCOUNT_MAX) throw tooMany()
    underway += 1
    byAccount.set(id, own + 1)
  }

  function leave(id: bigint): void {
    const own = byAccount.get(id) ?? 0
    underway -= 1
    if (own <= 1) byAccount.delete(id)
    else byAccount.set(id, own - 1)
  }

  /** Whoever hangs up ends the reading too: what is under way is counted until then. */
  async function* rowsOf<T>(id: bigint, { columns, pages, cells }: ExportFile<T>): AsyncGenerator<Buffer> {
    enter(id)
    try {
      yield Buffer.from(printCsv([columns]))
      for await (const page of pages()) {
        yield Buffer.from(printCsv(page.map(cells)))
      }
    } finally {
      leave(id)
    }
  }

  return {
    begin(owner, file) {
      if (underway >= UNDERWAY_MAX || (byAccount.get(owner.id) ?? 0) >= UNDERWAY_PER_ACCOUNT_MAX)
        throw tooMany()
      return {
        status: 200,
        body: rowsOf(owner.id, file),
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="${fileName(owner.account, file)}"`,
          'Cache-Control': 'no-store',
        },
      }
    },
    get underway() {
      return underway
    },
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
