import { readConfig } from '../config.ts'
import type { OpenApiDocument } from '../http/openapi/openapi.ts'
import { asStored } from '../lib/own-addresses.ts'
import { backOfficeDocuments, backOfficeOperations } from './back-office.ts'
import { checkoutApiOperations, checkoutDocument } from './checkout-api.ts'
import { documentedOperations, resellerDocument } from './operations.ts'

/** Placeholder for the services: the documents use only what the operations declare about themselves. */
const ABSENT: unknown = new Proxy(() => undefined, { get: () => ABSENT, apply: () => ABSENT })

const SERVER = { serverUrl: 'https://api.example.com', environment: 'production' } as const

/** Builds the documents that are kept in docs/, by the names of their files. */
export function documents(): Record<string, OpenApiDocument> {
  const operations = backOfficeOperations({
    config: readConfig({}),
    services: ABSENT as never,
    baseUrl: () => SERVER.serverUrl,
  })
  const { operator, portal } = backOfficeDocuments(operations, SERVER)
  const checkout = checkoutApiOperations({
    config: SERVER,
    services: ABSENT as never,
    addressOf: asStored,
    now: () => new Date(0),
    baseUrl: () => SERVER.serverUrl,
  })
  return {
    openapi: resellerDocument(documentedOperations(), SERVER),
    'openapi-operator': operator,
    'openapi-portal': portal,
    'openapi-checkout': checkoutDocument(checkout, SERVER),
  }
}
