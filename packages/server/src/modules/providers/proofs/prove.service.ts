import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { RequestError } from '../../../lib/errors.ts'
import { formatMoney, parseMoney } from '../../../lib/money.ts'
import type { Connections } from '../connections/connections.service.ts'
import { getConnection, openSecrets } from '../connections/connections.service.ts'
import { findConnectionRow } from '../connections/connections.sql.ts'
import { isObject } from '../language/reading.rules.ts'
import { isAtTestAddress } from '../packs/pack.rules.ts'
import { getPackOf } from '../packs/packs.service.ts'
import type { Manifest, TestOrder } from '../packs/types.ts'
import type { Order, Provider, QueryAnswer, SubmitOutcome } from '../port/types.ts'
import type { Result } from './types.ts'

export type Proving = Connections & {
  readonly code: string
  /** Says that the credentials are for tests although the address is not known to be. */
  readonly mayBeLiveAddress: boolean
  /** The supplier's code of a product, for test orders that name none. */
  readonly supplierCode?: string | undefined
  /** Longest time for all test orders together. */
  readonly waitMs: number
  readonly everyMs?: number
  /** Told of each result as soon as it is there. */
  readonly onResult?: (result: Result) => void
}

const EVERY_MS = 3_000
/** Product that only test orders name. */
const PRODUCT = 'PROVE'

/**
 * Tries what a pack says of its supplier, with the orders of the supplier's test mode. It buys nothing where the
 * supplier keeps what it says of that mode. Answers 409 where the address is not the test mode's.
 */
export async function proveProvider(proving: Proving): Promise<Result[]> {
  const { code, database, mayBeLiveAddress } = proving
  const { config } = await getConnection(database, code)
  const { pack, settings } = await getPackOf(database, code)
  const isAtTest = isAtTestAddress(pack, settings, config)
  if (!isAtTest && !mayBeLiveAddress) throw mayBeLive(code)
  const provider = await connect(proving, config, undefined)
  const { testMode } = pack.manifest
  const buysThere = testMode.by === 'address' && !isAtTest
  const orders = buysThere ? [] : testMode.orders
  const trial = { ...proving, config, endsMs: performance.now() + proving.waitMs }
  const trouble = buysThere ? 'the connection leads to the address of real orders' : undefined
  const results: Result[] = []
  for await (const result of tryEach(trial, provider, orders)) {
    results.push(result)
    proving.onResult?.(result)
  }
  return [...results, ...untried(pack.manifest, trouble)]
}

async function* tryEach(
  trial: Trial,
  provider: Provider,
  orders: readonly TestOrder[],
): AsyncGenerator<Result> {
  yield await proveFloat(provider)
  yield await proveUnknown(provider)
  yield* proveOrders(trial, orders)
}

type Trial = Proving & { readonly config: unknown; readonly endsMs: number }

function mayBeLive(code: string): RequestError {
  const publicText =
    `${code} does not lead to the test address of its pack, so that a test order might buy something. ` +
    'Where its credentials are for tests, say so with --live-address (live_address).'
  return new RequestError({ status: 409, code: 'conflict', publicText })
}

/** Answers 409 where test orders of a provider might buy something. */
export async function refuseLiveAddress({
  database,
  code,
  mayBeLiveAddress,
}: Pick<Proving, 'database' | 'code' | 'mayBeLiveAddress'>): Promise<void> {
  const { config } = await getConnection(database, code)
  const { pack, settings } = await getPackOf(database, code)
  if (!mayBeLiveAddress && !isAtTestAddress(pack, settings, config)) throw mayBeLive(code)
}

/** Creates the connection's provider as it runs, with one more product for test orders. */
async function connect(
  { database, vault, kinds, code }: Proving,
  config: unknown,
  product: unknown,
): Promise<Provider> {
  const row = await findConnectionRow(database, code)
  const kind = row && kinds.get(row.kind)
  if (row === undefined || kind === undefined) throw new Error(`the provider ${code} cannot be made here`)
  const products = isObject(config) && isObject(config.products) ? config.products : {}
  const full =
    product === undefined ? config : { ...(config as object), products: { ...products, [PRODUCT]: product } }
  return kind.create({ code, config: full, secrets: await openSecrets(vault, row) })
}

// ── Questions ──

async function proveFloat({ float, queryTimeoutMs }: Provider): Promise<Result> {
  const claim = 'float'
  if (float === undefined)
    return { claim, result: 'not_tried', says: 'the pack cannot ask for our money there' }
  const answer = await float.readFloat(AbortSignal.timeout(queryTimeoutMs))
  if (answer.kind === 'unknown')
    return { claim, result: 'did_not_hold', says: 'it did not say how much is left' }
  const says = `${formatMoney(answer.amount)} ${answer.currency ?? 'MYR'} is left`
  return { claim, result: 'held', says }
}

async function proveUnknown(provider: Provider): Promise<Result> {
  const claim = 'unknown_reference'
  if (provider.asksByRepeating !== undefined) {
    return { claim, result: 'not_tried', says: 'a question about an unknown order would be an order' }
  }
  if (provider.canBeAsked === false) return { claim, result: 'not_tried', says: 'it cannot be asked' }
  const { kind } = await ask(provider, orderOf(provider, { account: '60100000000', amount: '1.00' }))
  if (kind === 'not_found') return { claim, result: 'held', says: 'an order that nobody made is not found' }
  return { claim, result: 'did_not_hold', says: `an order that nobody made is ${kind}` }
}

