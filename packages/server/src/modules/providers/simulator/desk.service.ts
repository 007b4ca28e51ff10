import { parseDay } from '../../../lib/dates.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import { tryFormDecode } from '../../../lib/input/forms.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Outcome } from '../port/types.ts'
import type { Gate, SignedQuestion } from './auth.service.ts'
import { behaviourOf, outcomeAt, voidAnswerOf } from './behaviour.rules.ts'
import { billOf, SILENT_ACCOUNT } from './bills.rules.ts'
import type { Books } from './books.service.ts'
import type { Callbacks } from './callbacks.service.ts'
import type { Faults } from './faults.service.ts'
import { optionsFor } from './options.rules.ts'
import { settlementOf } from './settlement.view.ts'
import type { BookEntry, FaultPlace, FulfilmentOf } from './types.ts'
import {
  readBillBody,
  readBooksQuery,
  readFaultBody,
  readOptionsBody,
  readOrderBody,
} from './wire.schemas.ts'
import {
  billRequestOf,
  bookLineOf,
  faultBodyOf,
  faultOfBody,
  optionsAnswerOf,
  optionsRequestOf,
  orderAnswerOf,
  orderOfBody,
  voidBodyOf,
} from './wire.view.ts'

/** What the simulator's server says to a request, before any fault spoils it. */
export type Desk = {
  books: Books
  faults: Faults
  callbacks: Callbacks
  gate: Gate
  fulfilment: FulfilmentOf
  nowMs: () => number
}

export type Reply = {
  status: number
  body: unknown
  /** Instead of JSON of the body. */
  csv?: string
  /** The answer waits for that. */
  after?: Promise<void> | undefined
}

export type Task = {
  /** Which faults may hit it; undefined: none, so that a broken simulator can still be mended and read. */
  readonly place: FaultPlace | undefined
  readonly account: string | undefined
  /** undefined: this is never answered. */
  act(): Reply | undefined
}

const BOOKS_LIMIT = 1_000

/** Reads a request without acting on it yet. Throws what is wrong with it. */
export function readTask(desk: Desk, question: SignedQuestion): Task {
  const { pathname, searchParams } = new URL(question.url, 'http://simulator')
  const [, collection = '', item, ...rest] = pathname.split('/')
  const what = `${question.method} /${collection}${item === undefined ? '' : '/{}'}`
  if (rest.length > 0) throw noSuchAddress()
  const task = readControl(desk, what, question, searchParams)
  if (task !== undefined) return task
  const reference = tryFormDecode(item ?? '') ?? ''
  return guarded(desk, question, readWork(desk, what, question, reference))
}

/** What a supplier does for its clients. */
function readWork(desk: Desk, what: string, { body }: SignedQuestion, reference: string): Task {
  switch (what) {
    case 'POST /orders':
      return submission(desk, parseJson(body))
    case 'GET /orders/{}':
      return about(desk, 'query', reference, (entry) => answerOf(outcomeOf(desk, entry)))
    case 'POST /voids/{}':
      return about(desk, 'void', reference, (entry) => voidReply(desk, entry))
    case 'POST /bills':
      return billQuestion(desk, parseJson(body))
    case 'POST /options':
      return optionsQuestion(parseJson(body))
    case 'GET /float':
      return {
        place: 'float',
        account: undefined,
        act: () => ok({ balance: formatMoney(desk.books.float()) }),
      }
    default:
      throw noSuchAddress()
  }
}

/** What is there for everybody: to see how it is, to get a token, to read and to break the simulator. */
function readControl(
  desk: Desk,
  what: string,
  question: SignedQuestion,
  query: URLSearchParams,
): Task | undefined {
  switch (what) {
    case 'GET /health':
      return { place: 'health', account: undefined, act: () => ok({ status: 'up' }) }
    case 'POST /token':
      return { place: 'token', account: undefined, act: () => tokenReply(desk, question) }
    case 'GET /orders':
      return control(() => listBooks(desk, query))
    case 'GET /settlement':
      return control(() => settlement(desk, query.get('day') ?? ''))
    case 'GET /callbacks':
      return control(() => ok({ callbacks: desk.callbacks.list() }))
    case 'GET /faults':
      return control(() => ok({ faults: desk.faults.list().map(faultBodyOf) }))
    case 'POST /faults':
      return control(() => addFault(desk, parseJson(question.body)))
    case 'DELETE /faults':
      return control(() => clearFaults(desk))
    default:
      return undefined
  }
}

function guarded(desk: Desk, question: SignedQuestion, task: Task): Task {
  if (desk.gate.admits(question)) return task
  return { ...task, act: () => refuse(401, 'unauthorized', 'Say who you are.') }
}

function tokenReply(desk: Desk, question: SignedQuestion): Reply {
  const token = desk.gate.issueToken(question)
  return token === undefined ? refuse(401, 'invalid_client', 'These are not the credentials.') : ok(token)
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
      if (entry === 'no_float') return refuse(402, 'no_float', 'The order costs more than is left.')
      const after = entry.timesReceived === 1 ? desk.callbacks.announce(entry) : undefined
      if (!behaviourOf(order.account).answers) return undefined
      return { ...answerOf(outcomeOf(desk, entry)), after }
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

function billQuestion(desk: Desk, body: unknown): Task {
  const request = billRequestOf(readBillBody(body))
  return {
    place: 'bill',
    account: request.account,
    act() {
      if (request.account === SILENT_ACCOUNT) return undefined
      const answer = billOf(request, desk.nowMs())
      if (answer.kind === 'found') return ok({ bill: answer.bill })
      if (answer.kind === 'unavailable') return refuse(503, 'unavailable', answer.reason)
      return refuse(404, answer.kind, 'There is no such bill.')
    },
  }
}

function optionsQuestion(body: unknown): Task {
  const request = optionsRequestOf(readOptionsBody(body))
  return {
    place: 'options',
    account: request.accountNumber,
    act() {
      const answer = optionsFor(request)
      if (answer?.kind === 'unavailable') return refuse(503, 'unavailable', answer.reason)
      return answer && ok(optionsAnswerOf(answer.options))
    },
  }
}

export function outcomeOf(desk: Pick<Desk, 'nowMs'>, { order, receivedAt }: BookEntry): Outcome {
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

function settlement(desk: Desk, text: string): Reply {
  const day = parseDay(text)
  if (day === undefined) throw invalidFields({ day: ['The day field must be a date like 2026-11-14.'] })
  const entries = desk.books.list(0, Number.MAX_SAFE_INTEGER)
  return { ...ok(undefined), csv: settlementOf(entries, day, (entry) => outcomeOf(desk, entry).kind) }
}

/** `none` without any limit means that all is well again. */
function addFault(desk: Desk, body: unknown): Reply {
  const fault = faultOfBody(readFaultBody(body))
  const isForAll = fault.account === null && !Number.isFinite(fault.remaining) && fault.callbackUrl === null
  if (fault.kind === 'none' && isForAll) return clearFaults(desk)
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

function noSuchAddress(): RequestError {
  // Not `not_found`, which speaks of an order: a wrong address proves nothing about one.
  return new RequestError({ status: 404, code: 'no_such_address', publicText: 'There is no such address.' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError({ status: 400, code: 'not_json', publicText: 'The body is not JSON.' })
  }
}
