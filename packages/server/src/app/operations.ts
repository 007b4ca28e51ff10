import type { Config } from '../config.ts'
import { BODY_BYTES_MAX } from '../http/body.ts'
import type { GroupState } from '../http/health.ts'
import { healthOperations } from '../http/health.ts'
import { openApiOperation } from '../http/openapi/documentation.ts'
import type { OpenApiDocument, OpenApiOptions } from '../http/openapi/openapi.ts'
import { buildOpenApi } from '../http/openapi/openapi.ts'
import type { Operation, Recognize } from '../http/operation.ts'
import { networkToString } from '../lib/addresses.ts'
import { RequestError } from '../lib/errors.ts'
import { keyOperations } from '../modules/auth/keys.routes.ts'
import { jwksOperations } from '../modules/auth/routes.ts'
import type { Authenticator } from '../modules/auth/service.ts'
import { tokenOperations } from '../modules/auth/tokens.routes.ts'
import { billOperations } from '../modules/bills/routes.ts'
import { caseOperations } from '../modules/cases/routes.ts'
import { legacyCatalogOperations } from '../modules/catalog/serve/legacy.routes.ts'
import { pictureOperations } from '../modules/catalog/serve/pictures.routes.ts'
import { catalogOperations } from '../modules/catalog/serve/routes.ts'
import { endpointOperations } from '../modules/events/endpoints/endpoints.routes.ts'
import { callbackUrlOperations } from '../modules/events/endpoints/endpoints-callback.routes.ts'
import { feedOperations } from '../modules/events/feed/feed.routes.ts'
import { logOperations } from '../modules/events/log/log.routes.ts'
import { replayOperations } from '../modules/events/log/replay.routes.ts'
import { testEventOperations } from '../modules/events/log/test-events.routes.ts'
import { networkOperations } from '../modules/network/routes.ts'
import { numberOperations } from '../modules/numbers/routes.ts'
import { orderOperations } from '../modules/orders/api/routes.ts'
import { checkoutSettingsOperations } from '../modules/orders/settings/routes.ts'
import { clockOperations } from '../modules/payments/core/clock.routes.ts'
import { callbackOperations } from '../modules/payments/fulfil/callbacks.routes.ts'
import { limitOperations } from '../modules/payments/limits/routes.ts'
import { quoteOperations } from '../modules/payments/quotes/routes.ts'
import { historyOperations } from '../modules/payments/read/history.routes.ts'
import { paymentOperations } from '../modules/payments/take/routes.ts'
import { receiptOperations, receiptPageOperations } from '../modules/receipts/routes.ts'
import { walletOperations } from '../modules/wallet/balance/routes.ts'
import { thresholdOperations } from '../modules/wallet/balance/thresholds.routes.ts'
import { statementOperations } from '../modules/wallet/statement/statement.routes.ts'
import { VERSION } from '../version.ts'
import { errorOperations } from './errors.ts'
import { EVENT_CONTENTS, WEBHOOKS } from './event-documents.ts'
import { readExamples } from './examples.ts'
import type { Services } from './services.ts'

/** Services that operations need. */
const DOCUMENTED = [
  'tokens',
  'balances',
  'catalogAnswers',
  'network',
  'numberLookups',
  'bills',
  'payments',
  'history',
  'receipts',
  'cases',
  'orders',
  'statements',
  'thresholds',
  'countedKeys',
  'testClocks',
  'endpoints',
  'deliveryLog',
  'replays',
  'testEvents',
  'feed',
] as const

export type OperationDependencies = {
  config: Pick<Config, 'environment' | 'senderAddresses'>
  services: Pick<Services, (typeof DOCUMENTED)[number]>
  now: () => Date
  authenticate: Authenticator
  recognize: Recognize
  problems: () => Promise<string[]>
  /** States of the groups that the service serves beside this one; left out: there are none. */
  others?: (() => Promise<GroupState[]>) | undefined
  baseUrl: () => string
}

/** Limits of signed requests: the contract lets each have a body of 10 MB, whatever the operation does with it. */
const SIGNED_BODIES = { bodyLimits: { bytesMax: BODY_BYTES_MAX } } as const

