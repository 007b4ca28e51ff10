import type { Representation } from '../../../http/representations.ts'
import { createRepresentationCache, representationOf } from '../../../http/representations.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { LivePlans } from '../../../lib/numbers/plans.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import type { DynamicOptions } from '../../providers/options.service.ts'
import type { DynamicOption } from '../../providers/port/types.ts'
import { canonicalAccount } from '../model/accounts.rules.ts'
import { KIND_TRAITS } from '../model/kinds.rules.ts'
import { amountCurrency, isWithinLimits } from '../model/pricing.rules.ts'
import type { Catalog } from '../model/store.types.ts'
import type { BaseCatalog, EffectiveProduct, Field, Snapshot } from '../model/types.ts'
import type { CatalogFilter } from '../model/visibility.rules.ts'
import {
  findResolvable,
  hasSoundPrice,
  listOptions,
  listPricedOptions,
  listProducts,
} from '../model/visibility.rules.ts'
import type { CatalogLanguage, Say } from '../texts/rules.ts'
import { sayIn } from '../texts/rules.ts'
import { localisedCatalog, localisedItem } from './localised.view.ts'
import { keptInOlderForm } from './older-form.rules.ts'
import { normalise, searchOptions } from './option-search.rules.ts'
import { dynamicMoney, dynamicOptionItem, formOptionItem, optionItem, optionsView } from './options.view.ts'
import type { OptionsParameters } from './parameters.rules.ts'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './parameters.rules.ts'
import type { Release } from './releases.rules.ts'
import { catalogFor, optionsFor } from './releases.view.ts'
import type { OptionItemWire } from './schemas.ts'
import { redemptionIn } from './texts.rules.ts'
import { catalogView } from './view.ts'

export type CatalogReader = { readonly id: bigint; readonly priceLevel: string }

export type CatalogAnswers = {
  catalog(reader: CatalogReader, filter: CatalogFilter, asked: Asked): Representation
  options(reader: CatalogReader, parameters: OptionsParameters, asked: Asked): Promise<Representation>
  snapshotFor(reader: CatalogReader): Snapshot
  /** Words of a language other than the catalogue's own; undefined: the catalogue's texts are answered as they are. */
  wordsIn(language: CatalogLanguage | undefined): Words | undefined
  /** Says how a customer uses what was bought, in the language that a request accepts. */
  redemption(productCode: string, accepted: string | string[] | undefined): string | null
  /** Plans by which numbers are read; left out: those that the service knows by itself. */
  readonly numbers?: LivePlans | undefined
  /** Caches an answer while `owner` lives and there is room; `key` distinguishes the answers of one owner. */
  kept(owner: object, key: string, build: () => object): Representation
  dynamicOptions(
    product: EffectiveProduct,
    field: Field,
    accountNumber: string,
  ): Promise<readonly DynamicOption[]>
}

/** Form of an answer: the release, and the language where it is not the catalogue's own. */
export type Asked = { readonly release: Release; readonly language?: CatalogLanguage | undefined }

/** Words of a language as they are now; answers that are said in them have the key. */
export type Words = { readonly base: BaseCatalog; readonly say: Say; readonly key: string }

/** Limit of the cache; the answers used last are kept as bytes. */
const CACHE_BYTES_MAX = 128 * 1024 * 1024

export function createCatalogAnswers(
  catalog: Catalog,
  dynamic: DynamicOptions,
  addressOf: AddressOf = asStored,
  numbers?: LivePlans,
): CatalogAnswers {
  const cache = createRepresentationCache(CACHE_BYTES_MAX)

  const kept: CatalogAnswers['kept'] = (owner, key, build) =>
    cache.get(owner, key, () => Buffer.from(JSON.stringify(build())))

  const wordsIn: CatalogAnswers['wordsIn'] = (language) => {
    if (language === undefined) return undefined
    const { base, texts, textsVersion } = catalog.state()
    return { base, say: sayIn(language, texts), key: `${language} ${textsVersion}` }
  }

  const dynamicOptions: CatalogAnswers['dynamicOptions'] = (product, field, accountNumber) =>
    dynamic.list({ productCode: product.product.code, fieldId: field.id, accountNumber })

  return {
    kept,
    numbers,
    dynamicOptions,
    snapshotFor: (reader) => catalog.snapshotFor(reader),
    wordsIn,
    redemption: (productCode, accepted) => redemptionIn(catalog.state(), productCode, accepted),
    catalog(reader, filter, { release, language }) {
      const snapshot = catalog.snapshotFor(reader)
      const words = wordsIn(language)
      const build = () => {
        const newest = catalogView(snapshot, listProducts(snapshot, filter), addressOf)
        const wire = catalogFor(release, newest, snapshot.products)
        if (words === undefined) return wire
        return localisedCatalog(wire, snapshot, words)
      }
      // One product is written quickly, and callers may name any code, so only whole catalogues are cached.
      if (filter.productCode !== undefined) return written(build())
      const key = `catalog ${release} ${filter.isActive} ${filter.includeInactive}`
      return kept(snapshot, words === undefined ? key : `${key} ${words.key}`, build)
    },
    async options(reader, parameters, asked) {
      const words = wordsIn(asked.language)
      const product = findResolvable(catalog.snapshotFor(reader), parameters.productCode, parameters)
      if (product === undefined) throw notFound('Product not found.')
      const field = product.product.fields.find((each) => each.id === parameters.fieldId)
      if (field?.dataSource === undefined) throw notFound('This field has no options.')
      if (field.dataSource.type === 'reference') {
        return staticOptions(kept, product, field, parameters, { release: asked.release, words })
      }
      const accountNumber = requireAccountNumber(product, field, parameters.accountNumber, numbers)
      const found = await dynamicOptions(product, field, accountNumber)
      const items = found
        .filter((option) => isWithinLimits(product, field, option) && isSearched(option, parameters))
        .filter(
          ({ denomination }) =>
            parameters.isForm !== true ||
            hasSoundPrice({ money: dynamicMoney(product, field, denomination) }),
        )
        .map((option) => inWords(dynamicOptionItem(product, field, option), words))
      return written(pageOf(product, field, parameters, asked.release, items))
    },
  }
}

