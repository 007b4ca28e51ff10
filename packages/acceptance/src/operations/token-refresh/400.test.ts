import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { from, newAddress } from '../../clients.ts'
import { expectProblem } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

function post(body: string, contentType: string) {
  const headers = { 'Content-Type': contentType, ...from(newAddress()) }
  const path = '/v2/token/refresh'
  return send({ baseUrl: service.baseUrl, method: 'POST', path, headers, body })
}

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

it.each([
  ['', JSON_TYPE],
  ['{}', JSON_TYPE],
  ['{"refresh_token":""}', JSON_TYPE],
  ['{"refresh_token":null}', JSON_TYPE],
  ['{"refresh_token":5}', JSON_TYPE],
  ['{"RefreshToken":"wrt_x"}', JSON_TYPE],
  [`{"refresh_token":"${'x'.repeat(501)}"}`, JSON_TYPE],
  ['', FORM],
  ['refresh_token=', FORM],
])('a body of %j names the field that is missing', async (body, contentType) => {
  const answer = await post(body, contentType)
  expectProblem(answer, 400, ['refresh_token'])
  expect(answer.headers.deprecation).toMatch(/\S/)
})

it.each([
  ['{"refresh_token":', JSON_TYPE],
  ['["wrt_x"]', JSON_TYPE],
  ['refresh_token=%zz', FORM],
  ['refresh_token=a&refresh_token=b', FORM],
])('a body of %j is refused in the same shape', async (body, contentType) => {
  const answer = await post(body, contentType)
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.json<object>()).sort()).toEqual(['errors', 'message'])
})
