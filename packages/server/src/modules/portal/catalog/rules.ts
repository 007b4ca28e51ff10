import type { FieldErrors } from '../../../lib/errors.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { parseMoney } from '../../../lib/money.ts'
import { parseRate } from '../../../lib/rates.ts'
import type { OptionEdit, ProductEdit } from '../../catalog/edit/overlay-edit.rules.ts'
import type { OptionKey, OverlayChange } from '../../catalog/model/store.types.ts'
import type { OverlayCategory, OverlayGroup, PriceAdjustment } from '../../catalog/model/types.ts'
import type { EditsBody } from './types.ts'

type BodyProduct = NonNullable<EditsBody['products']>[number]

export type ReadEdits = Pick<OverlayChange, 'groups' | 'categories' | 'removed'> & {
  readonly products: readonly { readonly code: string; readonly edit: ProductEdit }[]
  readonly options: readonly { readonly key: OptionKey; readonly edit: OptionEdit }[]
}

type Problems = Record<string, string[]>

/** Refuses products that the account may not sell in the same words as products that do not exist. */
export function refuseUnknown({ products, options }: ReadEdits, isKnown: (code: string) => boolean): void {
  const problems: Problems = {}
  for (const { code } of products) if (!isKnown(code)) problems[`products.${code}.code`] = ['is unknown']
  for (const { key } of options) {
    const { productCode, fieldId, code } = key
    if (!isKnown(productCode)) problems[`options.${productCode}:${fieldId}:${code}.code`] = ['is unknown']
  }
  if (Object.keys(problems).length === 0) return
  throw invalidFields(problems, 'The catalogue would not be valid; nothing was changed.')
}

/** Reads the edits. It refuses amounts that are not numbers; the catalogue itself checks the rest. */
export function readEdits(body: EditsBody): ReadEdits {
  const problems: Problems = {}
  const products = (body.products ?? []).map((each) => ({
    code: each.code,
    edit: readProduct(each, problems),
  }))
  const options = (body.options ?? []).map(({ product, field, code, enabled, retail_price }) => {
    const place = `options.${product}:${field}:${code}.retail_price`
    const rrp = readAmount(retail_price, place, problems)
    return {
      key: { productCode: product, fieldId: field, code },
      edit: { ...(enabled !== undefined && { isEnabled: enabled }), ...(rrp !== undefined && { rrp }) },
    }
  })
  if (Object.keys(problems).length > 0) throw invalidFields(problems as FieldErrors)
  return { products, options, ...readGroups(body) }
}

function readProduct(body: BodyProduct, problems: Problems): ProductEdit {
  const place = `products.${body.code}`
  const minAmount = readAmount(body.min_amount, `${place}.min_amount`, problems)
  const maxAmount = readAmount(body.max_amount, `${place}.max_amount`, problems)
  const adjustment = readAdjustment(body.adjustment, `${place}.adjustment.value`, problems)
  return {
    ...(body.enabled !== undefined && { isEnabled: body.enabled }),
    ...(body.name !== undefined && { displayName: textOf(body.name) }),
    ...(body.category !== undefined && { categoryCode: textOf(body.category) }),
    ...(body.image_url !== undefined && { imageUrl: textOf(body.image_url) }),
    ...(body.display_order !== undefined && { displayOrder: numberOf(body.display_order) }),
    ...(adjustment !== undefined && { adjustment }),
    ...(minAmount !== undefined && { minAmount }),
    ...(maxAmount !== undefined && { maxAmount }),
  }
}

/** undefined: the amount was not given. */
function readAmount(given: unknown, place: string, problems: Problems): bigint | null | undefined {
  if (given === undefined || given === null || given === '') return given === undefined ? undefined : null
  const amount = parseMoney(String(given))
  if (amount === undefined) problems[place] = ['must be a plain decimal with at most 4 decimals']
  return amount
}

function readAdjustment(
  given: unknown,
  place: string,
  problems: Problems,
): PriceAdjustment | null | undefined {
  if (given === undefined || given === null) return given
  const { type, value } = given as { type: string; value: string }
  const read = type === 'fixed' ? readSigned(value) : parseRate(value)
  if (read === undefined) {
    problems[place] = ['must be a plain decimal: of at most 4 decimals if fixed, 8 if a percentage']
    return undefined
  }
  return type === 'fixed' ? { type, value: read } : { type: 'percentage', value: read }
}

function readSigned(text: string): bigint | undefined {
  if (!text.startsWith('-')) return parseMoney(text)
  const off = parseMoney(text.slice(1))
  return off === undefined ? undefined : -off
}

function readGroups({ groups, categories, reset }: EditsBody): Omit<ReadEdits, 'products' | 'options'> {
  return {
    ...(groups !== undefined && { groups: groups.map(groupOf) }),
    ...(categories !== undefined && {
      categories: categories.map(
        (each): OverlayCategory => ({
          ...groupOf(each),
          groupCode: textOf(each.group),
        }),
      ),
    }),
    ...(reset !== undefined && {
      removed: {
        products: reset.products ?? [],
        groups: reset.groups ?? [],
        categories: reset.categories ?? [],
        options: (reset.options ?? []).map(({ product, field, code }) => ({
          productCode: product,
          fieldId: field,
          code,
        })),
      },
    }),
  }
}

function groupOf(body: {
  code: string
  is_own: boolean
  name?: unknown
  icon_url?: unknown
  display_order?: unknown
}): OverlayGroup {
  return {
    code: body.code,
    isOwn: body.is_own,
    name: textOf(body.name),
    iconUrl: textOf(body.icon_url),
    displayOrder: numberOf(body.display_order),
  }
}

/** Text or null. The schema has already checked the type. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
