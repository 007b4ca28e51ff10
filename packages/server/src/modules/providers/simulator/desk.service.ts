import { RequestError } from '../../../lib/errors.ts'
import { tryFormDecode } from '../../../lib/forms.ts'
import type { Outcome } from '../types.ts'
import { behaviourOf, outcomeAt, voidAnswerOf } from './behaviour.rules.ts'
import type { Books } from './books.service.ts'
import type { Faults } from './faults.service.ts'
import type { BookEntry, FaultPlace, FulfilmentOf } from './types.ts'
import { readBooksQuery, readFaultBody, readOrderBody } from './wire.schemas.ts'
import { bookLineOf, faultBodyOf, faultOfBody, orderAnswerOf, orderOfBody, voidBodyOf } from './wire.view.ts'

/** What the simulator's server says to a request, before any fault spoils it. */
export type Desk = {
  books: Books
  faults: Faults
  fulfilment: FulfilmentOf
  nowMs: () => number
}

export type Question = { method: string; url: string; body: string }
export type Reply = { status: number; body: unknown }

export type Task = {
  /** Which faults may hit it; undefined: none, so that a broken simulator can still be mended and read. */
  readonly place: FaultPlace | undefined
  readonly account: string | undefined
  /** undefined: this is never answered. */
  act(): Reply | undefined
}

const BOOKS_LIMIT = 1_000

/** Reads a request without acting on it yet. Throws what is wrong with it. */
export function readTask(desk: Desk, { method, url, body }: Question): Task {
  const { pathname, searchParams } = new URL(url, 'http://simulator')
  const [, collection = '', item, ...rest] = pathname.split('/')
  const what = `${method} /${collection}${item === undefined ? '' : '/{}'}`
  if (rest.length > 0) throw notFound('There is no such address.')
  const reference = tryFormDecode(item ?? '') ?? ''
  switch (what) {
    case 'POST /orders':
      return submission(desk, parseJson(body))
    case 'GET /orders/{}':
      return about(desk, 'query', reference, (entry) => answerOf(outcomeOf(desk, entry)))
    case 'POST /voids/{}':
      return about(desk, 'void', reference, (entry) => voidReply(desk, entry))
    case 'GET /health':
      return { place: 'health', account: undefined, act: () => ok({ status: 'up' }) }
    case 'GET /orders':
      return control(() => listBooks(desk, searchParams))
    case 'GET /faults':
      return control(() => ok({ faults: desk.faults.list().map(faultBodyOf) }))
    case 'POST /faults':
      return control(() => addFault(desk, parseJson(body)))
    case 'DELETE /faults':
      return control(() => clearFaults(desk))
    default:
      throw notFound('There is no such address.')
  }
}

function submission(desk: Desk, body: unknown): Task {
  const order = orderOfBody(readOrderBody(body), desk.fulfilment)
  return {
    place: 'submit',
    account: order.account,
    act() {
      const entry = desk.books.receive(order)
      if (entry === 'conflict') {
        return refuse(409, 'reference_used', 'Another order was submitted under this reference.')
      }
      if (!behaviourOf(order.account).answers) return undefined
      return answerOf(outcomeOf(desk, entry))
    },
  }
}

function about(desk: Desk, place: FaultPlace, reference: string, reply: (entry: BookEntry) => Reply): Task {
  return {
    place,
    account: desk.books.find(reference)?.order.account,
    act() {
      const entry = desk.books.find(reference)
      return entry === undefined
        ? refuse(404, 'not_found', 'There is no order with this reference.')
        : reply(entry)
    },
  }
}

function voidReply(desk: Desk, entry: BookEntry): Reply {
  const { account, reference } = entry.order
  const answer = voidAnswerOf(account, outcomeOf(desk, entry).kind)
  if (answer.kind === 'approved') desk.books.recordVoid(reference)
  const body = voidBodyOf(answer)
  return body === undefined ? cannotSay() : ok(body)
}

function outcomeOf(desk: Desk, { order, receivedAt }: BookEntry): Outcome {
  return outcomeAt({ ...order, submittedAt: receivedAt }, desk.nowMs(), () => order.fulfilment)
}

function answerOf(outcome: Outcome): Reply {
  const body = orderAnswerOf(outcome)
  return body === undefined ? cannotSay() : ok(body)
}

function listBooks(desk: Desk, query: URLSearchParams): Reply {
  const { after, limit } = readBooksQuery({
    after: Number(query.get('after') ?? 0),
    limit: Number(query.get('limit') ?? BOOKS_LIMIT),
  })
  const entries = desk.books.list(after, limit)
  return ok({
    orders: entries.map((entry) => bookLineOf(entry, outcomeOf(desk, entry).kind)),
    next: entries.length < limit ? null : after + limit,
  })
}

/** `none` without any limit means that all is well again. */
function addFault(desk: Desk, body: unknown): Reply {
  const fault = faultOfBody(readFaultBody(body))
  if (fault.kind === 'none' && fault.account === null && !Number.isFinite(fault.remaining)) {
    return clearFaults(desk)
  }
  desk.faults.add(fault)
  return ok({ faults: desk.faults.list().map(faultBodyOf) })
}

function clearFaults(desk: Desk): Reply {
  desk.faults.clear()
  return ok({ faults: [] })
}

// ── Replies ──

function control(act: () => Reply): Task {
  return { place: undefined, account: undefined, act }
}

function ok(body: unknown): Reply {
  return { status: 200, body }
}

export function refuse(status: number, error: string, message: string): Reply {
  return { status, body: { error, message } }
}

function cannotSay(): Reply {
  return refuse(503, 'unknown', 'What became of this order is not known.')
}

function notFound(publicText: string): RequestError {
  // Not `not_found`, which speaks of an order: a wrong address proves nothing about one.
  return new RequestError({ status: 404, code: 'no_such_address', publicText })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError({ status: 400, code: 'not_json', publicText: 'The body is not JSON.' })
  }
}
