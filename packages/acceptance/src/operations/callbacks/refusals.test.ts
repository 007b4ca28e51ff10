import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Said, Signing, Supplier } from '../../suppliers.ts'
import { connectSupplier, newEventId, SUPPLIER, sendCallback } from '../../suppliers.ts'

let supplier: Supplier

beforeAll(async () => {
  supplier = await connectSupplier()
})

afterAll(() => supplier?.end())

const REFUSED = {
  error: 'unauthorized',
  message: 'The callback was not accepted.',
  metadata: { status_code: 401 },
}

describe('401', () => {
  it.each<[string, Signing]>([
    ['signed with another secret', { secret: 'guessed' }],
    ['signed too long ago', { ageSeconds: 3_600 }],
    ['signed for later', { ageSeconds: -3_600 }],
    ['sent as a query, which the supplier does not do', { method: 'GET' }],
  ])('a callback %s is refused without a reason, and changes nothing', async (_, signing) => {
    const { service, payer } = supplier
    const { body, reference } = await supplier.payUnanswered()
    const said: Said = { id: newEventId(), reference, status: 'failed' }
    if (signing.method === 'GET') {
      const answer = await service.get(`/callbacks/${SUPPLIER}?id=1&reference=${reference}&status=failed`)
      expect([answer.status, answer.json()]).toEqual([401, REFUSED])
    } else {
      const answer = await sendCallback(service, said, signing)
      expect([answer.status, answer.json()]).toEqual([401, REFUSED])
    }
    expect(await payer.pay(body)).toMatchObject({ status: 'Processing' })
    // A forged callback does not use up the id of the true one.
    expect((await sendCallback(service, said)).status).toBe(200)
    expect(await payer.pay(body)).toMatchObject({ status: 'Failed' })
  })

  it('one that is not signed at all is refused, and nothing of it is logged', async () => {
    const { service } = supplier
    const answer = await send({
      baseUrl: service.baseUrl,
      method: 'POST',
      path: `/callbacks/${SUPPLIER}`,
      body: '{"reference":"W1-1","pin":"do-not-log-me"}',
    })
    expect([answer.status, answer.json()]).toEqual([401, REFUSED])
    expect(service.output()).toContain('a callback')
    expect(service.output()).not.toContain('do-not-log-me')
  })
})

describe('404', () => {
  it.each(['nobody', 'simulator', '%00', 'x'.repeat(150)])(
    'the unknown provider %s cannot send callbacks',
    async (provider) => {
      expectProblem(await sendCallback(supplier.service, { reference: 'W1-1' }, { provider }), 404)
    },
  )
})

it.each(['GET', 'HEAD'])('a %s without a query is told nothing, whoever is named', async (method) => {
  for (const provider of [SUPPLIER, 'nobody']) {
    const answer = await send({
      baseUrl: supplier.service.baseUrl,
      method,
      path: `/callbacks/${provider}`,
      body: '',
    })
    expect([answer.status, answer.text]).toEqual([200, method === 'GET' ? '{}' : ''])
  }
})

it('405: another method', async () => {
  const answer = await sendCallback(supplier.service, { reference: 'W1-1' }, { method: 'PUT' })
  expectProblem(answer, 405)
  expect(answer.headers.allow).toBe('GET, HEAD, POST')
})

it('413: a body of more than 256 kB', async () => {
  const large = { reference: 'W1-1', output: { note: 'x'.repeat(256 * 1_024) } }
  expectProblem(await sendCallback(supplier.service, large), 413)
})
