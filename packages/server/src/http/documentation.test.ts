import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { documentationOperations } from './documentation.ts'
import { createEdge } from './edge.ts'
import { healthOperations } from './health.ts'
import { createMetrics } from './metrics.ts'
import { buildOpenApi } from './openapi.ts'
import type { Operation } from './operation.ts'
import { PAGE_POLICY } from './reference/style.ts'

const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }

function openEdge(): { edge: FastifyInstance; documentsBuilt: () => number } {
  let built = 0
  const operations: Operation[] = healthOperations(async () => [])
  operations.push(
    ...documentationOperations({
      environment: 'staging',
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
    limiter: { admit: () => ADMITTED, look: () => ADMITTED },
    trustProxy: [],
    requestTimeoutMs: 5_000,
    requestsMax: 10,
    connectionsMax: 10,
    logger: pino({ level: 'silent' }) as FastifyBaseLogger,
    requestLog: { write() {} },
    metrics: createMetrics(),
  })
  return { edge, documentsBuilt: () => built }
}

describe('the documentation of a running service', () => {
  it('is an OpenAPI document that includes itself, but not the landing page', async () => {
    const answer = await openEdge().edge.inject('/openapi.json')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const document = answer.json()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(['/healthz', '/readyz', '/openapi.json', '/reference'])
  })

  it.each(['/', '/reference'])('has a page at %s that may run and load nothing', async (path) => {
    const answer = await openEdge().edge.inject(path)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toBe(PAGE_POLICY)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.body).toMatch(/^<!doctype html>/)
    expect(answer.body).not.toContain('<script')
  })

  it('says on its first page which environment this is, and links only to what is there', async () => {
    const { edge } = openEdge()
    const { body } = await edge.inject('/')
    expect(body).toContain('<strong>staging</strong>')
    const links = [...body.matchAll(/<a href="(\/[^"]*)"/g)].map((match) => String(match[1]))
    expect(links).toEqual(['/reference', '/openapi.json', '/healthz'])
    for (const link of links) expect((await edge.inject(link)).statusCode).toBe(200)
  })

  it.each(['/', '/reference', '/openapi.json'])('sends %s again only when it has changed', async (path) => {
    const { edge } = openEdge()
    const first = await edge.inject(path)
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('no-cache')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await edge.inject({ url: path, headers: { 'if-none-match': known } })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers.etag).toBe(etag)
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
    }
    const changed = await edge.inject({ url: path, headers: { 'if-none-match': '"other"' } })
    expect(changed.statusCode).toBe(200)
    expect(changed.body).toBe(first.body)
  })

  it('is made once, and not before someone asks for it', async () => {
    const { edge, documentsBuilt } = openEdge()
    await edge.ready()
    expect(documentsBuilt()).toBe(0)
    for (const path of ['/', '/reference', '/openapi.json', '/']) await edge.inject(path)
    expect(documentsBuilt()).toBe(1)
  })
})
