import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import type { Edge } from '../edge.ts'
import { createEdge } from '../edge.ts'
import { healthOperations } from '../health.ts'
import { createMetrics } from '../metrics.ts'
import type { Operation } from '../operation.ts'
import { openApiOperation } from './documentation.ts'
import { buildOpenApi } from './openapi.ts'

const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }

const edges: Edge[] = []

afterEach(async () => {
  await Promise.all(edges.splice(0).map((edge) => edge.close()))
})

type Answer = { status: number; headers: Headers; body: string }

async function openEdge() {
  let built = 0
  const operations: Operation[] = healthOperations(async () => [])
  operations.push(
    openApiOperation({
      path: '/openapi.json',
      operationId: 'getOpenApi',
      document: () => {
        built += 1
        return buildOpenApi(operations, {
          version: '1.2.3',
          serverUrl: 'https://api.example.com',
          environment: 'staging',
        })
      },
    }),
  )
  const edge = createEdge({
    operations,
    limiter: { admit: () => ADMITTED, peek: () => ADMITTED },
    trustProxy: [],
    requestTimeoutMs: 5_000,
    requestsMax: 10,
    connectionsMax: 10,
    connectionsPerAddressMax: 10,
    writeStallMs: 60_000,
    wire: 'own',
    exempt: [],
    logger: pino({ level: 'silent' }),
    requestLog: { write() {} },
    metrics: createMetrics(),
  })
  edges.push(edge)
  await edge.listen({ host: '127.0.0.1', port: 0 })
  const { port } = edge.server.address() as AddressInfo
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }
  return { get, documentsBuilt: () => built }
}

describe('the documentation of a running service', () => {
  it('is an OpenAPI document that includes itself', async () => {
    const answer = await (await openEdge()).get('/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const document = JSON.parse(answer.body)
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(['/healthz', '/readyz', '/openapi.json'])
  })

  it.each(['/openapi.json'])('sends %s again only when it has changed', async (path) => {
    const { get } = await openEdge()
    const first = await get(path)
    const etag = String(first.headers.get('etag'))
    expect(first.headers.get('cache-control')).toBe('no-cache')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known })
      expect(again.status).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    }
    const changed = await get(path, { 'if-none-match': '"other"' })
    expect(changed.status).toBe(200)
    expect(changed.body).toBe(first.body)
  })

  it('is made once, and not before someone asks for it', async () => {
    const { get, documentsBuilt } = await openEdge()
    expect(documentsBuilt()).toBe(0)
    for (const path of ['/openapi.json', '/openapi.json']) await get(path)
    expect(documentsBuilt()).toBe(1)
  })
})
