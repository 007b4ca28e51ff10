import { isPlainAscii } from '../../../lib/input/fields.ts'
import { auth } from '../language/auth.rules.ts'
import { callback } from '../language/callback.rules.ts'
import { catalogue } from '../language/catalogue.rules.ts'
import { currency, currencySource, moneyPath } from '../language/money.rules.ts'
import type { Outcomes } from '../language/outcomes.rules.ts'
import { leadsIntoList, listOf, path } from '../language/path.rules.ts'
import { productCodes, valuesOf } from '../language/products.rules.ts'
import type { Found, Reader, Seen, Site } from '../language/reading.rules.ts'
import {
  below,
  boolean,
  complain,
  entriesOf,
  integer,
  isObject,
  needed,
  object,
  optional,
} from '../language/reading.rules.ts'
import { requestMembers, requestOf, url } from '../language/request.rules.ts'
import {
  billPaths,
  lookupResponse,
  optionPaths,
  orderResponse,
  orderResponseMembers,
  orderResponseOf,
  responseMembers,
  responseOf,
} from '../language/response.rules.ts'
import { containsUnaltered, headers, sendsWhole, template, uses } from '../language/sources.rules.ts'
import type {
  BillName,
  BillResponse,
  ConfigProblem,
  FetchName,
  FloatResponse,
  OperationOf,
  OperationRequest,
  OptionsName,
  OptionsResponse,
  OrderResponse,
  QueryName,
  ResponseReading,
  SubmitName,
  Template,
  Vocabulary,
  VoidName,
} from '../language/types.ts'
import {
  ASK_WORDS,
  BILL_WORDS,
  LOOKUP_WORDS,
  NO_WORDS,
  OPTIONS_WORDS,
  ORDER_WORDS,
  REFERENCE_WORDS,
  USUAL_WORDS,
} from '../language/words.rules.ts'

/**
 * Reads a supplier's configuration and finds every mistake in it at once. One that has nothing but outdated parts works,
 * and is not saved anew.
 */
export function parseHttpConfig(value: unknown, secretNames: Iterable<string>): HttpConfigReading {
  const problems: ConfigProblem[] = []
  const canAsk = isObject(value) && value.query !== undefined
  const read = object(connectionMembers(canAsk), (found, seen) => {
    const made = configOf(found)
    checkTogether(made, seen)
    return made
  })
  const config = read(value, { path: '', problems, secretNames: new Set(secretNames) })
  const isUsable = problems.every(({ isOutdated }) => isOutdated === true)
  return isUsable ? { ok: true, config, outdated: problems } : { ok: false, problems }
}

/** Returns every address that is connected to, with its path in the JSON. */
export function addressesOf({ baseUrl, auth: proof }: HttpConfig): readonly (readonly [string, string])[] {
  const base = ['base_url', baseUrl] as const
  return proof.type === 'oauth2_client_credentials' ? [base, ['auth.token_url', proof.tokenUrl]] : [base]
}

/** Finds mistakes that only two parts together make. */
function checkTogether(config: HttpConfig, seen: Seen): void {
  checkProof(config, seen)
  checkNaming(config, seen.site)
  checkReferenceFormat(config, seen.site)
  checkFetch(config, seen.site)
  checkCallbackOutput(config, seen.site)
  checkProducts(config, seen)
}

/** Accepts the proof that an order does not exist from a question alone that names the order by our reference. */
function checkProof({ notFoundProvesAfterMs, query: asking }: HttpConfig, { site, has }: Seen): void {
  if (notFoundProvesAfterMs === null) return
  const at = below(site, 'not_found_proves_after_ms')
  if (!has('query')) complain(at, 'needs "query": nobody is asked without it', 0)
  else if (asking?.repeats) complain(at, 'cannot be: the question of "repeats_submit" is the order itself', 0)
  else if (
    asking !== null &&
    !sendsWhole(asking.request, 'reference') &&
    uses(asking.request, 'supplier_id')
  ) {
    complain(at, 'needs a "query" that sends {{reference}}', 0)
  }
}

