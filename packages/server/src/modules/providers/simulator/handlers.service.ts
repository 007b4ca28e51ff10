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
import type { BookEntry, FaultTarget, FulfilmentOf } from './types.ts'
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

/** State from which the simulator's server answers a request, before any fault changes the answer. */
export type Simulator = {
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
  /** Body as CSV, sent instead of JSON. */
  csv?: string
  /** Promise that the answer waits for. */
  after?: Promise<void> | undefined
}

export type Task = {
  /**
   * Kind of request, for faults; undefined: none hits it, so that a broken simulator can still be repaired and read.
   */
  readonly target: FaultTarget | undefined
  readonly account: string | undefined
  /** Returns undefined when this is never answered. */
  act(): Reply | undefined
}

const BOOKS_LIMIT = 1_000

/** Reads a request without acting on it yet. Throws its problems. */
export function readTask(simulator: Simulator, question: SignedQuestion): Task {
  const { pathname, searchParams } = new URL(question.url, 'http://simulator')
  const [, collection = '', item, ...rest] = pathname.split('/')
  const what = `${question.method} /${collection}${item === undefined ? '' : '/{}'}`
  if (rest.length > 0) throw noSuchAddress()
  const task = readControl(simulator, what, question, searchParams)
  if (task !== undefined) return task
  const reference = tryFormDecode(item ?? '') ?? ''
  return guarded(simulator, question, readWork(simulator, what, question, reference))
}

/** Reads requests that a supplier serves for its clients. */
function readWork(simulator: Simulator, what: string, { body }: SignedQuestion, reference: string): Task {
  switch (what) {
    case 'POST /orders':
      return submission(simulator, parseJson(body))
    case 'GET /orders/{}':
      return about(simulator, 'query', reference, (entry) => answerOf(outcomeOf(simulator, entry)))
    case 'POST /voids/{}':
      return about(simulator, 'void', reference, (entry) => voidReply(simulator, entry))
    case 'POST /bills':
      return billQuestion(simulator, parseJson(body))
    case 'POST /options':
      return optionsQuestion(parseJson(body))
    case 'GET /float':
      return {
        target: 'float',
        account: undefined,
        act: () => ok({ balance: formatMoney(simulator.books.float()) }),
      }
    default:
      throw noSuchAddress()
  }
}

/** Reads requests open to everybody: health, tokens, and reading or breaking the simulator. */
function readControl(
  simulator: Simulator,
  what: string,
  question: SignedQuestion,
  query: URLSearchParams,
): Task | undefined {
  switch (what) {
    case 'GET /health':
      return { target: 'health', account: undefined, act: () => ok({ status: 'up' }) }
    case 'POST /token':
      return { target: 'token', account: undefined, act: () => tokenReply(simulator, question) }
    case 'GET /orders':
      return control(() => listBooks(simulator, query))
    case 'GET /settlement':
      return control(() => settlement(simulator, query.get('day') ?? ''))
    case 'GET /callbacks':
      return control(() => ok({ callbacks: simulator.callbacks.list() }))
    case 'GET /faults':
      return control(() => ok({ faults: simulator.faults.list().map(faultBodyOf) }))
    case 'POST /faults':
      return control(() => addFault(simulator, parseJson(question.body)))
    case 'DELETE /faults':
      return control(() => clearFaults(simulator))
    default:
      return undefined
  }
}

function guarded(simulator: Simulator, question: SignedQuestion, task: Task): Task {
  if (simulator.gate.admits(question)) return task
  return { ...task, act: () => refuse(401, 'unauthorized', 'Say who you are.') }
}

function tokenReply(simulator: Simulator, question: SignedQuestion): Reply {
  const token = simulator.gate.issueToken(question)
  return token === undefined ? refuse(401, 'invalid_client', 'These are not the credentials.') : ok(token)
}

function submission(simulator: Simulator, body: unknown): Task {
  const order = orderOfBody(readOrderBody(body), simulator.fulfilment)
  return {
    target: 'submit',
    account: order.account,
    act() {
      const entry = simulator.books.receive(order)
      if (entry === 'conflict') {
        return refuse(409, 'reference_used', 'Another order was submitted under this reference.')
      }
      if (entry === 'no_float') return refuse(402, 'no_float', 'The order costs more than is left.')
      const after = entry.timesReceived === 1 ? simulator.callbacks.announce(entry) : undefined
      if (!behaviourOf(order.account).answers) return undefined
      return { ...answerOf(outcomeOf(simulator, entry)), after }
    },
  }
}

