import type { ConfigProblem } from '../connections/connections.types.ts'
import type { Reader } from '../language/reading.rules.ts'
import {
  below,
  boolean,
  complain,
  entriesOf,
  integer,
  isObject,
  needed,
  object,
  oneOf,
  optional,
  text,
} from '../language/reading.rules.ts'
import { AMOUNT, listOf } from './reading.rules.ts'
import type {
  Book,
  BookAnswer,
  BookCallback,
  DigestMember,
  Expectation,
  Final,
  OrderChange,
  Place,
  Route,
  Scenario,
  Sign,
} from './types.ts'
import { FINALS, QUERY_KINDS, SUBMIT_KINDS } from './types.ts'

// Reads `answers.json`.

export type BookReading =
  | { readonly ok: true; readonly book: Book }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

export function readBook(value: unknown): BookReading {
  const problems: ConfigProblem[] = []
  const book = readWhole(value, { path: 'answers.json', problems, secretNames: new Set() })
  return problems.length === 0 ? { ok: true, book } : { ok: false, problems }
}

const anything: Reader<unknown> = (value) => value
const texts: Reader<Readonly<Record<string, string>>> = (value, site) =>
  Object.fromEntries(entriesOf(text)(value, site))

// ── Answers ──

const NO_ANSWER: BookAnswer = { status: 500, text: '', isJson: false, headers: {}, isDropped: false }

/** Reads JSON, or text as it stands. */
function contentOf(found: { body: unknown; text: string | null }): Pick<BookAnswer, 'text' | 'isJson'> {
  const isJson = found.body !== undefined
  return { text: isJson ? JSON.stringify(found.body) : (found.text ?? ''), isJson }
}

const answer: Reader<BookAnswer> = object(
  {
    status: optional(integer(100, 599), 200),
    body: optional(anything, undefined),
    text: optional(text, null),
    headers: optional(texts, {}),
    drop: optional(boolean, false),
  },
  ({ status, headers, drop, ...content }) => ({ status, headers, isDropped: drop, ...contentOf(content) }),
)

// ── Routes ──

const SOURCES = ['body', 'form', 'query', 'header'] as const
const NOWHERE: Place = { from: 'body', name: '' }

const place: Reader<Place> = (value, site) => {
  const [, source, name] = /^([a-z]+)\.(.+)$/s.exec(typeof value === 'string' ? value : '') ?? []
  const from = SOURCES.find((each) => each === source)
  if (from !== undefined && name !== undefined) return { from, name }
  return complain(site, `must be a place such as body.id: ${SOURCES.join(', ')}`, NOWHERE)
}

const placeOf = (written: string, site: Parameters<Reader<Place>>[1]) => place(written, below(site, written))

const where: Reader<Route['where']> = (value, site) =>
  entriesOf(text)(value, site).map(([name, wanted]) => [placeOf(name, site), wanted] as const)

const route = object({
  method: needed(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'GET'),
  path: needed(text, ''),
  reference: optional(place, null),
  id: optional(place, null),
  account: optional(place, null),
  code: optional(place, null),
  where: optional(where, []),
  needs: optional(listOf(place), []),
  answer: optional(answer, null),
  answers: optional(listOf(answer), []),
})

const routes: Reader<readonly Route[]> = (value, site) => {
  const read = entriesOf(route)(value, site).map(([name, { answer: only, answers, ...found }]) => ({
    name,
    ...found,
    answers: only === null ? answers : [only],
  }))
  if (!read.some(({ name }) => name === 'submit')) complain(below(site, 'submit'), 'is missing', 0)
  for (const { name, answers } of read) {
    const isOfOrders = ['submit', 'query', 'fetch'].includes(name)
    if (!isOfOrders && answers.length === 0) complain(below(site, name), 'needs an answer', 0)
  }
  return read
}

// ── Scenarios ──

const NO_CHANGE: OrderChange = { amount: null, account: null, subproduct: null, billerCode: null, ref2: null }

const order: Reader<OrderChange> = object({
  amount: optional(AMOUNT, null),
  account: optional(text, null),
  subproduct: optional(text, null),
  biller_code: optional(text, null),
  ref2: optional(text, null),
})

/** Delivery that follows from how it ends; null: it does not follow. */
const DELIVERED: Readonly<Record<Final, boolean | null>> = {
  succeeded: true,
  failed: false,
  elsewhere: false,
  reversed: true,
  open: null,
}

const FINAL_OF: Readonly<Record<string, Final>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  not_acted: 'elsewhere',
  reversed: 'reversed',
}

const expectation: Reader<Expectation> = object(
  {
    submit: needed(oneOf(...SUBMIT_KINDS), 'unknown'),
    query: needed(listOf(oneOf(...QUERY_KINDS)), []),
    final: needed(oneOf(...FINALS), 'open'),
    code: optional(integer(0, 999), null),
    output: optional(texts, {}),
    cost: optional(text, null),
    acts: optional(boolean, null),
  },
  (found, { site }) => {
    const last = found.query.at(-1) ?? found.submit
    const due = FINAL_OF[last] ?? 'open'
    if (due !== found.final) complain(below(site, 'final'), `must be ${due}: it ends with ${last}`, 0)
    const acts = DELIVERED[found.final] ?? found.acts
    if (acts === null) complain(below(site, 'acts'), 'must say whether the supplier delivered', 0)
    return { ...found, acts: acts === true }
  },
)

