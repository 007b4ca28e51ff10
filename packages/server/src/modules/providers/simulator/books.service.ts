import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { RequestError } from '../../../lib/errors.ts'
import type { Order } from '../port/types.ts'
import { behaviourOf } from './behaviour.rules.ts'
import type { BookEntry, SimulatedOrder } from './types.ts'
import type { OrderBody } from './wire.schemas.ts'
import { readOrderBody } from './wire.schemas.ts'
import { orderBodyOf, orderOfBody } from './wire.view.ts'

export type Books = {
  /**
   * Records an order once, however often it arrives. `conflict`: another order has this reference. `no_float`: it
   * costs more than is left.
   */
  receive(order: SimulatedOrder): BookEntry | 'conflict' | 'no_float'
  /** Rest of the float. */
  float(): Order['amount']
  find(reference: string): BookEntry | undefined
  /** Voids an order once, however often it is asked. */
  recordVoid(reference: string): void
  /** Lists orders in the order of arrival. */
  list(after: number, limit: number): readonly BookEntry[]
  close(): void
}

export type BooksSettings = {
  /** File of the books; without it they are lost with the process. */
  file?: string | undefined
  nowMs?: (() => number) | undefined
  ordersMax?: number | undefined
  /** Float of the client at the start. */
  float?: Order['amount'] | undefined
}

const ORDERS_MAX = 1_000_000
/** A thousand million ringgit, so that orders do not fail for it unless a float is given. */
const FLOAT = 10_000_000_000_000n

/** Line that is appended to the file; the books are rebuilt from the lines. */
type Line =
  | { event: 'received'; at: string; order: OrderBody }
  | { event: 'again'; reference: string }
  | { event: 'voided'; at: string; reference: string }

/**
 * Opens the books. A line is written by one system call before the answer, so that every answered order outlives the
 * process. Nothing here awaits, so equal orders that arrive together cannot overtake each other.
 */
export function openBooks(settings: BooksSettings = {}): Books {
  const { file, nowMs = Date.now, ordersMax = ORDERS_MAX } = settings
  let float = settings.float ?? FLOAT
  const arrived: string[] = []
  const entries = new Map<string, BookEntry>()
  const descriptor = file === undefined ? undefined : openSync(file, 'a+', 0o600)

  function apply(line: Line): void {
    if (line.event === 'received') {
      const order = orderOfBody(line.order, () => 'plain')
      arrived.push(order.reference)
      float -= priceOf(order)
      entries.set(order.reference, { order, receivedAt: new Date(line.at), timesReceived: 1, voidedAt: null })
      return
    }
    const entry = entries.get(line.reference)
    if (entry === undefined) throw new Error(`nothing under ${line.reference} was received before`)
    if (line.event === 'voided') float += priceOf(entry.order)
    entries.set(line.reference, changedBy(line, entry))
  }

  function write(line: Line): void {
    if (descriptor !== undefined) writeSync(descriptor, `${JSON.stringify(line)}\n`)
    apply(line)
  }

  if (file !== undefined && descriptor !== undefined) readLines(file, descriptor, apply)

  return {
    receive(order) {
      const { reference } = order
      const existing = entries.get(reference)
      if (existing !== undefined && !isSameOrder(existing.order, order)) return 'conflict'
      if (existing === undefined && arrived.length >= ordersMax) throw booksFull(ordersMax)
      if (existing === undefined && priceOf(order) > float) return 'no_float'
      const at = new Date(nowMs()).toISOString()
      write(
        existing === undefined
          ? { event: 'received', at, order: orderBodyOf(order, order.fulfilment) }
          : { event: 'again', reference },
      )
      return entries.get(reference) ?? 'conflict'
    },
    float: () => float,
    find: (reference) => entries.get(reference),
    recordVoid(reference) {
      if (entries.get(reference)?.voidedAt !== null) return
      write({ event: 'voided', at: new Date(nowMs()).toISOString(), reference })
    },
    list: (after, limit) =>
      arrived.slice(after, after + limit).flatMap((reference) => entries.get(reference) ?? []),
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

function changedBy(line: Exclude<Line, { event: 'received' }>, entry: BookEntry): BookEntry {
  return line.event === 'again'
    ? { ...entry, timesReceived: entry.timesReceived + 1 }
    : { ...entry, voidedAt: new Date(line.at) }
}

/** Amount an order takes from the float. Its outcome is fixed on arrival: one that will fail takes nothing. */
function priceOf(order: SimulatedOrder): Order['amount'] {
  return behaviourOf(order.account).failure === null ? order.amount : 0n
}

function isSameOrder(one: SimulatedOrder, other: SimulatedOrder): boolean {
  const content = (order: SimulatedOrder) => JSON.stringify(orderBodyOf(order, order.fulfilment))
  return content(one) === content(other)
}

function booksFull(ordersMax: number): RequestError {
  return new RequestError({
    status: 503,
    code: 'books_full',
    publicText: `The books hold ${ordersMax} orders and take no more.`,
  })
}

/** Reads the lines. A killed process may leave half a line; no answer was sent for it, so it is cut off. */
function readLines(file: string, descriptor: number, apply: (line: Line) => void): void {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf(0x0a) + 1
  if (end < bytes.length) ftruncateSync(descriptor, end)
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  for (const [index, text] of lines.entries()) {
    try {
      apply(readLine(text))
    } catch (error) {
      throw new Error(`${file}, line ${index + 1}: not a line of the simulator's books`, { cause: error })
    }
  }
}

function readLine(text: string): Line {
  const line = JSON.parse(text) as Line
  if (line.event === 'received') readOrderBody(line.order)
  else if (line.event !== 'again' && line.event !== 'voided') throw new Error('unknown event')
  return line
}
