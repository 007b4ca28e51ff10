import { RequestError } from '../../lib/errors.ts'
import { audited } from '../audit/service.ts'
import type { Act, AuditLog, Done } from '../audit/types.ts'
import { listPriceLevels, lockCatalog, priceRow, setPermission } from '../catalog/desk.service.ts'
import type { ChangeSummary } from '../catalog/store.types.ts'
import { importFiles } from '../catalog/transfer.service.ts'
import { catalogueReason, sourcesOf } from './catalogue.rules.ts'
import { unknown } from './desk.rules.ts'

// Changes of one row, which are measured against the whole catalogue as well: done where imports are.

type Log = Pick<AuditLog, 'database' | 'key'>
type By = { readonly caller: Act['caller']; readonly reason: string }
type Place = Parameters<typeof importFiles>[0]

export type NamedLevel = { readonly code: string; readonly name: string }

export type PriceInput = {
  readonly level: string
  readonly product: string
  readonly discount_type: 'percentage' | 'fixed' | 'none'
  readonly value?: string | null | undefined
  readonly currency?: string | undefined
}

export type PermissionInput = {
  readonly resellerId: bigint
  readonly account: string
  readonly product: string
  /** null: as for everybody. */
  readonly isAllowed: boolean | null
}

export type RowChange =
  | { readonly row: 'new level'; readonly level: NamedLevel }
  | { readonly row: 'level'; readonly level: NamedLevel }
  | { readonly row: 'price'; readonly price: PriceInput; readonly isDry: boolean }
  | { readonly row: 'permission'; readonly permission: PermissionInput }

export function changeRow(log: Log, by: By, change: RowChange): Promise<ChangeSummary> {
  switch (change.row) {
    case 'new level':
      return createLevel(log, by, change.level)
    case 'level':
      return renameLevel(log, by, change.level)
    case 'price':
      return change.isDry ? tryPrice(log, by, change.price) : setPrice(log, by, change.price)
    case 'permission':
      return permit(log, by, change.permission)
    default:
      return change satisfies never
  }
}

/** It sells nothing until it has prices. */
function createLevel(log: Log, by: By, level: NamedLevel): Promise<ChangeSummary> {
  return audited(log, { ...by, action: 'level.create' }, async (tx, database) => {
    await lockCatalog(tx)
    if ((await listPriceLevels(tx)).some(({ code }) => code === level.code)) throw taken(level.code)
    const result = await take(database, { levels: [level] }, by.reason)
    return { target: targetOf(level.code), before: null, after: level, result }
  })
}

function renameLevel(log: Log, by: By, { code, name }: NamedLevel): Promise<ChangeSummary> {
  return audited(log, { ...by, action: 'level.update' }, async (tx, database) => {
    await lockCatalog(tx)
    const before = (await listPriceLevels(tx)).find((each) => each.code === code)
    if (before === undefined) throw unknown('price level')
    const result = await take(database, { levels: [{ code, name }] }, by.reason)
    return { target: targetOf(code), before: { code, name: before.name }, after: { code, name }, result }
  })
}

function tryPrice({ database }: Log, { reason }: By, price: PriceInput): Promise<ChangeSummary> {
  return take(database, documentOf(price), reason, true)
}

function setPrice(log: Log, by: By, price: PriceInput): Promise<ChangeSummary> {
  return audited(log, { ...by, action: 'price.set' }, async (tx, database): Promise<Done<ChangeSummary>> => {
    await lockCatalog(tx)
    const level = (await listPriceLevels(tx)).find(({ code }) => code === price.level)
    if (level === undefined) throw unknown('price level')
    const present = level.prices.get(price.product)
    const result = await take(database, documentOf(price), by.reason)
    return {
      target: { kind: 'price', id: `${price.level}/${price.product}` },
      before: present === undefined ? null : priceRow(present),
      after: price.discount_type === 'none' ? null : { ...price, value: price.value ?? null },
      result,
    }
  })
}

function permit(log: Log, by: By, permission: PermissionInput): Promise<ChangeSummary> {
  const { resellerId, account, product: productCode, isAllowed } = permission
  return audited(log, { ...by, action: 'permission.set' }, async (_, database) => {
    const wanted = { resellerId, productCode, isAllowed }
    const change = await setPermission(database, wanted, catalogueReason(by.reason))
    return {
      target: { kind: 'permission', id: `${account}/${productCode}` },
      before: { is_allowed: change.before },
      after: { is_allowed: isAllowed },
      result: change.summary,
    }
  })
}

function documentOf(price: PriceInput) {
  return { prices: [{ ...price, value: price.value ?? null }] }
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
