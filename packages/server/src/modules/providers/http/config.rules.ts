import { auth } from '../language/auth.rules.ts'
import { callback } from '../language/callback.rules.ts'
import { leadsIntoList, listOf, path } from '../language/path.rules.ts'
import { productCodes } from '../language/products.rules.ts'
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
import type { Outcomes } from '../language/response.rules.ts'
import {
  billPaths,
  moneyPath,
  optionPaths,
  orderResponseMembers,
  orderResponseOf,
  output,
  outputPaths,
  responseMembers,
  responseOf,
} from '../language/response.rules.ts'
import { headers, sendsWhole, uses } from '../language/sources.rules.ts'
import type {
  BillName,
  BillResponse,
  ConfigProblem,
  FloatResponse,
  OperationOf,
  OptionsName,
  OptionsResponse,
  OrderResponse,
  QueryName,
  ResponseReading,
  SubmitName,
  Vocabulary,
  VoidName,
} from '../language/types.ts'
import { BILL_WORDS, NO_WORDS, OPTIONS_WORDS, ORDER_WORDS } from '../language/words.rules.ts'

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
function checkTogether(config: HttpConfig, { site, has }: Seen): void {
  if (config.notFoundProvesAfterMs !== null && !has('query')) {
    complain(below(site, 'not_found_proves_after_ms'), 'needs "query": nobody is asked without it', 0)
  }
  const { submit, query, void: taking, bill, options } = config
  for (const [name, found] of Object.entries({ submit, query, void: taking })) {
    // An operation without a path has already been reported.
    if (found === null || found.request.path.length === 0) continue
    if (!sendsWhole(found.request, 'reference')) {
      complain(below(site, name), 'must send {{reference}}, whole: it is what makes the order one', 0)
    }
  }
  checkCallbackOutput(config, site)
  if (has('products')) return
  for (const [name, found] of Object.entries({ submit, query, void: taking, bill, options })) {
    if (found !== null && (uses(found.request, 'supplier_code') || uses(found.request, 'product.'))) {
      complain(below(site, name), 'uses the supplier’s codes, and there is no "products" table', 0)
    }
  }
}

/** Requires a callback that settles an order to bring the output: nobody asks for it afterwards. */
function checkCallbackOutput({ submit, query, callback: news }: HttpConfig, site: Site): void {
  if (news === null || news.outcome === null) return
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

// ── Operations ──

const SUBMIT_OUTCOMES: Outcomes<SubmitName> = {
  names: ['succeeded', 'failed', 'pending', 'not_acted'],
  // Some suppliers only accept orders and report the result later.
  needed: ['succeeded', 'pending'],
  mayBeAssumed: ['failed', 'pending'],
  isAnswerToOrder: true,
}
const QUERY_OUTCOMES: Outcomes<QueryName> = {
  names: ['succeeded', 'failed', 'pending', 'not_found'],
  needed: ['succeeded'],
  mayBeAssumed: ['failed', 'pending'],
  absent: { outcome: 'not_found', code: null, reason: null },
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

function orderResponse<Name extends string>(outcomes: Outcomes<Name>): Reader<OrderResponse<Name>> {
  return object({ ...orderResponseMembers(outcomes), output }, (found, seen) => {
    const answer = orderResponseOf(found, outcomes, seen)
    const brought = outputPaths(found.output).filter(leadsIntoList)
    return { ...answer, output: found.output, positions: [...answer.positions, ...brought] }
  })
}

const voidResponse: Reader<ResponseReading<VoidName>> = object(
  orderResponseMembers(VOID_OUTCOMES),
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
  amount: needed(moneyPath, { path: [], unit: 'ringgit' }),
})

const submitOperation = operation(ORDER_WORDS, orderResponse(SUBMIT_OUTCOMES))

/** The whole language: what is not declared here, or in a part that stands here, is refused. */
export function connectionMembers(canAsk: boolean) {
  return {
    base_url: needed(url, ''),
    timeouts: optional(object(TIMEOUTS), object(TIMEOUTS)({}, UNHEARD)),
    limits: optional(object(LIMITS), object(LIMITS)({}, UNHEARD)),
    not_found_proves_after_ms: optional(integer(0, PROOF_MS_MAX), null),
    repeats_reference: optional(boolean, true),
    products: optional(entriesOf(productCodes), []),
    headers: optional(headers(NO_WORDS), []),
    auth: optional(auth, auth({ type: 'none' }, UNHEARD)),
    submit: needed(submitOperation, submitOperation({}, UNHEARD)),
    query: optional(operation(ORDER_WORDS, orderResponse(QUERY_OUTCOMES)), null),
    void: optional(operation(ORDER_WORDS, voidResponse), null),
    bill: optional(operation(BILL_WORDS, billResponse), null),
    options: optional(operation(OPTIONS_WORDS, optionsResponse), null),
    float: optional(operation(NO_WORDS, floatResponse), null),
    health: optional(object(requestMembers(NO_WORDS), requestOf), null),
    callback: optional(callback(canAsk), null),
  }
}

function configOf(found: Found<ReturnType<typeof connectionMembers>>) {
  const { baseUrl, timeouts, limits, products, ...others } = found
  return {
    ...others,
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