/** An operation without a path has already been reported. */
function isWritten({ path: written }: OperationRequest): boolean {
  return written.length > 0
}

function checkNaming({ submit, query: asking, fetch: further, void: taking }: HttpConfig, site: Site): void {
  if (isWritten(submit.request) && !sendsWhole(submit.request, 'reference')) {
    complain(below(site, 'submit'), 'must send {{reference}}, whole: it is what makes the order one', 0)
  }
  const questions = { query: asking?.repeats ? null : asking, fetch: further, void: taking }
  for (const [name, found] of Object.entries(questions)) {
    if (found === null || !isWritten(found.request)) continue
    if (['reference', 'supplier_id'].some((each) => sendsWhole(found.request, each))) continue
    complain(below(site, name), 'must send {{reference}} or {{supplier_id}}, whole: it names the order', 0)
  }
}

function checkReferenceFormat({ referenceFormat: format, repeatsReference }: HttpConfig, site: Site): void {
  const isTimed = format?.some((part) => typeof part !== 'string' && part.name === 'submitted_at') ?? false
  if (!isTimed || !repeatsReference) return
  const message = 'has a time, so that a second sending has another reference: say "repeats_reference": false'
  complain(below(site, 'reference_format'), message, 0)
}

function checkFetch({ fetch: further, query: asking, callback: news }: HttpConfig, site: Site): void {
  if (further === null) return
  if (asking === null) complain(below(site, 'fetch'), 'needs "query": nobody asks again without it', 0)
  if (news?.settles === true) {
    const message = 'must be "ask" beside "fetch", which brings what a callback does not'
    complain(below(below(site, 'callback'), 'outcome'), message, 0)
  }
}

function checkProducts(config: HttpConfig, { site, has }: Seen): void {
  if (has('products')) return
  const { submit, query: asking, fetch: further, void: taking, bill, options } = config
  const operations = {
    submit,
    query: asking?.repeats ? null : asking,
    fetch: further,
    void: taking,
    bill,
    options,
  }
  for (const [name, found] of Object.entries(operations)) {
    if (found !== null && (uses(found.request, 'supplier_code') || uses(found.request, 'product.'))) {
      complain(below(site, name), 'uses the supplier’s codes, and there is no "products" table', 0)
    }
  }
}

/** Requires a callback that settles an order to bring the output: nobody asks for it afterwards. */
function checkCallbackOutput({ submit, query, callback: news }: HttpConfig, site: Site): void {
  if (news === null || !news.settles) return
  const sold = { pin: 'pin', voucherLink: 'voucher_link' } as const
  for (const [name, written] of Object.entries(sold) as [keyof typeof sold, string][]) {
    const elsewhere = [submit.response.output[name], query?.response.output[name] ?? null]
    const own = news.output[name]
    const at = below(below(below(site, 'callback'), 'output'), written)
    if (own === null && elsewhere.some((each) => each !== null)) {
      complain(at, 'is missing, and other answers have it: name it, or make "outcome" "ask"', 0)
    } else if (own?.isRequired === false && elsewhere.some((each) => each?.isRequired === true)) {
      complain(at, 'must be required, as it is in other answers', 0)
    }
  }
}

// ── Numbers ──

/** Place where the stand-in of an object is made of its members’ stand-ins: nobody hears of what is missing. */
const UNHEARD: Site = { path: '', problems: [], secretNames: new Set() }

/** A node has an order to itself for one minute by default, so an answer must come well before. */
const timeoutMs = integer(100, 50_000)
const TIMEOUTS = { submit_ms: optional(timeoutMs, 20_000), query_ms: optional(timeoutMs, 10_000) }
const LIMITS = {
  concurrency: optional(integer(1, 512), 32),
  rate_per_second: optional(integer(1, 10_000), null),
}
const PROOF_MS_MAX = 7 * 24 * 3_600_000

const FORMAT_FIXED_MAX = 40

