import { parseMoney } from '../../../lib/money.ts'
import { callback } from './config-callback.rules.ts'
import { leadsIntoList, listOf, path } from './config-path.rules.ts'
import {
  auth,
  BILL_WORDS,
  containsUnaltered,
  headers,
  NO_WORDS,
  OPTIONS_WORDS,
  ORDER_WORDS,
  REQUEST_MEMBERS,
  readRequest,
  url,
} from './config-request.rules.ts'
import type { Outcomes } from './config-response.rules.ts'
import {
  billPaths,
  moneyPath,
  optionPaths,
  outputPaths,
  readOrderResponse,
  readOutput,
  readResponse,
  response,
} from './config-response.rules.ts'
import type { Members, Reader, Site } from './reading.rules.ts'
import { below, boolean, complain, entriesOf, integer, isObject, readMembers, text } from './reading.rules.ts'
import type {
  BillName,
  BillResponse,
  BodyTemplate,
  CallbackConfig,
  ConfigProblem,
  FloatResponse,
  HttpConfig,
  HttpConfigReading,
  OperationOf,
  OperationRequest,
  OptionsName,
  OptionsResponse,
  OrderResponse,
  QueryName,
  ResponseReading,
  SubmitName,
  SupplierCode,
  Template,
  Vocabulary,
  VoidName,
} from './types.ts'

/**
 * Reads a supplier's configuration and finds every mistake in it at once. One that has nothing but outdated parts works,
 * and is not saved anew.
 */
export function parseHttpConfig(config: unknown, secretNames: Iterable<string>): HttpConfigReading {
  const problems: ConfigProblem[] = []
  const site: Site = { path: '', problems, secretNames: new Set(secretNames) }
  const read = readMembers<HttpConfig | undefined>(config, site, MEMBERS, readConfig, undefined)
  const isUsable = problems.every(({ isOutdated }) => isOutdated === true)
  return read === undefined || !isUsable
    ? { ok: false, problems }
    : { ok: true, config: read, outdated: problems }
}

/** Returns every address that is connected to, with its path in the JSON. */
export function addressesOf({ baseUrl, auth: proof }: HttpConfig): readonly (readonly [string, string])[] {
  const base = ['base_url', baseUrl] as const
  return proof.type === 'oauth2_client_credentials' ? [base, ['auth.token_url', proof.tokenUrl]] : [base]
}

const MEMBERS = [
  'base_url',
  'timeouts',
  'limits',
  'not_found_proves_after_ms',
  'repeats_reference',
  'products',
  'headers',
  'auth',
  'submit',
  'query',
  'void',
  'bill',
  'options',
  'float',
  'health',
  'callback',
] as const

/** A node has an order to itself for one minute by default, so an answer must come well before. */
const TIMEOUT_MS_MAX = 50_000
const SUBMIT_MS = 20_000
const QUERY_MS = 10_000
const CONCURRENCY = 32
const PROOF_MS_MAX = 7 * 24 * 3_600_000

function readConfig(members: Members): HttpConfig | undefined {
  const submit = members.required('submit', submitOperation)
  const query = members.optional<HttpConfig['query'] | undefined>('query', queryOperation, null) ?? null
  const config: HttpConfig = {
    baseUrl: (members.required('base_url', url) ?? '').replace(/\/+$/, ''),
    ...members.optional('timeouts', timeouts, { submitMs: SUBMIT_MS, queryMs: QUERY_MS }),
    ...members.optional('limits', limits, { concurrencyMax: CONCURRENCY, ratePerSecond: null }),
    notFoundProvesAfterMs: members.optional<number | null>(
      'not_found_proves_after_ms',
      integer(0, PROOF_MS_MAX),
      null,
    ),
    repeatsReference: members.optional('repeats_reference', boolean, true),
    products: new Map(members.optional('products', entriesOf(supplierCode), [])),
    headers: members.optional('headers', headers(NO_WORDS), []),
    auth: members.optional('auth', auth, { type: 'none' }),
    submit: submit ?? NO_OPERATION,
    query,
    void: members.optional<HttpConfig['void'] | undefined>('void', voidOperation, null) ?? null,
    bill: members.optional<HttpConfig['bill'] | undefined>('bill', billOperation, null) ?? null,
    options: members.optional<HttpConfig['options'] | undefined>('options', optionsOperation, null) ?? null,
    float: members.optional<HttpConfig['float'] | undefined>('float', floatOperation, null) ?? null,
    health: members.optional<HttpConfig['health'] | undefined>('health', healthOperation, null) ?? null,
    callback: members.optional<CallbackConfig | null>('callback', callback(members.has('query')), null),
  }
  checkTogether(config, members)
  return config
}