function about(
  simulator: Simulator,
  target: FaultTarget,
  reference: string,
  reply: (entry: BookEntry) => Reply,
): Task {
  return {
    target,
    account: simulator.books.find(reference)?.order.account,
    act() {
      const entry = simulator.books.find(reference)
      return entry === undefined
        ? refuse(404, 'not_found', 'There is no order with this reference.')
        : reply(entry)
    },
  }
}

function voidReply(simulator: Simulator, entry: BookEntry): Reply {
  const { account, reference } = entry.order
  const answer = voidAnswerOf(account, outcomeOf(simulator, entry).kind)
  if (answer.kind === 'approved') simulator.books.recordVoid(reference)
  const body = voidBodyOf(answer)
  return body === undefined ? cannotSay() : ok(body)
}

function billQuestion(simulator: Simulator, body: unknown): Task {
  const request = billRequestOf(readBillBody(body))
  return {
    target: 'bill',
    account: request.account,
    act() {
      if (request.account === SILENT_ACCOUNT) return undefined
      const answer = billOf(request, simulator.nowMs())
      if (answer.kind === 'found') return ok({ bill: answer.bill })
      if (answer.kind === 'unavailable') return refuse(503, 'unavailable', answer.reason)
      return refuse(404, answer.kind, 'There is no such bill.')
    },
  }
}

function optionsQuestion(body: unknown): Task {
  const request = optionsRequestOf(readOptionsBody(body))
  return {
    target: 'options',
    account: request.accountNumber,
    act() {
      const answer = optionsFor(request)
      if (answer?.kind === 'unavailable') return refuse(503, 'unavailable', answer.reason)
      return answer && ok(optionsAnswerOf(answer.options))
    },
  }
}

export function outcomeOf(simulator: Pick<Simulator, 'nowMs'>, { order, receivedAt }: BookEntry): Outcome {
  return outcomeAt({ ...order, submittedAt: receivedAt }, simulator.nowMs(), () => order.fulfilment)
}

function answerOf(outcome: Outcome): Reply {
  const body = orderAnswerOf(outcome)
  return body === undefined ? cannotSay() : ok(body)
}

function listBooks(simulator: Simulator, query: URLSearchParams): Reply {
  const { after, limit } = readBooksQuery({
    after: Number(query.get('after') ?? 0),
    limit: Number(query.get('limit') ?? BOOKS_LIMIT),
  })
  const entries = simulator.books.list(after, limit)
  return ok({
    orders: entries.map((entry) => bookLineOf(entry, outcomeOf(simulator, entry).kind)),
    next: entries.length < limit ? null : after + limit,
  })
}

function settlement(simulator: Simulator, text: string): Reply {
  const day = parseDay(text)
  if (day === undefined) throw invalidFields({ day: ['The day field must be a date like 2026-11-14.'] })
  const entries = simulator.books.list(0, Number.MAX_SAFE_INTEGER)
  return { ...ok(undefined), csv: settlementOf(entries, day, (entry) => outcomeOf(simulator, entry).kind) }
}

/** Adds a fault. `none` without any limit removes all faults. */
function addFault(simulator: Simulator, body: unknown): Reply {
  const fault = faultOfBody(readFaultBody(body))
  const isForAll = fault.account === null && !Number.isFinite(fault.remaining) && fault.callbackUrl === null
  if (fault.kind === 'none' && isForAll) return clearFaults(simulator)
  simulator.faults.add(fault)
  return ok({ faults: simulator.faults.list().map(faultBodyOf) })
}

function clearFaults(simulator: Simulator): Reply {
  simulator.faults.clear()
  return ok({ faults: [] })
}

// ── Replies ──

function control(act: () => Reply): Task {
  return { target: undefined, account: undefined, act }
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
  // `not_found` would speak of an order, and a wrong address proves nothing about one.
  return new RequestError({ status: 404, code: 'no_such_address', publicText: 'There is no such address.' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError({ status: 400, code: 'not_json', publicText: 'The body is not JSON.' })
  }
}