/** Reads the form of a reference that the supplier wants. It holds ours whole, or two orders could be one there. */
const referenceFormat: Reader<Template> = (value, site) => {
  const parts = template(REFERENCE_WORDS)(value, site)
  if (parts.length === 0) return parts
  if (!['reference', 'reference_alnum'].some((name) => containsUnaltered(parts, name))) {
    return complain(site, 'must hold {{reference}} or {{reference_alnum}}, whole', parts)
  }
  const fixed = parts.filter((part) => typeof part === 'string').join('')
  if (fixed.length <= FORMAT_FIXED_MAX && isPlainAscii(fixed)) return parts
  return complain(site, `must have at most ${FORMAT_FIXED_MAX} printable ASCII characters of its own`, parts)
}

// ── Operations ──

const SUBMIT_OUTCOMES: Outcomes<SubmitName> = {
  names: ['succeeded', 'failed', 'pending', 'not_acted'],
  // Some suppliers only accept orders and report the result later.
  needed: ['succeeded', 'pending'],
  mayBeAssumed: ['failed', 'pending'],
  isAnswerToOrder: true,
  byPresence: true,
}
const QUERY_OUTCOMES: Outcomes<QueryName> = {
  names: ['succeeded', 'failed', 'pending', 'not_found', 'not_acted', 'reversed'],
  needed: ['succeeded'],
  mayBeAssumed: ['failed', 'pending'],
  absent: { outcome: 'not_found', code: null, reason: null },
  byPresence: true,
}
/** The order itself is the question, so a supplier that does not know it carries it out. */
const REPEATED_OUTCOMES: Outcomes<QueryName> = {
  names: ['succeeded', 'failed', 'pending', 'not_acted', 'reversed'],
  needed: ['succeeded'],
  mayBeAssumed: ['failed', 'pending'],
  byPresence: true,
}
const FETCH_OUTCOMES: Outcomes<FetchName> = {
  names: ['succeeded', 'pending'],
  needed: ['succeeded'],
  mayBeAssumed: ['pending'],
  byPresence: true,
  // It asks about one order that succeeded, by our reference or the supplier's own id.
  isAnswerToOrder: true,
}
const VOID_OUTCOMES: Outcomes<VoidName> = {
  names: ['approved', 'refused', 'pending'],
  needed: ['approved', 'pending'],
  mayBeAssumed: ['refused', 'pending'],
}
const BILL_OUTCOMES: Outcomes<BillName> = {
  names: ['found', 'invalid_account', 'unavailable'],
  needed: ['found'],
  mayBeAssumed: ['unavailable'],
  byStatus: true,
}
const OPTIONS_OUTCOMES: Outcomes<OptionsName> = {
  names: ['found', 'unavailable'],
  needed: ['found'],
  mayBeAssumed: ['unavailable'],
  byStatus: true,
}
function operation<T>(words: Vocabulary, answer: Reader<T>): Reader<OperationOf<T>> {
  return object(
    { ...requestMembers(words), response: needed(answer, answer({}, UNHEARD)) },
    (found, seen) => ({
      request: requestOf(found, seen),
      response: found.response,
    }),
  )
}

const DAY_MS = 24 * 3_600_000

type Repeating = { readonly minIntervalMs: number; readonly notAfterMs: number }

/** Question that sends the request of `submit` again; the request is put there when the whole was read. */
const repeatedQuery = object(
  {
    repeats_submit: needed(boolean, true),
    min_interval_s: optional(integer(1, 24 * 3_600), 60),
    not_after_days: needed(integer(1, 365), 1),
    response: needed(
      orderResponse(REPEATED_OUTCOMES, ASK_WORDS),
      orderResponse(REPEATED_OUTCOMES, ASK_WORDS)({}, UNHEARD),
    ),
  },
  ({ minIntervalS, notAfterDays, response }) => ({
    request: null,
    response,
    repeats: { minIntervalMs: 1_000 * minIntervalS, notAfterMs: DAY_MS * notAfterDays },
  }),
)

const ownQuery = operation(ASK_WORDS, orderResponse(QUERY_OUTCOMES, ASK_WORDS))