// ── Orders ──

function orderOf(provider: Provider, { account, amount }: Pick<TestOrder, 'account' | 'amount'>): Order {
  const value = parseMoney(amount) ?? 0n
  const order = {
    reference: `WTEST-${randomBytes(6).readUIntBE(0, 6)}`,
    productCode: PRODUCT,
    account,
    amount: value,
    faceValue: value,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    icNumber: null,
    submittedAt: new Date(),
  }
  return { ...order, reference: provider.referenceOf?.(order) ?? order.reference }
}

const ask = (provider: Provider, order: Order) =>
  provider.query(order, AbortSignal.timeout(provider.queryTimeoutMs))

async function* proveOrders(trial: Trial, orders: readonly TestOrder[]): AsyncGenerator<Result> {
  let isRepeatTried = false
  for (const [at, test] of orders.entries()) {
    const claim = `test_order_${at + 1}`
    const code = test.supplierCode ?? trial.supplierCode
    if (code === undefined) {
      yield { claim, result: 'not_tried', says: 'it needs the code of a product of yours there' }
      continue
    }
    const provider = await connect(trial, trial.config, code)
    const order = orderOf(provider, test)
    const startMoney = isRepeatTried ? undefined : await moneyAt(provider)
    const end = await sendAndAsk(trial, provider, order)
    const isHeld = end.kind === test.expect
    const says = `${test.account}: ${end.kind}${'code' in end ? ` with code ${end.code}` : ''}, expected ${test.expect}`
    yield { claim, result: isHeld ? 'held' : 'did_not_hold', says }
    if (end.kind === 'succeeded' && !isRepeatTried) {
      isRepeatTried = true
      yield await proveRepeated(trial, { provider, order, first: end, startMoney })
    }
  }
}

type End = SubmitOutcome | QueryAnswer

/** Sends a test order once, and asks until it is decided or the time is over. */
async function sendAndAsk(
  { endsMs, everyMs = EVERY_MS }: Trial,
  provider: Provider,
  given: Order,
): Promise<End> {
  const signal = AbortSignal.timeout(provider.submitTimeoutMs)
  let order = given
  let last: End = await provider.submit(order, signal)
  const distanceMs = Math.max(everyMs, provider.asksByRepeating?.minIntervalMs ?? 0)
  while (isOpen(last) && provider.canBeAsked !== false && performance.now() + distanceMs < endsMs) {
    if ('supplierId' in last && last.supplierId !== undefined)
      order = { ...order, supplierId: last.supplierId }
    await wait(distanceMs)
    last = await ask(provider, order)
  }
  return last
}

function isOpen({ kind }: End): boolean {
  return kind === 'pending' || kind === 'unknown' || kind === 'not_found'
}

/**
 * Sends an order that succeeded once more: another serial number or id, or less money, means that it was bought twice.
 * Without money that moved, or an id, the second answer proves nothing.
 */
async function proveRepeated(
  trial: Trial,
  { provider, order, first, startMoney }: Repeated,
): Promise<Result> {
  const claim = 'repeated_reference_acts_once'
  const before = await moneyAt(provider)
  const again = await sendAndAsk(trial, provider, order)
  const after = await moneyAt(provider)
  const said = `the second order under one reference is ${again.kind}`
  if (before !== undefined && after !== undefined && after < before) {
    return { claim, result: 'did_not_hold', says: `${said}, and cost money again` }
  }
  if (again.kind === 'succeeded' && isAnother(first, again)) {
    return { claim, result: 'did_not_hold', says: `${said}, and is another one` }
  }
  const costsMoney = startMoney !== undefined && before !== undefined && before < startMoney
  if (again.kind === 'failed' || (again.kind === 'succeeded' && (costsMoney || isSame(first, again)))) {
    return { claim, result: 'held', says: costsMoney ? `${said}, and cost nothing` : said }
  }
  return { claim, result: 'not_tried', says: `${said}, which proves nothing` }
}

type Succeeded = Extract<End, { kind: 'succeeded' }>
type Repeated = {
  readonly provider: Provider
  readonly order: Order
  readonly first: Succeeded
  /** Our money there before the first order. */
  readonly startMoney: bigint | undefined
}

function isAnother(first: Succeeded, again: Succeeded): boolean {
  const hasOtherId = first.supplierId !== undefined && again.supplierId !== undefined && !isSame(first, again)
  const [one, other] = [first.output, again.output]
  return hasOtherId || one.serialNumber !== other.serialNumber || one.pin !== other.pin
}

function isSame(first: Succeeded, again: Succeeded): boolean {
  return first.supplierId !== undefined && first.supplierId === again.supplierId
}

async function moneyAt({ float, queryTimeoutMs }: Provider): Promise<bigint | undefined> {
  const answer = await float?.readFloat(AbortSignal.timeout(queryTimeoutMs))
  return answer?.kind === 'known' ? answer.amount : undefined
}

// ── Claims that no trial can prove ──

function untried({ claims }: Manifest, trouble: string | undefined): Result[] {
  const words = { documented: 'its documents say so', unknown: 'ask the supplier in writing' }
  const facts = (['not_found_proves', 'remembers_for_days', 'reversed_late', 'empty_wallet'] as const).map(
    (claim): Result => ({
      claim,
      result: 'not_tried',
      says: `no trial can show it; ${words[claims[claim].state]}`,
    }),
  )
  return trouble === undefined
    ? facts
    : [{ claim: 'test_orders', result: 'not_tried', says: trouble }, ...facts]
}
