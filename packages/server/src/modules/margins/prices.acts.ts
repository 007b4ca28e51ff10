import { Type } from 'typebox'
import type { Tx } from '../../db/database.ts'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember, whole } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { enumOf, orNull } from '../../http/schemas.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { checked, nullable, oneOf } from '../../lib/input/fields.ts'
import { shortReason } from '../../lib/input/records.ts'
import { act } from '../acts/service.ts'
import type { By, Texts } from '../acts/types.ts'
import { appendAudit } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { getLevel, named, requireProduct } from '../catalog/acts.ts'
import { applyBase } from '../catalog/edit/base.service.ts'
import { CATALOG_FIELDS } from '../catalog/model/fields.service.ts'
import type { CatalogState } from '../catalog/model/store.types.ts'
import type { WholesalePrice } from '../catalog/model/types.ts'
import { lockCatalog, priceRow } from '../catalog/operators.service.ts'
import { namedSummaryView } from '../catalog/summary.view.ts'
import { mustBeAsPreviewed } from '../catalog/transfer/given.rules.ts'
import type { CatalogBody } from '../catalog/transfer/given.service.ts'
import { readImport } from '../catalog/transfer/given.service.ts'
import { piecesOf } from '../catalog/transfer/log.rules.ts'
import type { Imported, ImportOptions } from '../catalog/transfer/service.ts'
import { importFiles } from '../catalog/transfer/service.ts'
import type { SourceFile } from '../catalog/transfer/types.ts'
import { comparisonView } from './comparison.service.ts'
import { acceptedBy, missingConsent } from './consent.service.ts'
import { judgeCatalog } from './service.ts'

// Changes of prices. Each is compared with the costs of suppliers and with the price before.

export type PriceWorld = {
  /** Largest change of a price, in percent, that one person may make alone. */
  readonly maxPercent: number
  /** Node's own view of the catalogue, which is used if it is of the present version. */
  readonly held?: () => CatalogState
}

const DISCOUNT_TYPES = ['percentage', 'fixed', 'none'] as const

const PRICE_INPUT = input({
  level: named(CATALOG_FIELDS.levelCode),
  product: named(CATALOG_FIELDS.code),
  discountType: member(oneOf(DISCOUNT_TYPES), {
    schema: enumOf(DISCOUNT_TYPES, 'none: the product cannot be bought at this level'),
  }),
  value: optionalMember(checked<string | null>(nullable(CATALOG_FIELDS.rate)), {
    schema: orNull(documentedAs(CATALOG_FIELDS.rate, Type.String()), 'Such as "0.985"; nothing with none'),
  }),
  currency: optionalMember(CATALOG_FIELDS.currency, { description: 'MYR when left out' }),
})
export type PriceInput = Infer<typeof PRICE_INPUT>

/** Says what a price level pays for a product. */
export const setPrice = act({
  name: 'price.set',
  input: PRICE_INPUT,
  lock: lockCatalog,
  approval: {
    kind: 'price_change',
    target: priceTarget,
    write: ({ level, product, discountType, value = null, currency = null }): Texts => ({
      level,
      product,
      discount_type: discountType,
      value,
      currency,
    }),
    read: ({ currency, ...command }) => PRICE_INPUT.read({ ...command, ...(currency && { currency }) }),
  },
  async run(tx, wanted, by: By<PriceWorld>) {
    const { level: levelCode, product: productCode } = wanted
    const price = priceOf(wanted)
    await requireProduct(tx, productCode)
    const present = (await getLevel(tx, levelCode)).prices.get(productCode)
    const { judge, found } = judgeCatalog(by.world.maxPercent)
    const summary = await applyBase(
      by.database,
      { prices: [{ levelCode, productCode, price }] },
      shortReason(by.reason),
      { judge, held: by.world.held?.() },
    )
    const before = present === undefined ? null : priceRow(present)
    const after = price === null ? null : priceRow(price)
    const { accepted } = acceptedBy(by.consent, found())
    const place = { level: levelCode, product: productCode }
    return (
      missingConsent(found(), { ...place, before, after }, by.consent) ?? {
        target: priceTarget(wanted),
        before,
        after:
          after === null && accepted === undefined
            ? null
            : { ...(after !== null && { ...place, ...after }), ...(accepted !== undefined && { accepted }) },
        result: { ...place, price: after, summary, comparison: comparisonView(found()) },
      }
    )
  },
})

