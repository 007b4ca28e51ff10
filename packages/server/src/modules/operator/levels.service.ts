import { invalidFields } from '../../lib/errors.ts'
import { readReason } from '../audit/service.ts'
import type { ChangeSummary } from '../catalog/store.types.ts'
import type { PriceLevel } from '../catalog/types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import type { CatalogueDesk } from './catalogue.service.ts'
import { changeCatalogueRow, getProduct } from './catalogue.service.ts'
import type { NamedLevel, PriceInput } from './catalogue-rows.service.ts'
import { unknown } from './desk.rules.ts'

export function listLevels({ catalog }: CatalogueDesk): PriceLevel[] {
  return [...catalog.state().levels.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

export function getLevel({ catalog }: CatalogueDesk, code: string): PriceLevel {
  const level = catalog.state().levels.get(code)
  if (level === undefined) throw unknown('price level')
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
): Promise<ChangeSummary> {
  const reason = readReason(given)
  refuseStrayValue(price)
  getProduct(desk, price.product)
  if (isDry) getLevel(desk, price.level)
  return changeCatalogueRow(desk, caller, reason, { row: 'price', price, isDry })
}

function refuseStrayValue({ discount_type: type, value }: PriceInput): void {
  const isGiven = value !== undefined && value !== null
  if (isGiven === (type === 'none')) {
    throw invalidFields({ value: [isGiven ? 'is not for none' : 'The value field is required.'] })
  }
}
