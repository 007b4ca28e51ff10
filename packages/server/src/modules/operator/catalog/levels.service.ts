import { invalidFields } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import { readReason } from '../../audit/service.ts'
import type { ChangeSummary } from '../../catalog/product/store.types.ts'
import type { PriceLevel } from '../../catalog/product/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { notFound } from '../console/pages.rules.ts'
import type { CatalogContext } from './catalog.service.ts'
import { changeCatalogueRow, getProduct } from './catalog.service.ts'
import type { NamedLevel, PriceInput, RowOutcome } from './catalog-rows.service.ts'
import type { Asked } from './price-approvals.service.ts'
import { doOrRequestApproval, priceRequest } from './price-approvals.service.ts'

export function listLevels({ catalog }: CatalogContext): PriceLevel[] {
  return [...catalog.state().levels.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

export function getLevel({ catalog }: CatalogContext, code: string): PriceLevel {
  const { levels } = catalog.state()
  const level = levels.get(code)
  if (level === undefined) throw notFound(noSuchName('price level', code, levels.keys()))
  return level
}

export async function createLevel(
  context: CatalogContext,
  caller: OperatorCaller,
  level: NamedLevel,
  given: unknown,
): Promise<ChangeSummary> {
  return changeCatalogueRow(context, caller, readReason(given), { row: 'new level', level })
}

export async function renameLevel(
  context: CatalogContext,
  caller: OperatorCaller,
  level: NamedLevel,
  given: unknown,
): Promise<ChangeSummary> {
  return changeCatalogueRow(context, caller, readReason(given), { row: 'level', level })
}

export async function setPrice(
  context: CatalogContext,
  caller: OperatorCaller,
  price: PriceInput,
  { isDry, reason: given }: { readonly isDry: boolean; readonly reason: unknown },
): Promise<{ readonly done: RowOutcome } | { readonly asked: Asked }> {
  const reason = readReason(given)
  refuseStrayValue(price)
  getProduct(context, price.product)
  if (isDry) getLevel(context, price.level)
  const work = () => changeCatalogueRow(context, caller, reason, { row: 'price', price, isDry })
  return doOrRequestApproval(context.approvals, caller, work, () => priceRequest(price, reason))
}

function refuseStrayValue({ discount_type: type, value }: PriceInput): void {
  const isGiven = value !== undefined && value !== null
  if (isGiven === (type === 'none')) {
    throw invalidFields({ value: [isGiven ? 'is not for none' : 'The value field is required.'] })
  }
}
