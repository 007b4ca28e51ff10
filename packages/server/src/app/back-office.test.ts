import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { OpenApiDocument } from '../http/openapi/openapi.ts'
import type { OperationInput } from '../http/operation.ts'
import { backOfficeOperations } from './back-office.ts'

/** Placeholder for the services: the test looks only at what the operations declare about themselves. */
const ABSENT: unknown = new Proxy(() => undefined, { get: () => ABSENT, apply: () => ABSENT })

const operations = backOfficeOperations({
  config: readConfig({}),
  services: ABSENT as never,
  baseUrl: () => 'http://localhost:3000',
})

async function read(path: string): Promise<OpenApiDocument> {
  const found = operations.find((each) => each.path === path)
  const input = { request: { headers: {} } } as OperationInput<never, never, never, never>
  const answer = await found?.handle(input)
  return JSON.parse(String(answer?.body))
}

describe.each(['operator', 'portal'])('the %s API', (side) => {
  const own = operations.filter(({ path }) => path.startsWith(`/${side}/v1/`))

  it('has a document of its own with every operation of it, and no other', async () => {
    const { paths } = await read(`/${side}/v1/openapi.json`)
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const wanted = own.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(listed.sort()).toEqual(wanted.sort())
    expect(own.length).toBeGreaterThan(10)
  })

  it('reads no body of a GET, and of a DELETE only where a password is asked for', () => {
    const stray = own.filter(({ method, schemas }) => /GET|DELETE/.test(method) && schemas.body !== undefined)
    const asked = new Set([
      'portalRevokeKey',
      'portalDisallowNetwork',
      'portalDeleteEndpoint',
      'deletePortalPasskey',
      'endPinLocks',
      'deleteOperatorPasskey',
    ])
    expect(stray.map(({ docs }) => docs.operationId).filter((id) => !asked.has(id))).toEqual([])
    expect(stray.every(({ method }) => method === 'DELETE')).toBe(true)
  })
})

it('there are no other APIs among them', () => {
  expect(operations.filter(({ path }) => !/^\/(operator|portal)\/v1\//.test(path))).toEqual([])
})
