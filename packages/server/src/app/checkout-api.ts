import type { Config } from '../config.ts'
import { openApiOperation } from '../http/openapi/documentation.ts'
import type { OpenApiDocument, OpenApiInfo, OpenApiOptions } from '../http/openapi/openapi.ts'
import { buildOpenApi } from '../http/openapi/openapi.ts'
import type { Authenticate, Operation } from '../http/operation.ts'
import type { AddressOf } from '../lib/own-addresses.ts'
import type { Authenticator } from '../modules/auth/service.ts'
import { billOperations } from '../modules/bills/routes.ts'
import { customerCatalogOperations } from '../modules/catalog/serve/customers.routes.ts'
import type { CustomerReader } from '../modules/catalog/serve/customers.service.ts'
import { createCustomerCatalog, mayChoose } from '../modules/catalog/serve/customers.service.ts'
import { atOrder, createCustomerAuthenticator } from '../modules/checkout/access.service.ts'
import { createOrderLimits } from '../modules/checkout/limits.service.ts'
import { checkoutOperations, forCustomers, ORDER_PATH } from '../modules/checkout/routes.ts'
import { createCheckout, requireDraft } from '../modules/checkout/service.ts'
import type { CustomerAtOrder } from '../modules/checkout/types.ts'
import { numberOperations } from '../modules/numbers/routes.ts'
import { choiceOf } from '../modules/orders/core/items.rules.ts'
import { VERSION } from '../version.ts'
import { readExamples } from './examples.ts'
import type { Services } from './services.ts'

// API of resellers' customers (/checkout/v1): the holder of an order's token sees and fills that order. It has a
// document of its own, because its callers are pages and not resellers' programs.

export type CheckoutDependencies = {
  readonly config: Pick<Config, 'environment'>
  readonly services: Pick<
    Services,
    'orders' | 'directory' | 'catalog' | 'catalogAnswers' | 'bills' | 'network' | 'numberLookups'
  >
  readonly addressOf: AddressOf
  readonly now: () => Date
  readonly baseUrl: () => string
}

/** Lists every operation of the API, and its document. */
export function checkoutApiOperations(dependencies: CheckoutDependencies): Operation[] {
  const { config, baseUrl } = dependencies
  const operations = listOperations(dependencies)
  const document = () =>
    checkoutDocument(operations, { serverUrl: baseUrl(), environment: config.environment })
  operations.push(
    openApiOperation({ path: '/checkout/v1/openapi.json', operationId: 'getCheckoutOpenApi', document }),
  )
  return operations
}

function listOperations({ services, addressOf, baseUrl, now }: CheckoutDependencies): Operation[] {
  const { directory, catalog } = services
  const orders = services.orders.customers
  const limits = createOrderLimits()
  const authenticate = createCustomerAuthenticator({
    orders,
    settings: services.orders,
    directory,
    limits,
    baseUrl,
  })
  const reading = atOrder(authenticate, orders)
  const checkout = createCheckout({ orders, catalog })
  return [
    ...checkoutOperations({ authenticate, orders, checkout, catalog, addressOf }),
    ...customerCatalogOperations(
      asReader(reading),
      createCustomerCatalog({
        answers: services.catalogAnswers,
        isInterrupted: (reader, code) => services.network.stateFor(reader, code).isInterrupted,
        addressOf,
      }),
      ORDER_PATH,
    ).map(forCustomers),
    ...billOperations(asCaller(reading, catalog), services.bills, now).map(billForCustomers),
    ...numberOperations(asAsker(reading, catalog), {
      lookUp: services.numberLookups.lookUpForCustomer,
    }).map(numberForCustomers),
  ]
}

/** Proves a customer as a reader of the catalogue. */
function asReader(authenticate: Authenticate<CustomerAtOrder>): Authenticate<CustomerReader> {
  return async (request) => {
    const authenticated = await authenticate(request)
    const { reseller, read, spend } = authenticated.caller
    return {
      ...authenticated,
      caller: {
        reseller,
        choice: choiceOf(read.order),
        beforeQuestion() {
          requireDraft(read.order)
          spend('questions')
        },
      },
    }
  }
}

const READ_ONLY: ReadonlySet<'read'> = new Set(['read'] as const)

/**
 * Proves a customer as somebody who may ask for bills. A product that the customer may not choose is removed from
 * the question, so that it is refused like one that does not exist.
 */
function asCaller(authenticate: Authenticate<CustomerAtOrder>, catalog: Services['catalog']): Authenticator {
  return () => async (request) => {
    const authenticated = await authenticate(request)
    const { caller, query } = authenticated
    const { reseller, read, spend } = caller
    requireDraft(read.order)
    const product = catalog.snapshotFor(reseller).products.get(String(query.product))
    const isTheirs = product !== undefined && mayChoose(product, choiceOf(read.order))
    if (isTheirs) spend('bills')
    return {
      ...authenticated,
      query: isTheirs ? query : { ...query, product: '' },
      caller: { reseller, kind: 'user', memberId: read.order.code, scopes: READ_ONLY },
    }
  }
}

/** Proves a customer as somebody who may ask about numbers, for the products that the order lets choose. */
function asAsker(authenticate: Authenticate<CustomerAtOrder>, catalog: Services['catalog']): Authenticator {
  return () => async (request) => {
    const authenticated = await authenticate(request)
    const { reseller, read, spend } = authenticated.caller
    requireDraft(read.order)
    spend('questions')
    const sold = [...catalog.snapshotFor(reseller).products.values()]
    const choice = choiceOf(read.order)
    const products = new Set(
      sold.filter((each) => mayChoose(each, choice)).map(({ product }) => product.code),
    )
    return {
      ...authenticated,
      caller: { reseller, kind: 'user', memberId: read.order.code, scopes: READ_ONLY, products },
    }
  }
}

/** Moves the look-up of numbers to the customers' API, whose errors have a code. */
function numberForCustomers(operation: Operation): Operation {
  const { 400: _, ...responses } = operation.schemas.responses
  return forCustomers({
    ...operation,
    schemas: { ...operation.schemas, responses },
    path: `${ORDER_PATH}/number-lookup`,
    docs: {
      ...operation.docs,
      operationId: 'checkoutLookupNumber',
      description:
        'The number may be written in any way. Its operator is a guess by the prefix, or what a supplier has said ' +
        'already; the payments of the shop are not looked at. Counted as a question to a supplier.',
      tag: 'Checkout',
    },
    also: [409],
  })
}

/** Moves the bill presentment of the resellers' API to the customers'. Its answers, 400 included, stay as they are. */
function billForCustomers(operation: Operation): Operation {
  return forCustomers({
    ...operation,
    path: `${ORDER_PATH}/bill`,
    docs: { ...operation.docs, operationId: 'checkoutGetBill', tag: 'Checkout' },
    also: [409],
  })
}

const INFO: OpenApiInfo = {
  title: 'Warung checkout API',
  description:
    "For the pages of a reseller's customers: the token of one order opens that order and nothing else. Every error " +
    'has a code in `error`. A wrong token is 404.',
  security: [{ clientToken: [] }],
  securitySchemes: {
    clientToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The `client_token` of the order, `ct_…`.',
    },
  },
}

/** Builds the document of the API from its operations. */
export function checkoutDocument(
  operations: readonly Operation[],
  server: Pick<OpenApiOptions, 'serverUrl' | 'environment'>,
): OpenApiDocument {
  return buildOpenApi(operations, {
    ...server,
    version: VERSION,
    info: INFO,
    examples: readExamples('checkout'),
  })
}
