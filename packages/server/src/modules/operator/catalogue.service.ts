import type { Database, Tx } from '../../db/database.ts'
import { readFields } from '../../lib/fields.ts'
import { audited, readReason } from '../audit/service.ts'
import type { Act, AuditLog, Done } from '../audit/types.ts'
import type { Catalog, CatalogState } from '../catalog/store.types.ts'
import type { Imported } from '../catalog/transfer.service.ts'
import { importFiles } from '../catalog/transfer.service.ts'
import type { Option, Product } from '../catalog/types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import type { GivenCatalogue } from './catalogue.rules.ts'
import {
  matchesOption,
  matchesProduct,
  mustBeAsPreviewed,
  OPTION_LIST_RULES,
  optionsOf,
  PRODUCT_LIST_RULES,
  sourcesOf,
} from './catalogue.rules.ts'
import { importView } from './catalogue.view.ts'
import type { Page } from './desk.rules.ts'
import { pageAfter, unknown } from './desk.rules.ts'
import { catalogueReason } from './resellers.service.ts'
import type { Turn } from './turns.service.ts'

/** What the desks that look after the catalogue stand on. Reads are from this node's view of it. */
export type CatalogueDesk = {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'state' | 'refresh'>
  readonly log: AuditLog
  /** Changes and previews go through the whole catalogue: on a node one does at a time. */
  readonly turn: Turn
}

type Query = Readonly<Record<string, string | undefined>>

export function listProducts({ catalog }: CatalogueDesk, query: Query): [CatalogState, Page<Product>] {
  const asked = readFields(PRODUCT_LIST_RULES, { ...query, isActive: query.is_active })
  const state = catalog.state()
  const products = state.base.products.filter((product) => matchesProduct(product, asked))
  return [state, pageAfter(products, asked, ({ code }) => code)]
}

export function getProduct({ catalog }: CatalogueDesk, code: string): [CatalogState, Product] {
  const state = catalog.state()
  const product = state.base.products.find((each) => each.code === code)
  if (product === undefined) throw unknown('product')
  return [state, product]
}

export function listProductOptions(desk: CatalogueDesk, code: string, query: Query): Page<Option> {
  const asked = readFields(OPTION_LIST_RULES, query)
  const [state, product] = getProduct(desk, code)
  const options = optionsOf(state, product.code).filter((option) => matchesOption(option, asked))
  return pageAfter(options, asked, (option) => `${option.fieldId}:${option.code}`)
}

/** Everything is checked and measured, and nothing is left behind. */
export async function previewCatalogue(desk: CatalogueDesk, given: GivenCatalogue): Promise<Imported> {
  const sources = sourcesOf(given)
  const deactivateMissing = given.deactivate_missing ?? false
  return desk.turn(() =>
    importFiles(desk.database, sources, { reason: 'preview', dryRun: true, deactivateMissing }),
  )
}

/** A change of the catalogue and its line in the audit log; afterwards this node shows it. */
export async function changeCatalogue<T>(
  desk: CatalogueDesk,
  act: Act,
  work: (tx: Tx, database: Database) => Promise<Done<T>>,
): Promise<T> {
  const result = await desk.turn(() => audited(desk.log, act, work))
  await desk.catalog.refresh()
  return result
}

export async function applyCatalogue(
  desk: CatalogueDesk,
  caller: OperatorCaller,
  given: GivenCatalogue & { readonly expected_version: number },
  givenReason: unknown,
): Promise<Imported> {
  const reason = readReason(givenReason)
  const sources = sourcesOf(given)
  return changeCatalogue(desk, { caller, action: 'catalogue.import', reason }, async (_, database) => {
    const result = await importFiles(database, sources, {
      reason: catalogueReason(reason),
      dryRun: false,
      deactivateMissing: given.deactivate_missing ?? false,
    })
    mustBeAsPreviewed(given.expected_version, result.summary.version)
    return {
      target: { kind: 'catalogue', id: String(result.summary.version) },
      before: null,
      after: logged(result),
      result,
    }
  })
}

const LOGGED_MAX = 100

/** The log keeps the beginning of a long list: the catalogue's own record of the change has all of it. */
function logged(imported: Imported) {
  const { differences, ...view } = importView(imported)
  return { ...view, differences: differences.slice(0, LOGGED_MAX) }
}