function priceOf({ discountType: type, value = null, currency = 'MYR' }: PriceInput): WholesalePrice | null {
  if ((value === null) !== (type === 'none')) {
    throw invalidFields({ value: [value === null ? 'The value field is required.' : 'is not for none'] })
  }
  if (type === 'none' || value === null) return null
  const rate = CATALOG_FIELDS.rate.read(value)
  if (rate === undefined) throw invalidFields({ value: [CATALOG_FIELDS.rate.message] })
  return { discountType: type, unitPrice: type === 'fixed' ? -rate : rate, currency }
}

function priceTarget({ level, product }: Pick<PriceInput, 'level' | 'product'>) {
  return { kind: 'price', id: `${level}/${product}` }
}

// ── An import ──

export type ImportInput = {
  readonly files: readonly SourceFile[]
  readonly deactivateMissing: boolean
  /** Version of the catalogue that the preview named; null: nobody previewed it. */
  readonly expectedVersion: number | null
  /** Request as it came, for an approval. */
  readonly request?: CatalogBody | undefined
}

export type ImportWorld = PriceWorld & {
  readonly log: Pick<AuditLog, 'key'>
  readonly progress?: Pick<ImportOptions, 'onRows' | 'onRead'>
}

/**
 * Limit of an import that waits for approval. The approving commit makes the change on the node's main thread, because
 * a transaction cannot be moved to another thread: a file of megabytes would stop the node's payments for seconds.
 */
export const WAITING_BYTES_MAX = 256 * 1024

/** Takes over a whole file of rows, all of it or nothing. A long list of differences takes several lines of the log. */
export const importCatalogue = act({
  name: 'catalogue.import',
  input: whole<ImportInput>(),
  approval: {
    kind: 'catalogue_change',
    target: ({ expectedVersion }) => ({ kind: 'catalogue', id: String(expectedVersion) }),
    write({ request }): Texts {
      const bytes = request?.bytes ?? new Uint8Array()
      if (bytes.byteLength > WAITING_BYTES_MAX) throw tooLargeToApprove(bytes.byteLength)
      return { content_type: request?.contentType ?? null, body: Buffer.from(bytes).toString('utf8') }
    },
    read: ({ content_type: type, body }) =>
      readImport({ contentType: type ?? undefined, bytes: Buffer.from(body ?? '', 'utf8') }).input,
  },
  async run(tx, { files, deactivateMissing, expectedVersion }, by: By<ImportWorld>) {
    const { maxPercent, log, progress } = by.world
    const { judge, found } = judgeCatalog(maxPercent)
    const imported = await importFiles(by.database, files, {
      reason: shortReason(by.reason),
      dryRun: false,
      deactivateMissing,
      judge,
      ...progress,
    })
    // An approved import is checked against its seal, not against a version.
    if (by.consent.kind === 'alone' && expectedVersion !== null) {
      mustBeAsPreviewed(expectedVersion, imported.summary.version)
    }
    const missing = missingConsent(found(), imported.differences, by.consent)
    if (missing !== undefined) return missing
    const { after, ...line } = await logImport(tx, log, by, imported)
    const result = { imported, comparison: found() }
    return { ...line, after: { ...after, ...acceptedBy(by.consent, found()) }, result }
  },
})

function tooLargeToApprove(bytes: number): RequestError {
  return new RequestError({
    status: 413,
    code: 'too_large_to_approve',
    publicText:
      `A second person has to approve this, and this import has ${Math.ceil(bytes / 1024)} kB: at ` +
      `most ${WAITING_BYTES_MAX / 1024} kB can wait for an approval. Nothing was changed. Import the file without the ` +
      'prices that the preview lists under findings. Then give these in imports of their own, which wait for a second ' +
      'person; several at once where they are many. Or run warungd catalog import --accept-loss at the machine.',
  })
}

/** Writes all lines of an import to the log except the last one, which it returns. */
async function logImport(
  tx: Tx,
  log: Pick<AuditLog, 'key'>,
  { caller, reason }: Pick<By<unknown>, 'caller' | 'reason'>,
  { summary, differences }: Imported,
) {
  const { pieces, leftOut } = piecesOf(differences)
  const [only = []] = pieces
  const target = { kind: 'catalogue', id: String(summary.version) }
  const whole = { summary: namedSummaryView(summary), differences_total: differences.length }
  if (pieces.length <= 1) return { target, before: null, after: { ...whole, differences: only } }
  const line = { caller, action: 'catalogue.import', reason }
  for (const [index, piece] of pieces.entries()) {
    const after = { piece: index + 1, pieces: pieces.length, differences: piece }
    await appendAudit(tx, log, line, { target, before: null, after })
  }
  return { target, before: null, after: { ...whole, pieces: pieces.length, differences_left_out: leftOut } }
}
