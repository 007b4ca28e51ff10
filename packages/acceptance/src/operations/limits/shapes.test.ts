import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import { balanceOf, createReseller, expectProblem } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { send, signed } from '../../http.ts'
import { openOperations } from '../../listed.ts'
import { TOPUP } from '../../payments.ts'
import { signInMember } from '../../portal/people.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices } from '../../service.ts'

const MIB = 1_048_576
const JSON_TYPE = { 'Content-Type': 'application/json' }

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, environment: TRUST_TEST_PROXY })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

function sendTo({ method, path }: { method: string; path: string }, body: Buffer | string): Promise<Answer> {
  const headers = { ...JSON_TYPE, ...from(newAddress()) }
  return send({ baseUrl: service.baseUrl, method, path, headers, body })
}

describe('an operation that anybody may call', () => {
  it('does not read megabytes of brackets, and parses none of 64 KiB', async () => {
    const taking = await openOperations(service)
    expect(taking.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['createToken', 'refreshToken', 'createOperatorSession', 'createPortalSession']),
    )
    for (const operation of taking) {
      expectProblem(await sendTo(operation, Buffer.alloc(5 * MIB, '[')), 413)
      for (const brackets of ['['.repeat(65_000), '{"a":'.repeat(13_000)]) {
        const answer = await sendTo(operation, brackets)
        expectProblem(answer, 400)
        expect(answer.text, operation.id).toContain('nested more than 64 levels deep')
      }
      const many = await sendTo(operation, `[${'1,'.repeat(20_000)}1]`)
      expect(many.text, operation.id).toContain('more than 10000 values')
    }
  })

  it('does not keep others from being served, however many such bodies come', async () => {
    const brackets = Buffer.alloc(5 * MIB, '[')
    const taking = await openOperations(service)
    const flood = Promise.all(
      Array.from({ length: 3 }, () => taking.map((operation) => sendTo(operation, brackets))).flat(),
    )
    const asked = Array.from({ length: 50 }, () => balanceOf(service, reseller))
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
    expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([413]))
  })
})

describe('a known caller', () => {
  const pay = (body: string) =>
    signed(service.baseUrl, reseller, { method: 'POST', path: TOPUP, headers: JSON_TYPE, body })

  it('has a body of brackets refused unparsed, in the words of a payment', async () => {
    const answer = await pay('['.repeat(5 * MIB))
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      errors: { body: ['The body is nested more than 64 levels deep.'] },
    })
  })

  it('has millions of values refused unparsed', async () => {
    const keys = Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`)
    const answer = await pay(`{${keys.join(',')}}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ errors: { body: ['The body has more than 10000 values.'] } })
  })

  it('may send remarks of megabytes: they are read, and only then judged', async () => {
    const body = {
      refid: 'large',
      product: 'NOVA',
      account: '60123456789',
      amount: 10,
      remarks: '[{"'.repeat(MIB),
    }
    const answer = await pay(JSON.stringify(body))
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.json<{ errors: object }>().errors)).not.toContain('body')
  })

  it('a caller who edits the catalogue may send that operation’s own size, and no more', async () => {
    const member = await signInMember(service)
    const products = Array.from({ length: 2_000 }, (_, index) => ({
      code: `P${index}`,
      name: 'x'.repeat(100),
      enabled: true,
    }))
    const most = await member.send('POST', '/catalogue/preview', { products })
    expect(most.status).toBe(400)
    expect(most.text).toContain('is unknown')
    const more = await member.send('POST', '/catalogue/preview', { products, x: 'x'.repeat(MIB) })
    expectProblem(more, 413)
  })
})