/** Finds mistakes that only two parts together make. */
function checkTogether(config: HttpConfig, members: Members): void {
  if (config.notFoundProvesAfterMs !== null && !members.has('query')) {
    complain(below(members.site, 'not_found_proves_after_ms'), 'needs "query": nobody is asked without it', 0)
  }
  const { submit, query, void: taking, bill, options } = config
  for (const [name, found] of Object.entries({ submit, query, void: taking })) {
    // An operation without a path has already been reported.
    if (found === null || found.request.path.length === 0) continue
    if (!sourcesOf(found.request).some((source) => containsUnaltered(source, 'reference'))) {
      complain(below(members.site, name), 'must send {{reference}}, whole: it is what makes the order one', 0)
    }
  }
  checkCallbackOutput(config, members.site)
  if (config.products.size > 0) return
  for (const [name, found] of Object.entries({ submit, query, void: taking, bill, options })) {
    if (found !== null && sourcesOf(found.request).some((source) => names(source, 'supplier_code'))) {
      complain(below(members.site, name), 'uses {{supplier_code}}, and there is no "products" table', 0)
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

/** Returns every template of a request. */
function sourcesOf({ path: pathTemplate, query, headers: sent, body }: OperationRequest): Template[] {
  const fields = body.kind === 'form' ? body.fields : []
  const inBody = body.kind === 'json' ? templatesIn(body.template) : []
  const sources = [...query, ...sent, ...fields].flatMap(([, source]) => ('secret' in source ? [] : [source]))
  return [pathTemplate, ...sources, ...inBody]
}

function templatesIn(body: BodyTemplate): Template[] {
  if ('constant' in body || 'secret' in body) return []
  if ('list' in body) return body.list.flatMap(templatesIn)
  if ('members' in body) return body.members.flatMap(([, member]) => templatesIn(member))
  return [body]
}

function names(template: Template, name: string): boolean {
  return template.some((part) => typeof part !== 'string' && part.name === name)
}

// ── Numbers and products ──

const timeouts: Reader<Pick<HttpConfig, 'submitMs' | 'queryMs'>> = (value, site) =>
  readMembers(
    value,
    site,
    ['submit_ms', 'query_ms'],
    (members) => ({
      submitMs: members.optional('submit_ms', integer(100, TIMEOUT_MS_MAX), SUBMIT_MS),
      queryMs: members.optional('query_ms', integer(100, TIMEOUT_MS_MAX), QUERY_MS),
    }),
    { submitMs: SUBMIT_MS, queryMs: QUERY_MS },
  )

const limits: Reader<Pick<HttpConfig, 'concurrencyMax' | 'ratePerSecond'>> = (value, site) =>
  readMembers<Pick<HttpConfig, 'concurrencyMax' | 'ratePerSecond'>>(
    value,
    site,
    ['concurrency', 'rate_per_second'],
    (members) => ({
      concurrencyMax: members.optional('concurrency', integer(1, 512), CONCURRENCY),
      ratePerSecond: members.optional<number | null>('rate_per_second', integer(1, 10_000), null),
    }),
    { concurrencyMax: CONCURRENCY, ratePerSecond: null },
  )

const supplierCode: Reader<SupplierCode> = (value, site) => {
  const none: SupplierCode = { by: 'product', code: '' }
  if (!isObject(value)) return { by: 'product', code: text(value, site) }
  return readMembers<SupplierCode>(
    value,
    site,
    ['by_amount', 'by_subproduct'],
    (members) => {
      if (members.has('by_amount') === members.has('by_subproduct')) {
        return complain(site, 'must be a text, or have either by_amount or by_subproduct', none)
      }
      return members.has('by_amount')
        ? { by: 'amount', codes: members.optional('by_amount', codesByAmount, new Map()) }
        : { by: 'subproduct', codes: new Map(members.optional('by_subproduct', entriesOf(text), [])) }
    },
    none,
  )
}

const codesByAmount: Reader<ReadonlyMap<bigint, string>> = (value, site) =>
  new Map(
    entriesOf(text)(value, site).map(([amount, code]) => [
      parseMoney(amount) ?? complain(below(site, amount), 'must stand under an amount such as 10.00', 0n),
      code,
    ]),
  )

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

function operation<T>(
  words: Vocabulary,
  readAnswer: (value: unknown, site: Site) => T | undefined,
): Reader<OperationOf<T> | undefined> {
  return (value, site) =>
    readMembers<OperationOf<T> | undefined>(
      value,
      site,
      [...REQUEST_MEMBERS, 'response'],
      (members) => {
        const request = readRequest(members, words)
        const answer = members.required('response', readAnswer)
        return answer === undefined ? undefined : { request, response: answer }
      },
      undefined,
    )
}

function orderResponse<Name extends string>(outcomes: Outcomes<Name>) {
  return response<OrderResponse<Name>>(['list', 'output'], (members) => {
    const found = readOrderResponse(members, outcomes)
    const output = readOutput(members)
    return { ...found, output, positions: [...found.positions, ...outputPaths(output).filter(leadsIntoList)] }
  })
}

const submitOperation = operation<OrderResponse<SubmitName>>(ORDER_WORDS, orderResponse(SUBMIT_OUTCOMES))
const queryOperation = operation<OrderResponse<QueryName>>(ORDER_WORDS, orderResponse(QUERY_OUTCOMES))
const voidOperation = operation<ResponseReading<VoidName>>(
  ORDER_WORDS,
  response(['list'], (members) => readOrderResponse(members, VOID_OUTCOMES)),
)
const billOperation = operation<BillResponse>(
  BILL_WORDS,
  response(['list', 'bill'], (members) => {
    const found = readResponse(members, BILL_OUTCOMES)
    const bill = members.required('bill', billPaths) ?? { fields: [] }
    const paths = 'whole' in bill ? [bill.whole] : bill.fields.map(([, each]) => each)
    return {
      ...found,
      list: members.optional<BillResponse['list']>('list', listOf(BILL_WORDS), null),
      bill,
      positions: [...found.positions, ...paths.filter(leadsIntoList)],
    }
  }),
)
const optionsOperation = operation<OptionsResponse>(
  OPTIONS_WORDS,
  response(['list', 'option'], (members) => ({
    ...readResponse(members, OPTIONS_OUTCOMES),
    options: members.required('list', path) ?? [],
    option: members.required('option', optionPaths) ?? NO_OPTION,
  })),
)
const floatOperation = operation<FloatResponse>(NO_WORDS, (value, site) =>
  readMembers<FloatResponse | undefined>(
    value,
    site,
    ['list', 'amount'],
    (members) => ({
      list: members.optional<FloatResponse['list']>('list', listOf({}), null),
      amount: members.required('amount', moneyPath) ?? { path: [], unit: 'ringgit' },
    }),
    undefined,
  ),
)
const healthOperation: Reader<OperationRequest | undefined> = (value, site) =>
  readMembers<OperationRequest | undefined>(
    value,
    site,
    REQUEST_MEMBERS,
    (members) => readRequest(members, NO_WORDS),
    undefined,
  )

/** Placeholder for a part that could not be read; a configuration with problems is never used. */
const NO_OPTION: OptionsResponse['option'] = {
  code: [],
  label: [],
  description: null,
  accountNumber: null,
  denomination: null,
  validity: null,
  features: null,
}
const NO_OPERATION: HttpConfig['submit'] = {
  request: { method: 'POST', path: [], query: [], headers: [], body: { kind: 'none' } },
  response: {
    outcome: { paths: [], table: new Map(), otherwise: null },
    httpStatus: new Map(),
    reason: null,
    reference: null,
    list: null,
    positions: [],
    output: { serialNumber: null, pin: null, expiry: null, voucherLink: null, note: null },
  },
}