/**
 * Returns the account number as suppliers get it. A dynamic field that depends on another one needs it.
 */
export function requireAccountNumber(
  { product }: EffectiveProduct,
  field: Field,
  accountNumber: string | null,
  numbers: LivePlans | undefined,
): string {
  if (accountNumber !== null) {
    const source = field.dataSource?.params.account_number
    const isAccount =
      source !== undefined &&
      'fromField' in source &&
      source.fromField === product.fulfillment.account?.fromField
    return isAccount ? canonicalAccount(product, accountNumber, numbers?.current) : accountNumber
  }
  if ((field.dataSource?.dependsOn.length ?? 0) === 0) return ''
  throw invalidFields(
    { account_number: ['The account_number field is required.'] },
    `The field ${field.id} depends on another field and requires account_number.`,
  )
}

export function inWords<I extends OptionItemWire>(item: I, words: Words | undefined): I {
  return words === undefined ? item : localisedItem(item, words.say)
}

function staticOptions(
  kept: CatalogAnswers['kept'],
  product: EffectiveProduct,
  field: Field,
  parameters: OptionsParameters,
  { release, words }: { readonly release: Release; readonly words: Words | undefined },
): Representation {
  const { billerCode, isActive, page, perPage, search = null, isForm = false } = parameters
  const item = isForm ? formOptionItem : optionItem
  const build = () => {
    const listed = (isForm ? listPricedOptions : listOptions)(product, field.id, isActive)
    const shown = search === null ? listed : searchOptions(listed, search)
    const isBiller = KIND_TRAITS[product.product.kind].extras === 'biller' && billerCode !== null
    const chosen = isBiller ? shown.filter(({ option }) => option.code === billerCode) : shown
    const items = () => chosen.slice((page - 1) * perPage, page * perPage)
    const wire = items().map((each) => inWords(item(product, field, each), words))
    return wirePage(product, field, parameters, release, wire, chosen.length)
  }
  const all = product.options(field.id)
  if (billerCode !== null || search !== null || !isWorthKeeping(parameters, all.length))
    return written(build())
  // The list is the owner: accounts that see the same options share the answer. The list outlives changes of
  // its product, so the product's values in an item are part of the key.
  const { code, kind } = product.product
  const { denomination: isKept } = keptInOlderForm(product)
  const shown = `${code} ${field.id} ${kind} ${amountCurrency(product.product)} ${isKept}`
  const key = `options ${shown} ${release} ${isActive} ${isForm} ${page} ${perPage}`
  return kept(all, words === undefined ? key : `${key} ${words.key}`, build)
}

/** Tells whether an option that a provider gave matches the search. There are few, and each is seen once. */
export function isSearched(
  { code, label }: DynamicOption,
  { search = null }: Pick<OptionsParameters, 'search'>,
): boolean {
  if (search === null) return true
  const text = `${normalise(label)} ${normalise(code)}`
  return normalise(search)
    .split(' ')
    .every((word) => word !== '' && text.includes(word))
}

/** Number of items from which writing a page again costs more than finding it in the cache. */
const KEPT_FROM_ITEMS = 500

/**
 * Tells whether a page is worth caching. Clients share pages of the default size and of the maximum size.
 * Callers may ask for any other size: if small pages of such sizes were cached, they would push out the common
 * ones.
 */
export function isWorthKeeping({ page, perPage }: PageWanted, total: number): boolean {
  const items = Math.min(perPage, total - (page - 1) * perPage)
  const isShared = perPage === PAGE_SIZE_DEFAULT || perPage === PAGE_SIZE_MAX
  return items >= (isShared ? 1 : KEPT_FROM_ITEMS)
}

type PageWanted = { readonly page: number; readonly perPage: number }

function pageOf(
  product: EffectiveProduct,
  field: Field,
  parameters: OptionsParameters,
  release: Release,
  all: readonly OptionItemWire[],
): object {
  const { page, perPage } = parameters
  const items = all.slice((page - 1) * perPage, page * perPage)
  return wirePage(product, field, parameters, release, items, all.length)
}

function wirePage(
  product: EffectiveProduct,
  field: Field,
  { page, perPage }: OptionsParameters,
  release: Release,
  items: OptionItemWire[],
  total: number,
): object {
  return optionsFor(
    release,
    optionsView({ productCode: product.product.code, fieldId: field.id, items, page, perPage, total }),
    product,
  )
}

/** Returns an answer without caching it, for answers that are hardly ever asked for twice. */
export function written(wire: object): Representation {
  return representationOf(Buffer.from(JSON.stringify(wire)))
}

function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}
