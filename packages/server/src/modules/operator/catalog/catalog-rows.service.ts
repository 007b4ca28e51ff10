import type { Database, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import { shortReason } from '../../../lib/input/records.ts'
import { audited } from '../../audit/service.ts'
import type { Act, AuditLog, Done } from '../../audit/types.ts'
import { listPriceLevels, lockCatalog, priceRow, setPermission } from '../../catalog/operators.service.ts'
import type { ChangeJudge, ChangeSummary } from '../../catalog/product/store.types.ts'
import type { PriceLevel } from '../../catalog/product/types.ts'
import { importFiles } from '../../catalog/transfer/service.ts'
import { comparisonView } from '../../margins/comparison.service.ts'
import type { Consent } from '../../margins/service.ts'
import { acceptedBy, judgeCatalog, requireConsent } from '../../margins/service.ts'
import type { ComparisonView } from '../../margins/types.ts'
import { notFound } from '../console/pages.rules.ts'
import { sourcesOf } from './catalog.rules.ts'

// Changes of one row. They too are measured against the whole catalogue, so they run where imports run.

type Log = Pick<AuditLog, 'database' | 'key'>
type By = { readonly caller: Act['caller']; readonly reason: string }

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
  /** null: the same as for everybody. */
  readonly isAllowed: boolean | null
}

export type RowChange =
  | { readonly row: 'new level'; readonly level: NamedLevel }
  | { readonly row: 'level'; readonly level: NamedLevel }
  | { readonly row: 'price'; readonly price: PriceInput; readonly isDry: boolean }
  | { readonly row: 'permission'; readonly permission: PermissionInput }

/** Result of a change. A price also has its comparison with supplier costs and with the price before. */
export type RowOutcome = ChangeSummary & { readonly comparison?: ComparisonView }

export function changeRow(log: Log, by: By, change: RowChange, maxPercent: number): Promise<RowOutcome> {
  switch (change.row) {
    case 'new level':
      return createLevel(log, by, change.level)
    case 'level':
      return renameLevel(log, by, change.level)
    case 'price':
      return change.isDry
        ? tryPrice(log, by, change.price, maxPercent)
        : setPrice(log, by, change.price, maxPercent)
    case 'permission':
      return permit(log, by, change.permission)
    default:
      return change satisfies never
  }
}

/** Creates a level. It sells nothing until it has prices. */
function createLevel(log: Log, by: By, level: NamedLevel): Promise<ChangeSummary> {
  return audited(log, { ...by, action: 'level.create' }, (tx, database) =>
    writeLevel(tx, database, level, importing({ levels: [level] }, by.reason)),
  )
}

/** Writes a new level within the caller's transaction. */
export async function writeLevel(
  tx: Tx,
  database: Database,
  level: NamedLevel,
  writeRows: WriteRows,
): Promise<Done<ChangeSummary>> {
  await lockCatalog(tx)
  if ((await listPriceLevels(tx)).some(({ code }) => code === level.code)) throw taken(level.code)
  const { summary: result } = await writeRows(database)
  return { target: targetOf(level.code), before: null, after: level, result }
}

function renameLevel(log: Log, by: By, { code, name }: NamedLevel): Promise<ChangeSummary> {
  return audited(log, { ...by, action: 'level.update' }, async (tx, database) => {
    await lockCatalog(tx)
    const before = levelAmong(await listPriceLevels(tx), code)
    const { summary: result } = await importing({ levels: [{ code, name }] }, by.reason)(database)
    return { target: targetOf(code), before: { code, name: before.name }, after: { code, name }, result }
  })
}

async function tryPrice(
  { database }: Log,
  { reason }: By,
  price: PriceInput,
  maxPercent: number,
): Promise<RowOutcome> {
  const { judge, found } = judgeCatalog(maxPercent)
  const options = { reason: shortReason(reason), dryRun: true, deactivateMissing: false, judge }
  const { summary } = await importFiles(database, sourcesOf({ document: documentOf(price) }), options)
  return { ...summary, comparison: comparisonView(found()) }
}

function setPrice(log: Log, by: By, price: PriceInput, maxPercent: number): Promise<RowOutcome> {
  return audited(log, { ...by, action: 'price.set' }, (tx, database) =>
    writePrice(tx, database, price, { reason: by.reason, maxPercent, consent: { kind: 'alone' } }),
  )
}

/** Writes the rows of one change, and says what changed. By default as an import, whose messages name the document. */
export type WriteRows = (
  database: Database,
  judge?: ChangeJudge,
) => Promise<{ readonly summary: ChangeSummary; readonly differences: unknown }>

export type PriceGate = {
  readonly reason: string
  readonly maxPercent: number
  readonly consent: Consent
}

/** Writes the price within the caller's transaction. */
export async function writePrice(
  tx: Tx,
  database: Database,
  price: PriceInput,
  { reason, maxPercent, consent }: PriceGate,
  writeRows: WriteRows = importing(documentOf(price), reason),
): Promise<Done<RowOutcome>> {
  await lockCatalog(tx)
  const present = levelAmong(await listPriceLevels(tx), price.level).prices.get(price.product)
  const { judge, found } = judgeCatalog(maxPercent)
  const imported = await writeRows(database, judge)
  requireConsent(found(), imported.differences, consent)
  const accepted = acceptedBy(consent, found())
  const saved = price.discount_type === 'none' ? null : { ...price, value: price.value ?? null }
  return {
    target: priceTarget(price),
    before: present === undefined ? null : priceRow(present),
    after: saved === null && accepted.accepted === undefined ? null : { ...saved, ...accepted },
    result: { ...imported.summary, comparison: comparisonView(found()) },
  }
}

export function priceTarget({ level, product }: Pick<PriceInput, 'level' | 'product'>) {
  return { kind: 'price', id: `${level}/${product}` }
}

function levelAmong(levels: readonly PriceLevel[], wanted: string): PriceLevel {
  const level = levels.find(({ code }) => code === wanted)
  if (level !== undefined) return level
  const codes = levels.map(({ code }) => code)
  throw notFound(noSuchName('price level', wanted, codes))
}

function permit(log: Log, by: By, permission: PermissionInput): Promise<ChangeSummary> {
  return audited(log, { ...by, action: 'permission.set' }, (_, database) =>
    writePermission(database, permission, by.reason),
  )
}

/** Writes the permission within the caller's transaction. */
export async function writePermission(
  database: Database,
  { resellerId, account, product: productCode, isAllowed }: PermissionInput,
  reason: string,
): Promise<Done<ChangeSummary>> {
  const wanted = { resellerId, productCode, isAllowed }
  const change = await setPermission(database, wanted, shortReason(reason))
  return {
    target: { kind: 'permission', id: `${account}/${productCode}` },
    before: { is_allowed: change.before },
    after: { is_allowed: isAllowed },
    result: change.summary,
  }
}

function documentOf(price: PriceInput) {
  return { prices: [{ ...price, value: price.value ?? null }] }
}

function importing(document: object, given: string): WriteRows {
  const reason = shortReason(given)
  return (database, judge) =>
    importFiles(database, sourcesOf({ document }), {
      reason,
      dryRun: false,
      deactivateMissing: false,
      ...(judge && { judge }),
    })
}

function targetOf(code: string) {
  return { kind: 'price_level', id: code }
}

function taken(code: string): RequestError {
  const publicText = `There is a price level ${code} already.`
  return new RequestError({ status: 409, code: 'taken', publicText, fields: { code: [publicText] } })
}