type Query = {
  readonly request: OperationRequest | null
  readonly response: OrderResponse<QueryName>
  readonly repeats: Repeating | null
}

const query: Reader<Query> = (value, site) =>
  isObject(value) && value.repeats_submit === true
    ? repeatedQuery(value, site)
    : { ...ownQuery(value, site), repeats: null }

const voidResponse: Reader<ResponseReading<VoidName>> = object(
  orderResponseMembers(VOID_OUTCOMES, ASK_WORDS),
  (found, seen) => orderResponseOf(found, VOID_OUTCOMES, seen),
)

const billResponse: Reader<BillResponse> = object(
  {
    ...responseMembers(BILL_OUTCOMES),
    list: optional(listOf<BillName>(BILL_WORDS), null),
    bill: needed(billPaths, { fields: [] }),
  },
  (found) => {
    const { list, bill } = found
    const answer = responseOf(found)
    const paths = 'whole' in bill ? [bill.whole] : bill.fields.map(([, each]) => each)
    return { ...answer, list, bill, positions: [...answer.positions, ...paths.filter(leadsIntoList)] }
  },
)

const optionsResponse: Reader<OptionsResponse> = object(
  {
    ...responseMembers(OPTIONS_OUTCOMES),
    list: needed(path, []),
    option: needed(optionPaths, optionPaths({}, UNHEARD)),
  },
  (found) => ({ ...responseOf(found), options: found.list, option: found.option }),
)

const floatResponse: Reader<FloatResponse> = object({
  list: optional(listOf<never>({}), null),
  amount: needed(moneyPath, { path: [], unit: 'major', divisor: null }),
  currency: optional(currencySource, null),
})

const submitOperation = operation(ORDER_WORDS, orderResponse(SUBMIT_OUTCOMES, ORDER_WORDS))

/** The whole language: what is not declared here, or in a part that stands here, is refused. */
export function connectionMembers(canAsk: boolean) {
  return {
    base_url: needed(url, ''),
    timeouts: optional(object(TIMEOUTS), object(TIMEOUTS)({}, UNHEARD)),
    limits: optional(object(LIMITS), object(LIMITS)({}, UNHEARD)),
    not_found_proves_after_ms: optional(integer(0, PROOF_MS_MAX), null),
    repeats_reference: optional(boolean, true),
    reference_format: optional(referenceFormat, null),
    currency: optional(currency, 'MYR'),
    products: optional(entriesOf(productCodes), []),
    usual_values: optional(valuesOf(template(USUAL_WORDS)), []),
    headers: optional(headers(NO_WORDS), []),
    auth: optional(auth, auth({ type: 'none' }, UNHEARD)),
    submit: needed(submitOperation, submitOperation({}, UNHEARD)),
    query: optional(query, null),
    fetch: optional(operation(ASK_WORDS, orderResponse(FETCH_OUTCOMES, ASK_WORDS)), null),
    void: optional(operation(ASK_WORDS, voidResponse), null),
    bill: optional(operation(BILL_WORDS, billResponse), null),
    options: optional(operation(OPTIONS_WORDS, optionsResponse), null),
    lookup: optional(operation(LOOKUP_WORDS, lookupResponse), null),
    float: optional(operation(NO_WORDS, floatResponse), null),
    health: optional(object(requestMembers(NO_WORDS), requestOf), null),
    catalogue: optional(catalogue, null),
    callback: optional(callback(canAsk), null),
  }
}

function configOf(found: Found<ReturnType<typeof connectionMembers>>) {
  const { baseUrl, timeouts, limits, products, query: asking, ...others } = found
  return {
    ...others,
    query: asking === null ? null : { ...asking, request: asking.request ?? found.submit.request },
    ...timeouts,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    concurrencyMax: limits.concurrency,
    ratePerSecond: limits.ratePerSecond,
    products: new Map(products),
  }
}

export type HttpConfig = Readonly<ReturnType<typeof configOf>>

export type HttpConfigReading =
  | { readonly ok: true; readonly config: HttpConfig; readonly outdated: readonly ConfigProblem[] }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }
