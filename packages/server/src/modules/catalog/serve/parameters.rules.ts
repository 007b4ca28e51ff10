import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { code, count, FLAG, optional, required } from '../../../lib/input/parameters.ts'

export const PAGE_SIZE_DEFAULT = 100
export const PAGE_SIZE_MAX = 25_000
const PAGE_MAX = 999_999_999
const CODE_LENGTH_MAX = 200

const CODE = code(CODE_LENGTH_MAX)
const PAGE = optional(count(1, PAGE_MAX), 1)
const PAGE_SIZE = optional(count(1, PAGE_SIZE_MAX), null)

export const CATALOG_RULES = {
  productCode: optional(CODE, null),
  isActive: optional(FLAG, true),
  includeInactive: optional(FLAG, false),
}

export function readCatalogParameters(query: QueryParameters) {
  const values = readFields(CATALOG_RULES, {
    productCode: query.product_code,
    isActive: query.is_active,
    includeInactive: query.include_inactive,
  })
  const { productCode, ...flags } = values
  return productCode === null ? flags : { ...flags, productCode }
}

export const OPTIONS_RULES = {
  productCode: required('product_code', CODE),
  fieldId: required('field_id', CODE),
  accountNumber: optional(CODE, null),
  billerCode: optional(CODE, null),
  limit: PAGE_SIZE,
  perPage: PAGE_SIZE,
  page: PAGE,
  isActive: optional(FLAG, true),
  includeHidden: optional(FLAG, false),
  includeInactive: optional(FLAG, false),
}

/** Items of a page of a search: people look at the first few, and type on. */
export const SEARCH_PAGE_SIZE_DEFAULT = 20
export const SEARCH_PAGE_SIZE_MAX = 100
const SEARCH_LENGTH_MAX = 100

export const SEARCH_RULES = { search: optional(code(SEARCH_LENGTH_MAX), null) }

/** Reads the parameters of the portal's forms, which can also search. */
export function readFormOptionsParameters(query: QueryParameters) {
  const { search } = readFields(SEARCH_RULES, { search: query.search })
  const asked = readOptionsParameters(query)
  if (search === null) return { ...asked, search, isForm: true }
  const isSized = isGiven(query.limit) || isGiven(query.per_page)
  const perPage = isSized ? asked.perPage : SEARCH_PAGE_SIZE_DEFAULT
  if (perPage > SEARCH_PAGE_SIZE_MAX) {
    throw invalidFields({ limit: [`must be at most ${SEARCH_PAGE_SIZE_MAX} with search`] })
  }
  return { ...asked, search, perPage, isForm: true }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

export function readOptionsParameters(query: QueryParameters) {
  const { limit, perPage, ...values } = readFields(OPTIONS_RULES, {
    productCode: query.product_code,
    fieldId: query.field_id,
    accountNumber: query.account_number,
    billerCode: query.biller_code,
    limit: query.limit,
    perPage: query.per_page,
    page: query.page,
    isActive: query.is_active,
    includeHidden: query.include_hidden,
    includeInactive: query.include_inactive,
  })
  if (limit !== null && perPage !== null && limit !== perPage) {
    throw invalidFields({ per_page: ['per_page is another name of limit; they must not differ'] })
  }
  return { ...values, perPage: limit ?? perPage ?? PAGE_SIZE_DEFAULT }
}

export type OptionsParameters = ReturnType<typeof readOptionsParameters> & {
  /** Text to search for among the options; null or left out: all of them. */
  readonly search?: string | null
  /** Adds the words of a form that is drawn for people. */
  readonly isForm?: boolean
}

/** Items of a page that customers read: a form shows a few, and searches among the others. */
export const CUSTOMER_PAGE_SIZE_DEFAULT = 50
const CUSTOMER_PAGE_SIZE_MAX = 100
const CUSTOMER_PAGE_MAX = 10_000

export const CUSTOMER_OPTIONS_RULES = {
  productCode: required('product_code', CODE),
  fieldId: required('field_id', CODE),
  accountNumber: optional(CODE, null),
  billerCode: optional(CODE, null),
  search: SEARCH_RULES.search,
  limit: optional(count(1, CUSTOMER_PAGE_SIZE_MAX), CUSTOMER_PAGE_SIZE_DEFAULT),
  page: optional(count(1, CUSTOMER_PAGE_MAX), 1),
}

/** Reads the parameters of customers. Hidden and inactive options are not theirs to ask for. */
export function readCustomerOptionsParameters(query: QueryParameters) {
  const { limit, ...values } = readFields(CUSTOMER_OPTIONS_RULES, {
    productCode: query.product_code,
    fieldId: query.field_id,
    accountNumber: query.account_number,
    billerCode: query.biller_code,
    search: query.search,
    limit: query.limit,
    page: query.page,
  })
  return { ...values, perPage: limit }
}

export type CustomerOptionsParameters = ReturnType<typeof readCustomerOptionsParameters>

export const BILLERS_RULES = {
  page: PAGE,
  limit: PAGE_SIZE,
  billerCode: optional(CODE, null),
  suggestedCategory: optional(CODE, null),
}

export function readBillersParameters(query: QueryParameters) {
  return readFields(BILLERS_RULES, {
    page: query.page,
    limit: query.limit,
    billerCode: query.biller_code,
    suggestedCategory: query.suggested_category,
  })
}

export type BillersParameters = ReturnType<typeof readBillersParameters>

export const SUB_PRODUCTS_RULES = {
  productCode: required('product_code', CODE),
  accountNumber: optional(CODE, null),
  limit: PAGE_SIZE,
}

export function readSubProductsParameters(query: QueryParameters) {
  return readFields(SUB_PRODUCTS_RULES, {
    productCode: query.product_code,
    accountNumber: query.account_number,
    limit: query.limit,
  })
}
