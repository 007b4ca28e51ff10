import type { IncomingRequest } from '../../../http/operation.ts'
import { assert } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import type { Serial } from '../../../lib/serial.ts'
import { askWhereNeeded } from '../../acts/service.ts'
import type { Outcome } from '../../acts/types.ts'
import type { Approval, Approvals } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Catalog, CatalogState } from '../../catalog/model/store.types.ts'
import type { Option, Product } from '../../catalog/model/types.ts'
import type { CatalogBody } from '../../catalog/transfer/given.service.ts'
import { readImport } from '../../catalog/transfer/given.service.ts'
import { importCatalogue, WAITING_BYTES_MAX } from '../../margins/prices.acts.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { askedOf } from '../kit/acts.service.ts'
import type { Page } from '../kit/pages.rules.ts'
import { notFound, pageAfter } from '../kit/pages.rules.ts'
import {
  EXPORT_RULES,
  matchesOption,
  matchesProduct,
  OPTION_LIST_RULES,
  optionsOf,
  PRODUCT_LIST_RULES,
} from './catalog.rules.ts'
import type { CatalogChange, CatalogWork } from './catalog-jobs.service.ts'

/** Dependencies of the operations on the catalogue. Reads use this node's view of it. */
export type CatalogContext = {
  readonly catalog: Pick<Catalog, 'state' | 'refresh'>
  /** Lets one change or preview run at a time on a node, because each goes through the whole catalogue. */
  readonly turn: Serial
  /** Runs long jobs on another thread, so that they delay nothing else. */
  readonly work: CatalogWork
  readonly log: AuditLog
  /** Requests approval of changes that one operator alone may not make. */
  readonly approvals: Pick<Approvals, 'request'>
  /** Largest change of a price, in percent, that one operator may make alone. */
  readonly priceChangeMaxPercent: number
}

/** Context for one request: a job is not begun when its caller has gone before its turn comes. */
export function contextFor<D extends CatalogContext>(
  context: D,
  { isAwaited }: Pick<IncomingRequest, 'isAwaited'>,
): D {
  return { ...context, turn: (work) => context.turn(work, isAwaited) }
}

/**
 * Makes this node show the change with the answer. If that fails the change is still made, and this node shows it at
 * its next refresh, like every other node.
 */
export async function show({ catalog }: Pick<CatalogContext, 'catalog'>): Promise<void> {
  await catalog.refresh().catch(() => {})
}

type Query = Readonly<Record<string, string | undefined>>

export function listProducts({ catalog }: CatalogContext, query: Query): [CatalogState, Page<Product>] {
  const asked = readFields(PRODUCT_LIST_RULES, { ...query, isActive: query.is_active })
  const state = catalog.state()
  const { products } = state.base
  const page = pageAfter(
    products,
    asked,
    ({ code }) => code,
    (product) => matchesProduct(product, asked),
  )
  return [state, page]
}

export function getProduct({ catalog }: CatalogContext, code: string): [CatalogState, Product] {
  const state = catalog.state()
  const product = state.base.products.find((each) => each.code === code)
  if (product === undefined) {
    throw notFound(
      noSuchName(
        'product',
        code,
        state.base.products.map((each) => each.code),
      ),
    )
  }
  return [state, product]
}

export function listProductOptions(context: CatalogContext, code: string, query: Query): Page<Option> {
  const asked = readFields(OPTION_LIST_RULES, query)
  const [state, product] = getProduct(context, code)
  return pageAfter(
    optionsOf(state, product.code),
    asked,
    (option) => `${option.fieldId}:${option.code}`,
    (option) => matchesOption(option, asked),
  )
}

export function previewCatalog(context: CatalogContext, body: CatalogBody): Promise<CatalogChange> {
  return context.turn(() => context.work({ kind: 'preview', body }))
}

/** Imports on the thread. A change that needs a second person is asked for here, when the thread has undone it. */
export async function applyCatalogue(
  context: CatalogContext,
  caller: OperatorCaller,
  body: CatalogBody,
): Promise<Outcome<CatalogChange, Approval>> {
  const attempted = await context.turn(() => context.work({ kind: 'import', body, caller }))
  if ('result' in attempted) {
    await show(context)
    return { kind: 'done', result: attempted.result }
  }
  const { log, approvals, priceChangeMaxPercent: maxPercent } = context
  const isSmall = body.bytes.byteLength <= WAITING_BYTES_MAX
  const { input, reason } = isSmall ? readImport(body) : { input: { request: body }, reason: 'too large' }
  const stage = { log, world: { maxPercent, log }, ask: askedOf(approvals) }
  const outcome = await askWhereNeeded(stage, importCatalogue, { caller, input, reason }, attempted)
  assert(outcome.kind === 'asked', 'an import that was undone is asked for')
  return outcome
}

/** Exports the whole catalogue as JSON, or one kind as CSV. */
export async function exportCatalog(context: CatalogContext, kind: string | null): Promise<Buffer> {
  const csv = kind === null ? null : readFields(EXPORT_RULES, { kind }).kind
  const bytes = await context.turn(() => context.work({ kind: 'export', csv }))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
