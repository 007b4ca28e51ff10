import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { answerWith } from '../../../http/representations.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { addressesAt } from '../../../lib/own-addresses.ts'
import type { Authenticator } from '../../auth/service.ts'
import { KIND_TRAITS } from '../model/kinds.rules.ts'
import { findPricingField, isWithinLimits } from '../model/pricing.rules.ts'
import type { EffectiveOption, EffectiveProduct, Field } from '../model/types.ts'
import { listOptions, listProducts } from '../model/visibility.rules.ts'
import type { CatalogAnswers, CatalogReader } from './answers.service.ts'
import { isWorthKeeping, requireAccountNumber, written } from './answers.service.ts'
import { billersPage } from './billers.view.ts'
import type { SubProductWire } from './legacy.schemas.ts'
import { BillersResponse, ProductListResponse, SubProductsResponse } from './legacy.schemas.ts'
import { dynamicSubProductItem, hasSubProducts, productListItems, subProductItem } from './legacy.view.ts'
import {
  BILLERS_RULES,
  PAGE_SIZE_MAX,
  readBillersParameters,
  readSubProductsParameters,
  SUB_PRODUCTS_RULES,
} from './parameters.rules.ts'

const MESSAGE = 'Success'

const BillersQuery = Type.Object({
  page: parameter(BILLERS_RULES.page, 'Number of the page, with limit'),
  limit: parameter(BILLERS_RULES.limit, 'Billers of a page; left out: the whole list'),
  biller_code: parameter(BILLERS_RULES.billerCode, 'One biller alone'),
  suggested_category: parameter(BILLERS_RULES.suggestedCategory, 'Billers of this suggested category'),
})

const SubProductsQuery = Type.Object({
  product_code: parameter(SUB_PRODUCTS_RULES.productCode, 'Product code'),
  account_number: parameter(SUB_PRODUCTS_RULES.accountNumber, 'Required for mobile data and student loans'),
  limit: parameter(SUB_PRODUCTS_RULES.limit, 'Blank: all'),
})

/** Creates the operations; `baseUrl` is put before the links of pages and the paths of pictures. */
export function legacyCatalogOperations(
  authenticate: Authenticator,
  answers: CatalogAnswers,
  baseUrl: () => string,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v1/billpay/billers',
      docs: { operationId: 'listBillers', summary: 'Billers of bill payment', tag: 'Catalogue' },
      schemas: { query: BillersQuery, responses: { 200: BillersResponse, 304: Type.Null() } },
      authenticate: authenticate('read'),
      async handle({ caller, query, request }) {
        const parameters = readBillersParameters(query)
        const path = `${baseUrl()}/v1/billpay/billers`
        const billers = findBillers(answers, caller.reseller)
        const build = () => billersPage(MESSAGE, path, billers.shown, parameters)
        const { page, limit, billerCode, suggestedCategory } = parameters
        const isFiltered = billerCode !== null || suggestedCategory !== null
        const wanted = { page: limit === null ? 1 : page, perPage: limit ?? PAGE_SIZE_MAX }
        if (isFiltered || !isWorthKeeping(wanted, billers.shown.length)) {
          return answerWith(request, written(build()))
        }
        return answerWith(
          request,
          answers.kept(billers.owner, `billers ${path} ${wanted.page} ${limit}`, build),
        )
      },
    }),
    operation({
      method: 'GET',
      path: '/v2/product-list',
      docs: {
        operationId: 'listProducts',
        summary: 'Products, in the form before the catalogue',
        tag: 'Deprecated',
        successor: '/v2/catalog',
      },
      schemas: {
        responses: { 200: ProductListResponse, 304: Type.Null() },
      },
      authenticate: authenticate('read'),
      async handle({ caller, request }) {
        const snapshot = answers.snapshotFor(caller.reseller)
        const build = () => ({
          data: productListItems(
            snapshot,
            listProducts(snapshot, { isActive: true, includeInactive: true }),
            addressesAt(baseUrl),
          ),
        })
        return answerWith(request, answers.kept(snapshot, 'product-list', build))
      },
    }),
    operation({
      method: 'GET',
      path: '/v2/subproducts',
      docs: {
        operationId: 'listSubProducts',
        summary: 'Plans and loan accounts, in the form before the options',
        tag: 'Deprecated',
        successor: '/v2/options',
      },
      schemas: { query: SubProductsQuery, responses: { 200: SubProductsResponse } },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const { productCode, accountNumber, limit } = readSubProductsParameters(query)
        const product = findSubProducts(answers, caller.reseller, productCode)
        const data = await listSubProducts(answers, product, accountNumber)
        return { status: 200, body: { message: MESSAGE, data: limit === null ? data : data.slice(0, limit) } }
      },
    }),
  ]
}

type Billers = { owner: object; shown: readonly EffectiveOption[] }

/** Finds the billers; an account that may not pay bills has none. */
function findBillers(answers: CatalogAnswers, reader: CatalogReader): Billers {
  const snapshot = answers.snapshotFor(reader)
  for (const each of listProducts(snapshot, { isActive: true, includeInactive: true })) {
    if (KIND_TRAITS[each.product.kind].extras !== 'biller') continue
    const field = each.product.fields.find((candidate) => candidate.dataSource?.type === 'reference')
    if (field !== undefined) return { owner: each.options(field.id), shown: listOptions(each, field.id) }
  }
  return { owner: {}, shown: [] }
}

function findSubProducts(
  answers: CatalogAnswers,
  reader: CatalogReader,
  productCode: string,
): EffectiveProduct {
  // Every product of the product list can be asked about, also a hidden one.
  const filter = { productCode, isActive: true, includeInactive: true }
  const [product] = listProducts(answers.snapshotFor(reader), filter)
  if (product === undefined)
    throw invalidFields({ product_code: ['Product not found.'] }, 'Product not found.')
  if (KIND_TRAITS[product.product.kind].extras === 'biller') {
    throw invalidFields({ product_code: ['Billers are listed at /v1/billpay/billers.'] })
  }
  return product
}

async function listSubProducts(
  answers: CatalogAnswers,
  each: EffectiveProduct,
  accountNumber: string | null,
): Promise<SubProductWire[]> {
  const { product } = each
  if (KIND_TRAITS[product.kind].listsByAccount && accountNumber === null) {
    throw invalidFields({ account_number: ['The account_number field is required for this product.'] })
  }
  const field = hasSubProducts(product) ? planField(each) : undefined
  if (field?.dataSource?.type === 'dynamic') {
    const asked = requireAccountNumber(each, field, accountNumber, answers.numbers)
    const found = await answers.dynamicOptions(each, field, asked)
    return found
      .filter((option) => isWithinLimits(each, field, option))
      .map((option) => dynamicSubProductItem(each, field, option))
  }
  return field === undefined
    ? []
    : listOptions(each, field.id).map((option) => subProductItem(each, field, option))
}

/** Finds the select field whose chosen option is the plan or the loan account. */
function planField({ product }: EffectiveProduct): Field | undefined {
  const fromField = product.fulfillment.extras?.subproduct_code?.fromField ?? findPricingField(product)?.id
  return product.fields.find((field) => field.id === fromField)
}
