import { METHODS } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { BALANCE, expectProblem } from '../../edge.ts'
import { send, signed } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

// Methods without HEAD, which has no body to check, and CONNECT, which has no path.
const WRONG_METHODS = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method))

describe('only GET', () => {
  it.each(WRONG_METHODS)('%s is told so, before anything else is judged', async (method) => {
    const answer = await send({ baseUrl: service.baseUrl, path: `${BALANCE}?a=1`, method })
    expectProblem(answer, 405)
    expect(answer.headers.allow).toBe('GET')
  })

  it('HEAD too', async () => {
    const answer = await send({ baseUrl: service.baseUrl, path: BALANCE, method: 'HEAD' })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET')
    expect(answer.text).toBe('')
  })

  it.each([
    ['JSON', 'application/json', '{"a":1}'],
    ['broken JSON', 'application/json', '{'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1'],
    ['a content type that is none', 'nonsense;;;', 'x'],
    ['an empty content type', '', 'x'],
    ['two content types', 'application/json, text/plain', '{}'],
  ])('every method but GET is refused with %s as body, signed or not', async (_, contentType, body) => {
    const headers = { 'Content-Type': contentType }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'].filter((each) =>
      METHODS.includes(each),
    )) {
      const input = { path: BALANCE, method, headers, body }
      for (const answer of [
        await send({ baseUrl: service.baseUrl, ...input }),
        await signed(service.baseUrl, service.credentials, input),
      ]) {
        expectProblem(answer, 405)
        expect(answer.headers.allow).toBe('GET')
      }
    }
  })
})
