import type { IncomingRequest } from '../../../http/operation.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import type { Serial } from '../../../lib/serial.ts'
import type { Approvals } from '../../approvals/types.ts'
import type { Catalog, CatalogState } from '../../catalog/product/store.types.ts'
import type { Option, Product } from '../../catalog/product/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Page } from '../console/pages.rules.ts'
import { notFound, pageAfter } from '../console/pages.rules.ts'
import {
  EXPORT_RULES,
  matchesOption,
  matchesProduct,
  OPTION_LIST_RULES,
  optionsOf,
  PRODUCT_LIST_RULES,
} from './catalog.rules.ts'
import type { CatalogBody, CatalogChange, CatalogWork } from './catalog-jobs.service.ts'
import type { RowChange, RowOutcome } from './catalog-rows.service.ts'
import type { Asked } from './price-approvals.service.ts'
import { doOrAsk, importRequest } from './price-approvals.service.ts'

/** What the desks that look after the catalogue stand on. Reads are from this node's view of it. */
export type CatalogContext = {
  readonly catalog: Pick<Catalog, 'state' | 'refresh'>
  /** Changes and previews go through the whole catalogue: on a node one does at a time. */
  readonly turn: Serial
  /** What would hold up everybody else is done beside them. */
  readonly work: CatalogWork
  /** For changes that one operator alone may not make. */
  readonly approvals: Pick<Approvals, 'request'>
}

/** The desk for one request: what waits for its turn longer than the caller does is not begun. */
export function contextFor<D extends CatalogContext>(
  context: D,
  { isAwaited }: Pick<IncomingRequest, 'isAwaited'>,
): D {
  return { ...context, turn: (work) => context.turn(work, isAwaited) }
}

/**
 * This node shows the change with the answer. Where that fails the change is made all the same, and is shown when the
 * node next asks, as on every other node.
 */
async function show({ catalog }: CatalogContext): Promise<void> {
  await catalog.refresh().catch(() => {})
}

type Query = Readonly<Record<string, string | undefined>>

export function listProducts({ catalog }: CatalogContext, query: Query): [CatalogState, Page<Product>] {
  const asked = readFields(PRODUCT_LIST_RULES, { ...query, isActive: query.is_active })
  const state = catalog.state()
  const products = state.base.products.filter((product) => matchesProduct(product, asked))
  return [state, pageAfter(products, asked, ({ code }) => code)]
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
  const options = optionsOf(state, product.code).filter((option) => matchesOption(option, asked))
  return pageAfter(options, asked, (option) => `${option.fieldId}:${option.code}`)
}

export function previewCatalog(context: CatalogContext, body: CatalogBody): Promise<CatalogChange> {
  return context.turn(() => context.work({ kind: 'preview', body }))
}

export async function applyCatalogue(
  context: CatalogContext,
  caller: OperatorCaller,
  body: CatalogBody,
): Promise<{ readonly done: CatalogChange } | { readonly asked: Asked }> {
  const work = () => context.turn(() => context.work({ kind: 'import', body, caller }))
  const outcome = await doOrAsk(context.approvals, caller, work, () => importRequest(body))
  if ('done' in outcome) await show(context)
  return outcome
}

/** All of it as JSON, or one kind as CSV. */
export async function exportCatalog(context: CatalogContext, kind: string | null): Promise<Buffer> {
  const csv = kind === null ? null : readFields(EXPORT_RULES, { kind }).kind
  const bytes = await context.turn(() => context.work({ kind: 'export', csv }))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** One row, and its line in the audit log; afterwards this node shows it. */
export async function changeCatalogueRow(
  context: CatalogContext,
  caller: OperatorCaller,
  reason: string,
  change: RowChange,
): Promise<RowOutcome> {
  const summary = await context.turn(() => context.work({ kind: 'row', caller, reason, change }))
  await show(context)
  return summary
}
