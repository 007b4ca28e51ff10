import { PRODUCT_CODE } from '../../lib/input/codes.ts'
import type { Amount } from '../../lib/money.ts'
import { formatMoney, LOCAL_CURRENCY, parseMoney } from '../../lib/money.ts'
import { RATE_ONE } from '../../lib/rates.ts'
import { picturePath } from '../catalog/model/pictures.rules.ts'
import { amountCurrency, findPricingField } from '../catalog/model/pricing.rules.ts'
import { IMAGE_URL } from '../catalog/model/problems.rules.ts'
import type { Field, Option, Product, ProductKind } from '../catalog/model/types.ts'
import { inRinggit } from '../rates/rules.ts'
import type { Rates } from '../rates/types.ts'
import { codeAt, formOf } from './places.rules.ts'
import { isTypedAmount, newProduct } from './products.rules.ts'
import type { Shelf } from './shelf.rules.ts'
import type { Offer, OfferMoney, Place } from './types.ts'

// Takes a new offer into the catalogue: a product of its brand, an option of it, and the place of its code.

/** Wishes of the person who takes it over; left out: they follow from the offer. */
export type Wish = { readonly product?: string | undefined; readonly category?: string | undefined }

export type Adopted = { readonly place: Place } | { readonly refusal: string }

type Wanted = {
  readonly shelf: Shelf
  readonly config: unknown
  readonly rates: Rates
  readonly offer: Offer
}

export function adopt(wanted: Wanted, wish: Wish = {}): Adopted {
  const code = wish.product ?? productCodeOf(wanted.offer)
  const adopted = adoptInto(wanted, code, wish)
  // Two plans of one amount are told apart by their own codes.
  if ('place' in adopted || wish.product !== undefined || !adopted.isTaken) return adopted
  return adoptInto(wanted, `${code}_PLANS`, wish)
}

type Tried = { readonly place: Place } | { readonly refusal: string; readonly isTaken?: boolean }

function adoptInto(wanted: Wanted, code: string, wish: Wish): Tried {
  const { shelf, config, rates, offer } = wanted
  if (PRODUCT_CODE.read(code) === undefined) return { refusal: `${code} is no code of a product` }
  const known = shelf.product(code)
  const form = formOf(config, code)
  if (known === undefined) {
    if (form !== undefined)
      return { refusal: `${code} has codes of this supplier, and is not in the catalogue` }
    const unitPrice = unitPriceOf(offer, rates)
    if (unitPrice === undefined) return { refusal: noRate(offer.face?.currency) }
    const retail =
      offer.face === null ? retailOf({ code, denominationUnitPrice: unitPrice }, offer.cost, rates) : 0n
    if (typeof retail === 'string') return { refusal: retail }
    const kind = kindOf(offer)
    const category = wish.category ?? shelf.categoryFor(kind)
    shelf.putProduct(newProduct({ code, kind, category, unitPrice, offer, imageUrl: imageOf(offer, code) }))
  }
  return placeIn(wanted, code, form)
}

function placeIn(wanted: Wanted, code: string, form: Place['by'] | undefined): Tried {
  const { shelf, offer } = wanted
  const product = shelf.product(code)
  const field = product && findPricingField(product)
  if (product === undefined || field === undefined) return { refusal: `${code} has no field for its amount` }
  if (form === 'product') return { refusal: `${code} is bought by one code for all of its amounts` }
  const amount = denominationOf(product, offer)
  if (amount === 'foreign') {
    return {
      refusal: `its value is in ${offer.face?.currency}, and ${code} counts ${amountCurrency(product)}`,
    }
  }
  if (isTypedAmount(field)) return placeOfTyped(wanted, product, amount)
  if (amount === 'range') return { refusal: `${code} has fixed amounts, and this offer takes any` }
  const by = form ?? (codeMapping(product, field) ? 'subproduct' : 'amount')
  return by === 'amount'
    ? adoptAmount(wanted, { product, field, amount })
    : adoptPlan(wanted, { product, field, amount })
}

function placeOfTyped({ config }: Wanted, { code }: Product, amount: Denomination): Tried {
  if (amount === null) return { refusal: `${code} takes any amount, and this offer has no value` }
  if (amount === 'range') {
    return formOf(config, code) === undefined
      ? { place: { product: code, by: 'product' } }
      : { refusal: `${code} is bought by codes for each amount` }
  }
  return freePlace(config, { product: code, by: 'amount', key: formatMoney(amount as Amount) })
}

type Target = { readonly product: Product; readonly field: Field; readonly amount: Denomination }

function adoptAmount({ shelf, config }: Wanted, { product, field, amount }: Target): Tried {
  const { code } = product
  if (typeof amount !== 'bigint')
    return { refusal: `${code} is bought by its amounts, and this offer has no value`, isTaken: true }
  const free = freePlace(config, { product: code, by: 'amount', key: formatMoney(amount) })
  if (!('place' in free)) return free
  const listed = shelf.optionsOf(code, field.id)
  if (![...listed.values()].some((each) => each.denomination === amount)) {
    const unit = amountCurrency(product)
    const label = `${unit === LOCAL_CURRENCY ? 'RM' : unit} ${formatMoney(amount).replace(/\.00$/, '')}`
    shelf.putOption(
      newOption(listed, { product, field, code: formatMoney(amount), label, denomination: amount }),
    )
  }
  return free
}

