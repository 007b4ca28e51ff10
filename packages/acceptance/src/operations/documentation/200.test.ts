import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders, expectProblem, metricsUrlOf } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Service } from '../../service.ts'
import { stopServices } from '../../service.ts'

type Described = {
  operationId: string
  summary: string
  tags: string[]
  responses: Record<string, { description: string }>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
}

const REPOSITORY = new URL('../../../../../', import.meta.url)

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

afterAll(() => stopServices())

describe('/openapi.json', () => {
  const read = async () => (await service.get('/openapi.json')).json<Document>()

  it('is OpenAPI 3.1, for this service at this address', async () => {
    const answer = await service.get('/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expectEdgeHeaders(answer)
    const document = answer.json<Document>()
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.servers[0]?.url).toBe(service.baseUrl)
  })

  it('lists the operations, each with a name of its own and what it answers', async () => {
    const { paths } = await read()
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/v2/balance', '/v2/token', '/v2/token/refresh', '/healthz', '/readyz']),
    )
    const operations = Object.values(paths).flatMap((item) => Object.values(item))
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operationId, summary, tags, responses } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/)
      expect(summary).toMatch(/\S/)
      expect(tags).toHaveLength(1)
      expect(Object.keys(responses).filter((status) => /^20[04]$/.test(status))).toHaveLength(1)
      for (const response of Object.values(responses)) expect(response.description).toMatch(/\S/)
    }
    expect(Object.keys(paths['/v2/balance']?.get?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '401', '403', '503', '504']),
    )
  })

  it('every operation it lists is there', async () => {
    const { paths } = await read()
    for (const [pattern, item] of Object.entries(paths)) {
      for (const method of Object.keys(item)) {
        const path = pattern.replace(/\{[^}]+\}/g, 'x')
        const answer = await send({ baseUrl: service.baseUrl, path, method: method.toUpperCase() })
        const isNowhere = answer.status === 404 && answer.text.includes('There is nothing at this address')
        const unmatched = answer.status === 405 || isNowhere
        expect(unmatched, `${method} ${path}: ${answer.status}`).toBe(false)
        expect(answer.status).toBeLessThan(500)
      }
    }
  })

  it('every reference in it leads somewhere', async () => {
    const { text } = await service.get('/openapi.json')
    const document = JSON.parse(text) as object
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '')
    expect(references.length).toBeGreaterThan(0)
    for (const target of new Set(references)) {
      expect(target).toMatch(/^#\//)
      const steps = target.slice(2).split('/')
      const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document)
      expect(found, target).toBeTypeOf('object')
    }
  })

  it('is the one in the repository, apart from the address and the mark of what wrote it', async () => {
    const file = await readFile(new URL('docs/openapi.json', REPOSITORY), 'utf8')
    const { 'x-generated': mark, servers: _, ...kept } = JSON.parse(file) as Record<string, unknown>
    expect(mark).toMatch(/openapi/)
    const { servers: __, ...served } = { ...(await read()) }
    expect(served).toEqual(kept)
  })
})

describe('/metrics', () => {
  it('is at an address of its own, and at the public one there is nothing', async () => {
    expectProblem(await service.get('/metrics'), 404)
    const { origin, pathname } = metricsUrlOf(service)
    expect(origin).not.toBe(service.baseUrl)
    const answer = await send({ baseUrl: origin, path: pathname })
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(
      /^warung_http_requests_total\{method="GET",route="\/openapi\.json",status="200"\} \d+$/m,
    )
    for (const path of ['/', '/healthz', '/v2/balance']) {
      expect((await send({ baseUrl: origin, path })).status, path).toBe(404)
    }
  })
})
