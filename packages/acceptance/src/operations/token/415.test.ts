import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { from, newAddress } from '../../clients.ts'
import { expectProblem } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Service } from '../../service.ts'
import { askToken } from '../../tokens.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

it.each([
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=iso-8859-1',
  'application/x-www-form-urlencoded; charset=utf-16',
  'application/jsonx',
  'nonsense',
])('a body of the type %s is refused, on both token operations', async (contentType) => {
  for (const path of ['/v2/token', '/v2/token/refresh']) {
    const headers = { 'Content-Type': contentType, ...from(newAddress()) }
    const body = '{"username":"ana","password":"x","refresh_token":"y"}'
    const answer = await send({ baseUrl: service.baseUrl, method: 'POST', path, headers, body })
    expectProblem(answer, 415)
  }
})

it.each(['Application/JSON', 'application/json;charset="utf-8"', 'application/json ; charset=UTF-8; v=1'])(
  'the type %s is JSON like any other',
  async (contentType) => {
    const [reseller] = service.demo.resellers
    const { username, password } = reseller ?? { username: '', password: '' }
    const headers = { 'Content-Type': contentType, ...from(newAddress()) }
    expect((await askToken(service, { username, password }, headers)).status).toBe(200)
  },
)
