import { Type } from 'typebox'
import type { Answer, Authenticate, IncomingRequest, Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import type { Representation } from '../../../http/representations.ts'
import { encodedFor } from '../../../http/representations.ts'
import { preferredLanguage } from '../../../lib/text/languages.ts'
import type { CatalogLanguage } from '../texts/rules.ts'
import { CATALOG_LANGUAGES } from '../texts/rules.ts'
import { CustomerCatalog, CustomerOptions } from './customers.schemas.ts'
import type { CustomerCatalog as Answers, CustomerReader } from './customers.service.ts'
import {
  CUSTOMER_OPTIONS_RULES,
  CUSTOMER_PAGE_SIZE_DEFAULT,
  readCustomerOptionsParameters,
} from './parameters.rules.ts'

const TAG = 'Checkout'

const OptionsQuery = Type.Object({
  product_code: parameter(CUSTOMER_OPTIONS_RULES.productCode, 'Product code'),
  field_id: parameter(CUSTOMER_OPTIONS_RULES.fieldId, 'Id of a select field of the product'),
  account_number: parameter(
    CUSTOMER_OPTIONS_RULES.accountNumber,
    'Value that a dynamic field depends on: an identity number, a phone number',
  ),
  biller_code: parameter(CUSTOMER_OPTIONS_RULES.billerCode, 'Bill payment: one biller alone'),
  search: parameter(
    CUSTOMER_OPTIONS_RULES.search,
    'Options whose label or code has all these words, best first',
  ),
  limit: parameter(
    CUSTOMER_OPTIONS_RULES.limit,
    `Items of a page; ${CUSTOMER_PAGE_SIZE_DEFAULT} when left out`,
  ),
  page: parameter(CUSTOMER_OPTIONS_RULES.page, 'Number of the page'),
})

/**
 * Creates the operations by which a reseller's customer sees products, below a path that names the customer's order.
 * `authenticate` proves the customer; its headers forbid storing the answers.
 */
export function customerCatalogOperations(
  authenticate: Authenticate<CustomerReader>,
  answers: Answers,
  parentPath: string,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${parentPath}/catalog`,
      docs: { operationId: 'checkoutGetCatalog', summary: 'Products that the order may contain', tag: TAG },
      schemas: {
        responses: { 200: Type.Object({ data: CustomerCatalog }) },
      },
      authenticate,
      handle: async ({ caller, request }) => answer(request, answers.catalog(caller, languageOf(request))),
    }),
    operation({
      method: 'GET',
      path: `${parentPath}/options`,
      docs: { operationId: 'checkoutGetOptions', summary: 'Choices of a select field', tag: TAG },
      schemas: {
        query: OptionsQuery,
        responses: { 200: Type.Object({ data: CustomerOptions }) },
      },
      also: [409],
      authenticate,
      handle: async ({ caller, query, request }) =>
        answer(
          request,
          await answers.options(caller, readCustomerOptionsParameters(query), languageOf(request)),
        ),
    }),
  ]
}

function languageOf({ headers }: IncomingRequest): CatalogLanguage | undefined {
  return preferredLanguage(headers['accept-language'], CATALOG_LANGUAGES)
}

async function answer(request: IncomingRequest, representation: Representation): Promise<Answer<Buffer>> {
  const { body, encoding } = await encodedFor(request, representation)
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Vary: 'Accept-Encoding, Accept-Language',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    },
  }
}