const NO_EXPECTATION = {
  submit: 'unknown',
  query: [],
  final: 'open',
  code: null,
  output: {},
  cost: null,
  acts: false,
} as const

const scenario = object({
  name: needed(text, ''),
  account: optional(text, null),
  product: optional(anything, null),
  order: optional(order, NO_CHANGE),
  submit: needed(answer, NO_ANSWER),
  query: optional(listOf(answer), []),
  fetch: optional(listOf(answer), []),
  expect: needed(expectation, NO_EXPECTATION),
})

// ── Callbacks ──

const sign: Reader<Sign> = object(
  {
    header: needed(text, ''),
    secret: needed(text, ''),
    key: optional(oneOf('text', 'base64', 'whsec'), 'text'),
    algorithm: optional(oneOf('sha1', 'sha256', 'sha512'), null),
    encoding: optional(oneOf('hex', 'base64'), 'hex'),
    payload: optional(text, '{{body}}'),
    value: optional(text, '{{signature}}'),
    timestamp: optional(
      object({ header: needed(text, ''), form: optional(oneOf('unix', 'unix_ms', 'iso'), 'unix') }),
      null,
    ),
    flaw: optional(oneOf('wrong'), null),
  },
  ({ flaw, ...found }) => ({ ...found, isWrong: flaw !== null }),
)

const digest: Reader<DigestMember> = object(
  {
    path: needed(text, ''),
    algorithm: optional(oneOf('md5', 'sha1', 'sha256'), 'md5'),
    of: needed(text, ''),
  },
  ({ path, ...found }) => ({ ...found, path: path.split('.') }),
)

const callback: Reader<BookCallback> = object(
  {
    name: needed(text, ''),
    body: optional(anything, undefined),
    text: optional(text, null),
    query: optional(text, ''),
    headers: optional(texts, {}),
    sign: optional(sign, null),
    digest: optional(digest, null),
    age_s: optional(integer(-86_400, 31_536_000), 0),
    expect: needed(oneOf('news', 'refused', 'ping', 'repeated'), 'news'),
  },
  ({ body, text: written, ...found }) => ({ ...found, content: contentOf({ body, text: written }) }),
)

// ── The book ──

const kind = oneOf(...QUERY_KINDS)
const NO_FACTS = { lookup: null, float: null, offers: null, firstOffer: {} }

const record: Reader<Readonly<Record<string, unknown>>> = (value, site) =>
  isObject(value) ? value : complain(site, 'must be an object', {})

const readWhole: Reader<Book> = object(
  {
    product: optional(anything, null),
    order: optional(order, NO_CHANGE),
    routes: needed(routes, []),
    scenarios: needed(listOf(scenario), []),
    unknown_reference: optional(
      object({ query: needed(answer, NO_ANSWER), expect: needed(kind, 'unknown') }),
      null,
    ),
    repeated_reference: optional(
      object({
        submit: needed(answer, NO_ANSWER),
        expect: needed(kind, 'unknown'),
        acts_again: needed(boolean, false),
      }),
      null,
    ),
    callbacks: optional(listOf(callback), []),
    expect: optional(
      object({
        lookup: optional(text, null),
        float: optional(text, null),
        offers: optional(integer(0, 100_000), null),
        first_offer: optional(record, {}),
      }),
      NO_FACTS,
    ),
  },
  ({ product, order: usual, scenarios: given, ...book }, { site }) => {
    const scenarios = given.map((each) => ({
      ...each,
      product: each.product ?? product,
      order: withUsual(each.order, usual),
    }))
    checkNames(scenarios, below(site, 'scenarios'))
    return { ...book, scenarios }
  },
)

function withUsual(own: OrderChange, usual: OrderChange): OrderChange {
  const given = Object.entries(own).filter(([, value]) => value !== null)
  return { ...usual, ...Object.fromEntries(given) }
}

/** Refuses scenarios that a request could not tell apart, and names that stand twice. */
function checkNames(scenarios: readonly Scenario[], site: Parameters<Reader<unknown>>[1]): void {
  const seen = new Map<string, string>()
  for (const { name, ...found } of scenarios) {
    const at = below(site, name)
    if (found.product === null) complain(at, 'has no product, and neither has the book', 0)
    const key = keyOf(found)
    const other = seen.get(key)
    if (other !== undefined) complain(at, `has the account or product of ${other}`, 0)
    seen.set(key, name)
    if (seen.get(`name ${name}`) !== undefined) complain(at, 'stands twice', 0)
    seen.set(`name ${name}`, name)
  }
}

const KEY_LENGTH = 8

/** Text by which a request's scenario is found: accounts are spelled in different ways, and end alike. */
export function keyOf({ account, product }: Pick<Scenario, 'account' | 'product'>): string {
  return account === null ? `product ${codeOf(product)}` : `account ${endOf(account)}`
}

export function endOf(account: string): string {
  return account.replace(/[^A-Za-z0-9]/g, '').slice(-KEY_LENGTH)
}

/** The supplier's code in an entry of `products`. */
export function codeOf(product: unknown): string {
  return String(isObject(product) ? product.code : product)
}
