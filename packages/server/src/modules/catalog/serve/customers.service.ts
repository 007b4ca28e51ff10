import type { Representation } from '../../../http/representations.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import { KIND_TRAITS } from '../model/kinds.rules.ts'
import { isWithinLimits } from '../model/pricing.rules.ts'
import type { EffectiveProduct, Field } from '../model/types.ts'
import { hasSoundPrice, listPricedOptions } from '../model/visibility.rules.ts'
import type { CatalogLanguage } from '../texts/rules.ts'
import type { CatalogAnswers, CatalogReader } from './answers.service.ts'
import { inWords, isSearched, requireAccountNumber, written } from './answers.service.ts'
import { customerCatalogView, customerOptionsView } from './customers.view.ts'
import { searchOptions } from './option-search.rules.ts'
import { dynamicMoney, dynamicOptionItem, formOptionItem } from './options.view.ts'
import type { CustomerOptionsParameters } from './parameters.rules.ts'
import type { FormOptionWire } from './schemas.ts'

/** Customer of a reseller, who chooses among some of the reseller's products. */
export type CustomerReader = {
  readonly reseller: CatalogReader
  /** Codes that the customer may choose from; null: all that the reseller sells and does not hide. */
  readonly choice: ReadonlySet<string> | null
  /** Called before a supplier is asked; it throws when the customer may not ask. */
  readonly beforeQuestion: () => void
}

export type CustomerCatalog = {
  catalog(customer: CustomerReader, language?: CatalogLanguage): Representation
  options(
    customer: CustomerReader,
    parameters: CustomerOptionsParameters,
    language?: CatalogLanguage,
  ): Promise<Representation>
}

export type CustomerCatalogSettings = {
  readonly answers: Pick<CatalogAnswers, 'snapshotFor' | 'kept' | 'dynamicOptions' | 'wordsIn'>
  /** Tells whether a product that the account sells does not work at present. */
  readonly isInterrupted: (reader: CatalogReader, code: string) => boolean
  readonly addressOf?: AddressOf
}

export function createCustomerCatalog({
  answers,
  isInterrupted,
  addressOf = asStored,
}: CustomerCatalogSettings): CustomerCatalog {
  return {
    catalog({ reseller, choice }, language) {
      const snapshot = answers.snapshotFor(reseller)
      const listed = [...snapshot.products.values()].filter((each) => mayChoose(each, choice))
      const interrupted = listed
        .map(({ product }) => product.code)
        .filter((code) => isInterrupted(reseller, code))
      const words = answers.wordsIn(language)
      const build = () => ({
        data: customerCatalogView(snapshot, listed, interrupted, addressOf, words),
      })
      // Each order may name other products, and interruptions come and go: only whole catalogues at rest are cached.
      return choice === null && interrupted.length === 0
        ? answers.kept(snapshot, words === undefined ? 'customers' : `customers ${words.key}`, build)
        : written(build())
    },
    async options(customer, parameters, language) {
      const product = answers.snapshotFor(customer.reseller).products.get(parameters.productCode)
      // A product that the customer may not buy does not exist for them.
      if (product === undefined || !mayChoose(product, customer.choice)) throw notFound('Product not found.')
      const field = product.product.fields.find(({ id }) => id === parameters.fieldId)
      if (field?.dataSource === undefined) throw notFound('This field has no options.')
      const { page, perPage } = parameters
      const words = answers.wordsIn(language)
      const found =
        field.dataSource.type === 'reference'
          ? staticItems(product, field, parameters)
          : await dynamicItems(answers, customer, product, field, parameters)
      const { code } = product.product
      return written({
        data: customerOptionsView({
          productCode: code,
          fieldId: field.id,
          page,
          perPage,
          total: found.total,
          items: found.items.map((each) => inWords(each, words)),
        }),
      })
    },
  }
}

/** Tells whether a customer may buy a product now. A hidden product is sold only where the reseller names it. */
export function mayChoose(each: EffectiveProduct, choice: ReadonlySet<string> | null): boolean {
  if (!each.isActive) return false
  return choice === null ? !each.product.isHidden : choice.has(each.product.code)
}

type Found = { readonly items: readonly FormOptionWire[]; readonly total: number }

function staticItems(
  product: EffectiveProduct,
  field: Field,
  { billerCode, search, page, perPage }: CustomerOptionsParameters,
): Found {
  const listed = listPricedOptions(product, field.id)
  const shown = search === null ? listed : searchOptions(listed, search)
  const isBiller = KIND_TRAITS[product.product.kind].extras === 'biller' && billerCode !== null
  const chosen = isBiller ? shown.filter(({ option }) => option.code === billerCode) : shown
  const items = chosen.slice((page - 1) * perPage, page * perPage)
  return { items: items.map((each) => formOptionItem(product, field, each)), total: chosen.length }
}

async function dynamicItems(
  answers: Pick<CatalogAnswers, 'dynamicOptions' | 'numbers'>,
  customer: CustomerReader,
  product: EffectiveProduct,
  field: Field,
  parameters: CustomerOptionsParameters,
): Promise<Found> {
  const { page, perPage } = parameters
  const accountNumber = requireAccountNumber(product, field, parameters.accountNumber, answers.numbers)
  customer.beforeQuestion()
  const given = await answers.dynamicOptions(product, field, accountNumber)
  const chosen = given.filter(
    (each) =>
      isWithinLimits(product, field, each) &&
      hasSoundPrice({ money: dynamicMoney(product, field, each.denomination) }) &&
      isSearched(each, parameters),
  )
  const items = chosen.slice((page - 1) * perPage, page * perPage)
  return { items: items.map((each) => dynamicOptionItem(product, field, each)), total: chosen.length }
}

function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}