function adoptPlan({ shelf, config, rates, offer }: Wanted, { product, field, amount }: Target): Tried {
  if (!codeMapping(product, field)) return { refusal: `payments of ${product.code} do not name their plan` }
  const denomination = typeof amount === 'bigint' ? amount : retailOf(product, offer.cost, rates)
  if (typeof denomination === 'string') return { refusal: denomination }
  const listed = shelf.optionsOf(product.code, field.id)
  const code = optionCodeOf(offer.code)
  const free = freePlace(config, { product: product.code, by: 'subproduct', key: code })
  if (!('place' in free)) return free
  if (!listed.has(code)) {
    const { name: label, description, validity } = offer
    const made = newOption(listed, { product, field, code, label, denomination })
    shelf.putOption({ ...made, description, validity })
  }
  return free
}

function freePlace(config: unknown, place: Place): Tried {
  const taken = codeAt(config, place)
  const what = place.by === 'product' ? place.product : `${place.product} ${place.key}`
  return taken === undefined ? { place } : { refusal: `${what} is bought by ${taken} already`, isTaken: true }
}

// ── Amounts ──

/** `null`: the offer has no value. `foreign`: it is in another unit than the product counts. */
type Denomination = Amount | 'range' | 'foreign' | null

function denominationOf(product: Product, { face }: Offer): Denomination {
  if (face === null) return null
  if (face.currency !== amountCurrency(product)) return 'foreign'
  return face.min === face.max ? (parseMoney(face.min) ?? null) : 'range'
}

function unitPriceOf({ face }: Offer, rates: Rates): bigint | undefined {
  return face === null || face.currency === LOCAL_CURRENCY ? RATE_ONE : rates.get(face.currency)
}

const SEN = 100n

/** Returns what a plan without a value is sold for before any discount: its cost, in whole sen; or why it has none. */
function retailOf(
  product: Pick<Product, 'code' | 'denominationUnitPrice'>,
  cost: OfferMoney | null,
  rates: Rates,
): Amount | string {
  if (product.denominationUnitPrice !== RATE_ONE) return `${product.code} does not count ringgit`
  const amount = cost === null ? undefined : parseMoney(cost.amount)
  if (cost === null || amount === undefined || amount === 0n)
    return 'the list has neither a value nor a cost of it'
  const ringgit = inRinggit(rates, { amount, currency: cost.currency })
  return ringgit === null ? noRate(cost.currency) : ((ringgit + SEN - 1n) / SEN) * SEN
}

export function noRate(currency: string | undefined): string {
  return `there is no rate of ${currency}`
}

// ── Names ──

const KINDS: readonly (readonly [kind: ProductKind, words: RegExp])[] = [
  ['esim', /e.?sim/i],
  ['gift_card', /gift/i],
  ['pin', /\bpins?\b|_pin|pin_/i],
  ['voucher', /voucher/i],
  ['game', /game|gaming/i],
  ['electricity', /electric|\bpln\b|prepaid.?power|token.?listrik/i],
  ['mobile_data', /data|bundle|internet/i],
  ['reload', /top.?up|airtime|recharge|pulsa|reload|mobile|prabayar|prepaid/i],
]

/** Guesses the kind by the supplier's word for it, or else by the name. */
export function kindOf({ type, name }: Pick<Offer, 'type' | 'name'>): ProductKind {
  for (const text of [type ?? '', name]) {
    const found = KINDS.find(([, words]) => words.test(text))
    if (found !== undefined) return found[0]
  }
  return 'other'
}

const BASE_LENGTH = 26

/** Makes one code for all offers of a brand, country, kind and currency: they are options of one product. */
function productCodeOf(offer: Offer): string {
  const { brand, name, country, face, code } = offer
  const kind = kindOf(offer)
  const base = slug(brand ?? name) || slug(code) || 'OFFER'
  return [
    base,
    ...(country === null || country === 'MY' ? [] : [slug(country)]),
    ...(kind === 'reload' || kind === 'other' ? [] : [kind === 'mobile_data' ? 'DATA' : slug(kind)]),
    ...(face === null || face.currency === LOCAL_CURRENCY ? [] : [slug(face.currency).slice(0, 4)]),
    ...(face === null ? ['PLANS'] : face.min === face.max ? [] : ['ANY']),
  ].join('_')
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, BASE_LENGTH)
    .replace(/^_+|_+$/g, '')
}

function optionCodeOf(code: string): string {
  return (
    code
      .replace(/[^A-Za-z0-9_.:-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 100) || 'plan'
  )
}

/** Returns the offer's picture where it may be shown; otherwise the one that the service draws. */
export function imageOf({ image }: Pick<Offer, 'image'>, code: string): string {
  return image !== null && IMAGE_URL.read(image) !== undefined ? image : picturePath('products', code)
}

function codeMapping({ fulfillment }: Product, { id }: Field): boolean {
  const mapping = fulfillment.extras?.subproduct_code
  return mapping?.fromField === id && mapping.path === 'code'
}

function newOption(
  listed: ReadonlyMap<string, Option>,
  given: {
    readonly product: Product
    readonly field: Field
    readonly code: string
    readonly label: string
    readonly denomination: Amount
  },
): Option {
  const { product, field, ...own } = given
  const displayOrder = [...listed.values()].reduce((most, each) => Math.max(most, each.displayOrder), 0) + 1
  return {
    ...own,
    productCode: product.code,
    fieldId: field.id,
    displayOrder,
    description: null,
    isActive: true,
    validity: null,
    features: null,
    rrp: null,
    minAmount: null,
    maxAmount: null,
    suggestedCategory: null,
    additionalDescription: null,
    requiresRef2: false,
  }
}
