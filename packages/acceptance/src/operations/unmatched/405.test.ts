import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

/** Pages, for which HEAD is answered too, without being in the document. */
const PAGES = ['/healthz', '/readyz', '/openapi.json', '/.well-known/jwks.json']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

describe('a path with another method', () => {
  it('every documented path names exactly the methods it has', async () => {
    const { paths } = (await service.get('/openapi.json')).json<{ paths: Record<string, object> }>()
    expect(Object.keys(paths)).toContain('/v2/balance')
    for (const [pattern, item] of Object.entries(paths)) {
      const path = pattern.replace(/\{[^}]+\}/g, 'x')
      const documented = METHODS.filter((method) => method.toLowerCase() in item)
      const allowed = PAGES.includes(path) ? [...documented, 'HEAD'] : documented
      for (const method of METHODS.filter((each) => !documented.includes(each))) {
        const answer = await send({ baseUrl: service.baseUrl, path, method })
        expectProblem(answer, 405)
        expect(answer.headers.allow, `${method} ${path}`).toBe(allowed.sort().join(', '))
      }
    }
  })

  it.each([
    ['the landing page', '/', 'GET, HEAD'],
    ['health', '/healthz', 'GET, HEAD'],
    ['tokens', '/v2/token', 'POST'],
    ['a query behind the path', '/v2/token?a=/v2/balance', 'POST'],
    ['an absolute address', 'http://elsewhere.example/v2/token', 'POST'],
    ['a letter percent-encoded', '/v2/%74oken', 'POST'],
  ])('%s', async (_, path, allowed) => {
    const answer = await send({ baseUrl: service.baseUrl, path, method: 'DELETE' })
    expectProblem(answer, 405)
    expect(answer.headers.allow).toBe(allowed)
  })
})
