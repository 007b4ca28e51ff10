import type { Config } from '../config.ts'
import { openApiOperation } from '../http/documentation.ts'
import type { OpenApiFace } from '../http/openapi.ts'
import { buildOpenApi } from '../http/openapi.ts'
import type { Operation } from '../http/operation.ts'
import { COMPARED_AT_ONCE, createComparisons } from '../modules/finance/compare.service.ts'
import { createDeskApprovals } from '../modules/operator/approvals.service.ts'
import { sessionOperations } from '../modules/sessions/face.routes.ts'
import { VERSION } from '../version.ts'
import { administrationOperations } from './administration.ts'
import { moneyDeskOperations } from './money-desk.ts'
import { memberOperations } from './portal.ts'
import type { Services } from './services.ts'

// The two APIs beside the resellers' own: the operators' (/operator/v1) and the portal's (/portal/v1). Each has a
// document of its own.

export type BackOfficeDependencies = {
  config: Config
  baseUrl: () => string
}

/** Every operation of both. */
export function backOfficeOperations(
  dependencies: BackOfficeDependencies & { services: Services },
): Operation[] {
  const { services } = dependencies
  const sessions = sessionOperations(services)
  const { priceChangeMaxPercent } = dependencies.config
  const approvals = createDeskApprovals({ log: services.audit, priceChangeMaxPercent })
  const comparisonsOf = (who: keyof typeof COMPARED_AT_ONCE) =>
    createComparisons(services.audit.database, COMPARED_AT_ONCE[who])
  return withDocuments(dependencies, {
    operator: [
      ...sessions.operator,
      ...moneyDeskOperations(dependencies.config, services, comparisonsOf('operators'), approvals),
      ...administrationOperations(dependencies.config, services, approvals),
    ].map(notStored),
    portal: [
      ...sessions.portal,
      ...memberOperations(dependencies.config, services, comparisonsOf('members')),
    ].map(notStored),
  })
}

/** What one person may see stays with them: no browser and no proxy keeps it for the next. */
function notStored(operation: Operation): Operation {
  return {
    ...operation,
    async handle(input) {
      const output = await operation.handle(input)
      return { ...output, headers: { ...output.headers, 'Cache-Control': 'no-store' } }
    },
  }
}

const SESSION_NAMES = { operator: 'warung_operator', portal: 'warung_member' } as const

const CSRF_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'X-CSRF-Token',
  description: "The session's `csrf_token`, on every method but GET.",
} as const

const OPERATOR_FACE: OpenApiFace = {
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

const PORTAL_FACE: OpenApiFace = {
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

/** Adds to each API its document. */
export function withDocuments(
  { config, baseUrl }: BackOfficeDependencies,
  apis: { readonly operator: readonly Operation[]; readonly portal: readonly Operation[] },
): Operation[] {
  const documented = (
    path: string,
    operationId: string,
    face: OpenApiFace,
    operations: readonly Operation[],
  ) => {
    const all: Operation[] = [...operations]
    const document = () =>
      buildOpenApi(all, { version: VERSION, serverUrl: baseUrl(), environment: config.environment, face })
    all.push(openApiOperation({ path, operationId, document }))
    return all
  }
  return [
    ...documented('/operator/v1/openapi.json', 'getOperatorOpenApi', OPERATOR_FACE, apis.operator),
    ...documented('/portal/v1/openapi.json', 'getPortalOpenApi', PORTAL_FACE, apis.portal),
  ]
}
