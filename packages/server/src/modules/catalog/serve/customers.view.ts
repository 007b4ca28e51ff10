import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import type { EffectiveProduct, Snapshot } from '../model/types.ts'
import type { Words } from './answers.service.ts'
import type {
  CustomerCatalogWire,
  CustomerOptionsWire,
  CustomerOptionWire,
  CustomerProductWire,
} from './customers.schemas.ts'
import { localisedCatalog } from './localised.view.ts'
import type { OptionsPage } from './options.view.ts'
import { optionsView } from './options.view.ts'
import type { CatalogProductWire, FormOptionWire } from './schemas.ts'
import { catalogView } from './view.ts'

// Members that a reseller's customers see are picked one by one: a wholesale figure has no way into the answer.

export function customerCatalogView(
  snapshot: Snapshot,
  listed: readonly EffectiveProduct[],
  interrupted: readonly string[],
  addressOf: AddressOf = asStored,
  words?: Words,
): CustomerCatalogWire {
  const wire = catalogView(snapshot, listed, addressOf)
  const { last_updated, tree, products } =
    words === undefined ? wire : localisedCatalog(wire, snapshot, words)
  return {
    last_updated,
    tree,
    products: Object.fromEntries(
      Object.entries(products).map(([code, product]) => [code, customerProduct(product)]),
    ),
    interrupted: [...interrupted],
  }
}

function customerProduct(product: CatalogProductWire): CustomerProductWire {
  const { code, name, note, image_url, processing_time, denomination_currency } = product
  const { fields, fulfillment, min_amount, max_amount } = product
  return {
    code,
    name,
    note,
    image_url,
    processing_time,
    denomination_currency,
    fields,
    fulfillment,
    min_amount,
    max_amount,
  }
}

export function customerOptionsView(
  page: Omit<OptionsPage, 'items'> & { readonly items: readonly FormOptionWire[] },
): CustomerOptionsWire {
  return { ...optionsView({ ...page, items: [] }), items: page.items.map(customerOption) }
}

const OPTION_MEMBERS = [
  'code',
  'label',
  'denomination',
  'validity',
  'features',
  'description',
  'price',
  'account_number',
  'min_amount',
  'max_amount',
  'ref2_required',
  'ref1_label',
  'ref2_label',
] as const satisfies readonly (keyof CustomerOptionWire)[]

export function customerOption(option: FormOptionWire): CustomerOptionWire {
  const shown = OPTION_MEMBERS.flatMap((name) => (option[name] === undefined ? [] : [[name, option[name]]]))
  return Object.fromEntries(shown) as CustomerOptionWire
}