/** Lists every operation the service answers, in the order the reference shows them. */
export function listOperations(dependencies: OperationDependencies): Operation[] {
  const { services, authenticate } = dependencies
  const signed: Operation[] = [
    ...catalogOperations(authenticate, services.catalogAnswers, dependencies.now),
    ...networkOperations(authenticate, services.network),
    ...numberOperations(authenticate, services.numberLookups),
    ...legacyCatalogOperations(authenticate, services.catalogAnswers, dependencies.baseUrl),
    ...billOperations(authenticate, services.bills, dependencies.now),
    ...paymentOperations({
      authenticate,
      payments: services.payments,
      balances: services.balances,
      now: dependencies.now,
    }),
    ...quoteOperations({
      authenticate,
      payments: services.payments,
      balances: services.balances,
      now: dependencies.now,
    }),
    ...receiptOperations(authenticate, services.receipts, dependencies.baseUrl),
    ...limitOperations(authenticate, services.payments),
    ...historyOperations(authenticate, services.history, dependencies.baseUrl),
    ...caseOperations(authenticate, services.cases),
    ...orderOperations({
      authenticate,
      orders: services.orders,
      environment: dependencies.config.environment,
      baseUrl: dependencies.baseUrl,
    }),
    ...checkoutSettingsOperations(authenticate, services.orders, dependencies.config.environment),
    ...walletOperations(authenticate, services.balances),
    ...statementOperations(authenticate, services.statements, dependencies.baseUrl),
    ...thresholdOperations(authenticate, services.thresholds),
    ...keyOperations(authenticate, services.countedKeys),
    ...callbackUrlOperations({
      authenticate,
      endpoints: services.endpoints,
      now: dependencies.now,
      senderAddresses: dependencies.config.senderAddresses.map(networkToString),
    }),
    ...endpointOperations(authenticate, services.endpoints),
    ...logOperations(authenticate, services.deliveryLog),
    ...replayOperations(authenticate, services.replays),
    ...testEventOperations(authenticate, services.testEvents),
    ...feedOperations(authenticate, services.feed, EVENT_CONTENTS),
    ...(dependencies.config.environment === 'staging'
      ? clockOperations(authenticate, services.testClocks)
      : []),
  ]
  const operations: Operation[] = [
    ...signed.map((operation) => ({ ...operation, ...SIGNED_BODIES, recognize: dependencies.recognize })),
    ...callbackOperations({
      expects: (provider) => services.payments.callbacks.expects(provider),
      receive: (provider, request) => services.payments.callbacks.receive(provider, request),
      answerOf: (provider) => services.payments.callbacks.answerOf(provider),
    }),
    ...pictureOperations(),
    ...tokenOperations(services.tokens),
    ...jwksOperations(() => publishedKeys(services)),
    ...receiptPageOperations(services.receipts, services.catalogAnswers),
    ...healthOperations(dependencies.problems, dependencies.others),
  ]
  const { environment } = dependencies.config
  operations.push(
    ...errorOperations(),
    openApiOperation({
      path: '/openapi.json',
      operationId: 'getOpenApi',
      document: () => resellerDocument(operations, { serverUrl: dependencies.baseUrl(), environment }),
    }),
  )
  return operations
}

/** Lists the keys of tokens, and those of receipts that sign nothing any more. */
async function publishedKeys({ tokens, receipts }: Pick<Services, 'tokens' | 'receipts'>) {
  const { keys } = tokens.jwks()
  const known = new Set(keys.map(({ kid }) => kid))
  return { keys: [...keys, ...(await receipts.keys()).filter(({ kid }) => !known.has(kid))] }
}

export function resellerDocument(
  operations: readonly Operation[],
  server: Pick<OpenApiOptions, 'serverUrl' | 'environment'>,
): OpenApiDocument {
  return buildOpenApi(operations, {
    ...server,
    version: VERSION,
    webhooks: WEBHOOKS,
    examples: readExamples('reseller'),
  })
}

/** Lists the operations without services behind them, for the checked-in OpenAPI document. */
export function documentedOperations(): Operation[] {
  const absent = new Proxy({}, { get: () => undefined }) as never
  const nobody = async () => {
    throw new RequestError({ status: 401, code: 'unauthorized', publicText: 'Documentation only.' })
  }
  return listOperations({
    config: { environment: 'staging', senderAddresses: [] },
    services: Object.fromEntries(DOCUMENTED.map((name) => [name, absent])) as never,
    now: () => new Date(0),
    authenticate: () => nobody,
    recognize: nobody,
    problems: async () => [],
    baseUrl: () => '',
  })
}
