import { invalidFields } from '../../lib/errors.ts'
import { noSuchName } from '../../lib/nearest.ts'
import { readReason } from '../audit/service.ts'
import type { ChangeSummary } from '../catalog/store.types.ts'
import type { PriceLevel } from '../catalog/types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import type { CatalogueDesk } from './catalogue.service.ts'
import { changeCatalogueRow, getProduct } from './catalogue.service.ts'
import type { NamedLevel, PriceInput, RowOutcome } from './catalogue-rows.service.ts'
import { notFound } from './desk.rules.ts'
import type { Asked } from './price-approvals.service.ts'
import { doOrAsk, priceRequest } from './price-approvals.service.ts'

export function listLevels({ catalog }: CatalogueDesk): PriceLevel[] {
  return [...catalog.state().levels.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

export function getLevel({ catalog }: CatalogueDesk, code: string): PriceLevel {
  const { levels } = catalog.state()
  const level = levels.get(code)
  if (level === undefined) throw notFound(noSuchName('price level', code, levels.keys()))
  return level
}

export async function createLevel(
  desk: CatalogueDesk,
  caller: OperatorCaller,
  level: NamedLevel,
  given: unknown,
): Promise<ChangeSummary> {
  return changeCatalogueRow(desk, caller, readReason(given), { row: 'new level', level })
}

export async function renameLevel(
  desk: CatalogueDesk,
  caller: OperatorCaller,
  level: NamedLevel,
  given: unknown,
): Promise<ChangeSummary> {
  return changeCatalogueRow(desk, caller, readReason(given), { row: 'level', level })
}

export async function setPrice(
  desk: CatalogueDesk,
  caller: OperatorCaller,
  price: PriceInput,
  { isDry, reason: given }: { readonly isDry: boolean; readonly reason: unknown },
): Promise<{ readonly done: RowOutcome } | { readonly asked: Asked }> {
  const reason = readReason(given)
  refuseStrayValue(price)
  getProduct(desk, price.product)
  if (isDry) getLevel(desk, price.level)
  const work = () => changeCatalogueRow(desk, caller, reason, { row: 'price', price, isDry })
  return doOrAsk(desk.approvals, caller, work, () => priceRequest(price, reason))
}

function refuseStrayValue({ discount_type: type, value }: PriceInput): void {
  const isGiven = value !== undefined && value !== null
  if (isGiven === (type === 'none')) {
    throw invalidFields({ value: [isGiven ? 'is not for none' : 'The value field is required.'] })
  }
}
