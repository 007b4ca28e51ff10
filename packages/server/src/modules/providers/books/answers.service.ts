import { endOf, keyOf } from './book.rules.ts'
import type { BookRequest, ReadRequest } from './request.rules.ts'
import { matches, placeIn, readRequest } from './request.rules.ts'
import type { Book, BookAnswer, BookOrder, Route } from './types.ts'

export type Answered = { readonly answer: BookAnswer; readonly order: BookOrder | undefined }

/** A supplier that speaks a book; it keeps the orders that it was given. */
export type BookSupplier = {
  answer(request: BookRequest): Answered
  /** Name of the route of a request; '': it has none. */
  routeOf(request: BookRequest): string
  orders(): readonly BookOrder[]
  /** Requests that the supplier's documents do not have. */
  mistakes(): readonly string[]
}

const ORDERS_MAX = 100_000
const MISTAKES_MAX = 100
const FIRST_ID = 1_000_001
const NOTHING: BookAnswer = { status: 404, text: '', isJson: false, headers: {}, isDropped: false }
const REFUSED: BookAnswer = { ...NOTHING, status: 400 }

export function openBook(book: Book): BookSupplier {
  const orders = new Map<string, BookOrder>()
  const byId = new Map<string, BookOrder>()
  const turns = new Map<string, number>()
  const mistakes: string[] = []
  const scenarios = new Map(book.scenarios.map((scenario) => [keyOf(scenario), scenario]))
  const canBeAsked = book.routes.some(({ name }) => name === 'query')

  function mistake(text: string): Answered {
    if (mistakes.length < MISTAKES_MAX) mistakes.push(text)
    return { answer: REFUSED, order: undefined }
  }

  function submit(found: Found): Answered {
    const { reference } = found
    if (reference === undefined) return mistake('an order without a reference')
    const known = orders.get(reference)
    return known === undefined ? take(found, reference) : repeat(known)
  }

  function take({ account = '', code = '' }: Found, reference: string): Answered {
    const scenario = scenarios.get(`account ${endOf(account)}`) ?? scenarios.get(`product ${code}`)
    if (scenario === undefined)
      return mistake(`no scenario has the account ${account} or the product ${code}`)
    if (orders.size >= ORDERS_MAX) return { answer: { ...NOTHING, status: 503 }, order: undefined }
    const id = String(FIRST_ID + orders.size)
    const acts = scenario.expect.acts ? 1 : 0
    const order = { reference, scenario, id, account, code, acts, asked: 0, fetched: 0 }
    orders.set(reference, order)
    byId.set(id, order)
    return { answer: scenario.submit, order }
  }

  function repeat(order: BookOrder): Answered {
    const { repeatedReference } = book
    if (!canBeAsked) return ask(order)
    if (repeatedReference === null || repeatedReference.actsAgain) {
      if (repeatedReference !== null && order.scenario.expect.acts) order.acts += 1
      return { answer: order.scenario.submit, order }
    }
    return { answer: repeatedReference.submit, order }
  }

  function ask(order: BookOrder): Answered {
    const { query, submit: first } = order.scenario
    order.asked += 1
    return { answer: turnOf(query, order.asked) ?? first, order }
  }

  function answerAbout(name: string, { reference, id }: Found): Answered {
    const order = (reference && orders.get(reference)) || (id && byId.get(id)) || undefined
    if (order === undefined) return { answer: book.unknownReference?.query ?? NOTHING, order }
    if (name === 'query') return ask(order)
    order.fetched += 1
    return { answer: turnOf(order.scenario.fetch, order.fetched) ?? NOTHING, order }
  }

  function answerOf(route: Route, found: Found): Answered {
    if (route.name === 'submit') return submit(found)
    if (route.name === 'query' || route.name === 'fetch') return answerAbout(route.name, found)
    const turn = (turns.get(route.name) ?? 0) + 1
    turns.set(route.name, turn)
    const order = found.reference === undefined ? undefined : orders.get(found.reference)
    return { answer: turnOf(route.answers, turn) ?? NOTHING, order }
  }

  const routeOf = (request: ReadRequest) => book.routes.find((each) => matches(each, request))
  return {
    answer(given) {
      const request = readRequest(given)
      const route = routeOf(request)
      if (route === undefined) return mistake(`no route is ${given.method} ${request.path}`)
      const missing = route.needs.find((place) => (placeIn(request, place) ?? '') === '')
      if (missing !== undefined)
        return mistake(`${route.name} has nothing at ${missing.from}.${missing.name}`)
      return answerOf(route, foundIn(route, request))
    },
    routeOf: (given) => routeOf(readRequest(given))?.name ?? '',
    orders: () => [...orders.values()],
    mistakes: () => mistakes,
  }
}

type Found = Readonly<Record<'reference' | 'id' | 'account' | 'code', string | undefined>>

function foundIn(route: Route, request: ReadRequest): Found {
  const inPath = request.variablesOf(route.path)
  const at = (place: Route['reference']) => (place === null ? undefined : placeIn(request, place))
  return {
    reference: at(route.reference) ?? inPath.reference,
    id: at(route.id) ?? inPath.id,
    account: at(route.account) ?? inPath.account,
    code: at(route.code) ?? inPath.code,
  }
}

/** The answer of this turn, counted from 1; the last one repeats. */
function turnOf(answers: readonly BookAnswer[], turn: number): BookAnswer | undefined {
  return answers[Math.min(turn, answers.length) - 1]
}
