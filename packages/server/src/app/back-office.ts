import type { Config } from '../config.ts'
import { openApiOperation } from '../http/openapi/documentation.ts'
import type { OpenApiDocument, OpenApiInfo, OpenApiOptions } from '../http/openapi/openapi.ts'
import { buildOpenApi } from '../http/openapi/openapi.ts'
import type { Operation } from '../http/operation.ts'
import { COMPARED_AT_ONCE, createComparisons } from '../modules/finance/compare.service.ts'
import { createOperatorApprovals } from '../modules/operator/approvals/service.ts'
import type { DemoAccounts } from '../modules/sessions/people/demo.service.ts'
import { sessionOperations } from '../modules/sessions/routes.ts'
import { byItsClass } from '../modules/sessions/session/writes.service.ts'
import { VERSION } from '../version.ts'
import { administrationOperations } from './administration.ts'
import { readExamples } from './examples.ts'
import { moneyOperations } from './money-operations.ts'
import { memberOperations } from './portal.ts'
import type { Services } from './services.ts'
import { countUnfinished } from './unfinished.ts'

// APIs beside the resellers' own: the operators' (/operator/v1) and the portal's (/portal/v1). Each has a document of
// its own.

export type BackOfficeDependencies = {
  config: Config
  baseUrl: () => string
}

/** Lists every operation of both APIs. */
export function backOfficeOperations(
  dependencies: BackOfficeDependencies & { services: Services; demoAccounts?: DemoAccounts | undefined },
): Operation[] {
  const { services } = dependencies
  const sessions = sessionOperations({
    sessions: services.sessions,
    authenticateOperator: services.authenticateOperator,
    authenticateEnrolling: services.authenticateEnrolling,
    authenticateMember: services.authenticateMember,
    demoAccounts: dependencies.demoAccounts ?? noAccounts,
    trustsProxies: dependencies.config.trustProxy.length > 0,
  })
  const { priceChangeMaxPercent } = dependencies.config
  const approvals = createOperatorApprovals({
    log: services.audit,
    priceChangeMaxPercent,
    sessions: services.sessions,
    supply: { kinds: services.providers.kinds, countUnfinished },
  })
  const comparisonsOf = (who: keyof typeof COMPARED_AT_ONCE) =>
    createComparisons(services.audit.database, COMPARED_AT_ONCE[who])
  const gated = byItsClass(services.sessions)
  return withDocuments(dependencies, {
    operator: [
      ...sessions.operator,
      ...moneyOperations(dependencies.config, services, comparisonsOf('operators'), approvals),
      ...administrationOperations(dependencies.config, services, approvals),
    ].map(gated),
    portal: [
      ...sessions.portal,
      ...memberOperations(
        dependencies.config,
        services,
        approvals,
        comparisonsOf('members'),
        dependencies.baseUrl,
      ),
    ].map(gated),
  })
}

const noAccounts: DemoAccounts = async () => []

const SESSION_NAMES = { operator: 'warung_operator', portal: 'warung_member' } as const

const CSRF_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'X-CSRF-Token',
  description: "The session's `csrf_token`, on every method but GET.",
} as const

const OPERATOR_INFO: OpenApiInfo = {
  title: 'Warung operator API',
  description:
    'The back office: for the people who run the service. Every write takes a `reason` and is in the audit log.',
  security: [{ session: [], csrf: [] }, { operatorToken: [] }],
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_NAMES.operator,
      description: 'Set by signing in; with the prefix `__Host-` where the service is reached by https.',
    },
    csrf: CSRF_SCHEME,
    operatorToken: { type: 'http', scheme: 'bearer', description: 'A token of an operator, `wop_…`.' },
  },
}

const PORTAL_INFO: OpenApiInfo = {
  title: 'Warung portal API',
  description: "For a reseller's members, signed in.",
  security: [{ session: [], csrf: [] }],
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_NAMES.portal,
      description: 'Set by signing in; with the prefix `__Host-` where the service is reached by https.',
    },
    csrf: CSRF_SCHEME,
  },
}

type Server = Pick<OpenApiOptions, 'serverUrl' | 'environment'>

const APIS = {
  operator: { path: '/operator/v1', operationId: 'getOperatorOpenApi', info: OPERATOR_INFO },
  portal: { path: '/portal/v1', operationId: 'getPortalOpenApi', info: PORTAL_INFO },
} as const

type BackOfficeApi = keyof typeof APIS

/** Adds its document to each API. */
export function withDocuments(
  { config, baseUrl }: BackOfficeDependencies,
  apis: Readonly<Record<BackOfficeApi, readonly Operation[]>>,
): Operation[] {
  const documented = (api: BackOfficeApi) => {
    const all: Operation[] = [...apis[api]]
    const server = () => ({ serverUrl: baseUrl(), environment: config.environment })
    const { path, operationId } = APIS[api]
    const document = () => documentOf(api, all, server())
    all.push(openApiOperation({ path: `${path}/openapi.json`, operationId, document }))
    return all
  }
  return [...documented('operator'), ...documented('portal')]
}

/** Builds the documents of both APIs from their operations. */
export function backOfficeDocuments(
  operations: readonly Operation[],
  server: Server,
): Record<BackOfficeApi, OpenApiDocument> {
  const own = (api: BackOfficeApi) => operations.filter(({ path }) => path.startsWith(`${APIS[api].path}/`))
  return {
    operator: documentOf('operator', own('operator'), server),
    portal: documentOf('portal', own('portal'), server),
  }
}

function documentOf(api: BackOfficeApi, operations: readonly Operation[], server: Server): OpenApiDocument {
  const { info } = APIS[api]
  return buildOpenApi(operations, { ...server, version: VERSION, info, examples: readExamples(api) })
}
