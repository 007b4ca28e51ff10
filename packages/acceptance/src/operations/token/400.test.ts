import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { from, newAddress } from '../../clients.ts'
import { expectProblem } from '../../edge.ts'
import type { SendBody } from '../../http.ts'
import { send } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

function post(body: SendBody, contentType = 'application/json') {
  const headers = { 'Content-Type': contentType, ...from(newAddress()) }
  return send({ baseUrl: service.baseUrl, method: 'POST', path: '/v2/token', headers, body })
}

const FORM = 'application/x-www-form-urlencoded'

describe('POST /v2/token without what it needs names each missing field', () => {
  it.each<[body: string, fields: string[]]>([
    ['', ['username', 'password']],
    ['{}', ['username', 'password']],
    ['{"username":"ana"}', ['password']],
    ['{"password":"secret"}', ['username']],
    ['{"username":"","password":""}', ['username', 'password']],
    ['{"username":null,"password":null}', ['username', 'password']],
    ['{"username":7,"password":["a"]}', ['username', 'password']],
    ['{"username":{"toString":"x"},"password":true}', ['username', 'password']],
    ['{"Username":"ana","Password":"secret"}', ['username', 'password']],
    ['{"__proto__":{"username":"ana","password":"x"}}', ['username', 'password']],
  ])('JSON %s', async (body, fields) => {
    expectProblem(await post(body), 400, fields)
  })

  it.each<[body: string, fields: string[]]>([
    ['', ['username', 'password']],
    ['username=ana', ['password']],
    ['username=ana&password=', ['password']],
    ['username=&password', ['username', 'password']],
    ['user%6eame=ana', ['password']],
  ])('form %s', async (body, fields) => {
    expectProblem(await post(body, FORM), 400, fields)
  })

  it('a field that is too long is named as well', async () => {
    const body = { username: 'a'.repeat(201), password: 'b'.repeat(1_001) }
    expectProblem(await post(JSON.stringify(body)), 400, ['username', 'password'])
    expectProblem(await post(new URLSearchParams(body).toString(), FORM), 400, ['username', 'password'])
  })

  it('the message contains the name of the field', async () => {
    const { errors } = (await post('{}')).json<{ errors: Record<string, string[]> }>()
    expect(errors.username?.[0]).toContain('username')
    expect(errors.password?.[0]).toContain('password')
  })
})

describe('POST /v2/token with a body that cannot be read', () => {
  it.each<[what: string, body: SendBody, contentType: string]>([
    ['half a document', '{"username":"ana"', 'application/json'],
    ['no object', '"ana"', 'application/json'],
    ['a list', '[{"username":"ana","password":"x"}]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a form that calls itself JSON', 'username=ana&password=x', 'application/json'],
    ['bytes that are no UTF-8', Buffer.from('7b22757365726e616d65223a22ff227d', 'hex'), 'application/json'],
    ['a percent sign that escapes nothing', 'username=ana&password=%zz', FORM],
    ['escapes that are no UTF-8', 'username=ana&password=%ff', FORM],
    ['a field twice', 'username=ana&username=eve&password=x', FORM],
  ])('%s is refused in the same shape', async (_what, body, contentType) => {
    const answer = await post(body, contentType)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.json<object>()).sort()).toEqual(['errors', 'message'])
  })
})
