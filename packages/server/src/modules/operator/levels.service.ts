import { invalidFields, RequestError } from '../../lib/errors.ts'
import { readReason } from '../audit/service.ts'
import { listPriceLevels, lockCatalog, priceRow } from '../catalog/desk.service.ts'
import type { ChangeSummary } from '../catalog/store.types.ts'
import { importFiles } from '../catalog/transfer.service.ts'
import type { PriceLevel } from '../catalog/types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import { sourcesOf } from './catalogue.rules.ts'
import type { CatalogueDesk } from './catalogue.service.ts'
import { changeCatalogue, getProduct } from './catalogue.service.ts'
import { unknown } from './desk.rules.ts'
import { catalogueReason } from './resellers.service.ts'

type Place = Parameters<typeof importFiles>[0]

export function listLevels({ catalog }: CatalogueDesk): PriceLevel[] {
  return [...catalog.state().levels.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

export function getLevel({ catalog }: CatalogueDesk, code: string): PriceLevel {
  const level = catalog.state().levels.get(code)
  if (level === undefined) throw unknown('price level')
  return level
}

type NamedLevel = { readonly code: string; readonly name: string }

/** It sells nothing until it has prices. */
export async function createLevel(
  desk: CatalogueDesk,
  caller: OperatorCaller,
  level: NamedLevel,
  given: unknown,
): Promise<ChangeSummary> {
  const reason = readReason(given)
  return changeCatalogue(desk, { caller, action: 'level.create', reason }, async (tx, database) => {
    await lockCatalog(tx)
    if ((await listPriceLevels(tx)).some(({ code }) => code === level.code)) throw taken(level.code)
    const result = await take(database, { levels: [level] }, reason)
    return { target: targetOf(level.code), before: null, after: level, result }
  })
}

export async function renameLevel(
  desk: CatalogueDesk,
  caller: OperatorCaller,
  { code, name }: NamedLevel,
  given: unknown,
): Promise<ChangeSummary> {
  const reason = readReason(given)
  return changeCatalogue(desk, { caller, action: 'level.update', reason }, async (tx, database) => {
    await lockCatalog(tx)
    const before = (await listPriceLevels(tx)).find((each) => each.code === code)
    if (before === undefined) throw unknown('price level')
    const result = await take(database, { levels: [{ code, name }] }, reason)
    return {
      target: targetOf(code),
      before: { code, name: before.name },
      after: { code, name },
      result,
    }
  })
}

export type PriceInput = {
  readonly level: string
  readonly product: string
  readonly discount_type: 'percentage' | 'fixed' | 'none'
  readonly value?: string | null | undefined
  readonly currency?: string | undefined
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
  const { value = null, ...row } = price
  const document = { prices: [{ ...row, value }] }
  if (isDry) {
    getLevel(desk, price.level)
    return desk.turn(() => take(desk.database, document, reason, true))
  }
  return changeCatalogue(desk, { caller, action: 'price.set', reason }, async (tx, database) => {
    await lockCatalog(tx)
    const level = (await listPriceLevels(tx)).find(({ code }) => code === price.level)
    if (level === undefined) throw unknown('price level')
    const present = level.prices.get(price.product)
    const result = await take(database, document, reason)
    return {
      target: { kind: 'price', id: `${price.level}/${price.product}` },
      before: present === undefined ? null : priceRow(present),
      after: price.discount_type === 'none' ? null : { ...row, value },
      result,
    }
  })
}

function refuseStrayValue({ discount_type: type, value }: PriceInput): void {
  const isGiven = value !== undefined && value !== null
  if (isGiven === (type === 'none')) {
    throw invalidFields({ value: [isGiven ? 'is not for none' : 'The value field is required.'] })
  }
}

async function take(place: Place, document: object, reason: string, dryRun = false): Promise<ChangeSummary> {
  const options = { reason: catalogueReason(reason), dryRun, deactivateMissing: false }
  return (await importFiles(place, sourcesOf({ document }), options)).summary
}

function targetOf(code: string) {
  return { kind: 'price_level', id: code }
}

function taken(code: string): RequestError {
  const publicText = `There is a price level ${code} already.`
  return new RequestError({ status: 409, code: 'taken', publicText, fields: { code: [publicText] } })
}
