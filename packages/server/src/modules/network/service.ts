import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import type { AddressOf } from '../../lib/own-addresses.ts'
import { asStored } from '../../lib/own-addresses.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import type { BaseCatalog, EffectiveProduct, Product } from '../catalog/model/types.ts'
import type { Providers } from '../providers/registry.service.ts'
import type { NoticeIndex, ProductLocation } from './notices.rules.ts'
import { isInForce, isStoppedAt, noticePeriodAt, noticesOn } from './notices.rules.ts'
import { openNoticeBoard } from './notices.service.ts'
import { nextState } from './rules.ts'
import type { NetworkState } from './types.ts'
import { networkView } from './view.ts'

export type Network = {
  /**
   * Returns the answer as bytes, because it is read all the time. Throws 404 for a product that the account does not
   * have.
   */
  statusFor(reader: NetworkReader, productCode: string): Buffer
  /** Returns the same answer as data. */
  stateFor(reader: NetworkReader, productCode: string): NetworkState
  /** True when a product that is offered is interrupted now. */
  isInterrupted(productCode: string): boolean
  /** True when a notice in force stops the payments of the product. */
  stopsPayments(productCode: string): boolean
  /** Reads the notices now instead of at the next poll. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export type NetworkReader = { readonly id: bigint; readonly priceLevel: string }

export type NetworkSettings = {
  database: Database
  catalog: Pick<Catalog, 'snapshotFor' | 'base'>
  providers: Pick<Providers, 'choose' | 'productHealth'>
  /** The database's clock. */
  nowMs: () => number
  /** Address of the product's picture. */
  addressOf?: AddressOf
  onProblem?: (text: string, error: unknown) => void
  pollMs?: number
  watchMs?: number
}

/** Interval at which all states are checked, so that a change is dated even when nobody asks. */
const WATCH_MS = 2_000

export async function openNetwork(settings: NetworkSettings): Promise<Network> {
  const { catalog, onProblem = () => {}, watchMs = WATCH_MS, addressOf = asStored } = settings
  const notices = await openNoticeBoard(settings)
  const states = createStates(settings, notices.current)
  const products = productsOf(catalog)
  const written = new WeakMap<EffectiveProduct, { state: NetworkState; body: Buffer }>()
  const watch = repeat(
    watchMs,
    () => states.judgeAll(products()),
    (error) => onProblem('the network status could not be updated; tried again soon', error),
  )

  function getProduct(reader: NetworkReader, productCode: string): EffectiveProduct {
    const product = catalog.snapshotFor(reader).products.get(productCode)
    // Hidden products are answered to accounts that may buy them, because they can be paid for.
    if (product === undefined || !product.isPurchasable || !product.isOffered) throw notFound()
    return product
  }

  return {
    statusFor(reader, productCode) {
      const product = getProduct(reader, productCode)
      const state = states.of(product.product)
      const known = written.get(product)
      if (known?.state === state) return known.body
      const body = Buffer.from(JSON.stringify(networkView(product, state, addressOf)))
      written.set(product, { state, body })
      return body
    },
    stateFor: (reader, productCode) => states.of(getProduct(reader, productCode).product),
    isInterrupted(productCode) {
      const product = products().get(productCode)
      return product !== undefined && states.of(product).isInterrupted
    },
    stopsPayments(productCode) {
      const board = notices.current()
      if (!board.stopping) return false
      const product = products().get(productCode)
      return product !== undefined && isStoppedAt(board, product, settings.nowMs())
    },
    refresh: notices.refresh,
    async close() {
      await watch.stop()
      await notices.close()
    },
  }
}

function notFound(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'Product not found.' })
}

function productsOf(catalog: Pick<Catalog, 'base'>): () => ReadonlyMap<string, Product> {
  let known: { base: BaseCatalog; products: ReadonlyMap<string, Product> } | undefined
  return () => {
    const base = catalog.base()
    if (known?.base !== base) {
      known = { base, products: new Map(base.products.map((each) => [each.code, each])) }
    }
    return known.products
  }
}

// ── State of each product ──

/** Time for which a state is reused: thousands of requests in a second cost one check. */
const FRESH_MS = 200

/** Time after which others have their turn: 100,000 products take some tenths of a second. */
const TURN_MS = 5

type Seen = { state: NetworkState; atMs: number }

function createStates({ providers, nowMs }: NetworkSettings, board: () => NoticeIndex) {
  const seen = new Map<string, Seen>()

  function judgeState(place: ProductLocation): NetworkState {
    const now = nowMs()
    const notices = board()
    const byNotices = noticePeriodAt(noticesOn(notices, place), now)
    const isFulfilled = isFulfilledBeside(noticedProviders(notices, now), place.code)
    const state = nextState(seen.get(place.code)?.state, byNotices, isFulfilled, now)
    seen.set(place.code, { state, atMs: performance.now() })
    return state
  }

  /** Tells whether a provider without a notice in force fulfils the product. */
  function isFulfilledBeside(noticed: ReadonlySet<string> | undefined, productCode: string): boolean {
    return noticed === undefined
      ? providers.productHealth(productCode) === 'healthy'
      : providers.choose({ productCode, tried: noticed }).kind === 'chosen'
  }

  return {
    of(place: ProductLocation): NetworkState {
      const known = seen.get(place.code)
      return known !== undefined && performance.now() - known.atMs < FRESH_MS
        ? known.state
        : judgeState(place)
    },
    async judgeAll(products: ReadonlyMap<string, ProductLocation>): Promise<void> {
      let begunMs = performance.now()
      for (const place of products.values()) {
        judgeState(place)
        if (performance.now() - begunMs < TURN_MS) continue
        await setImmediate()
        begunMs = performance.now()
      }
      for (const code of seen.keys()) if (!products.has(code)) seen.delete(code)
    },
  }
}

function noticedProviders({ providers }: NoticeIndex, nowMs: number): ReadonlySet<string> | undefined {
  if (providers.size === 0) return undefined
  const noticed = [...providers]
    .filter(([, notices]) => notices.some((each) => isInForce(each, nowMs)))
    .map(([code]) => code)
  return noticed.length === 0 ? undefined : new Set(noticed)
}
