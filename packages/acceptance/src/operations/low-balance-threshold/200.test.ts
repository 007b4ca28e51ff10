import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectEdgeHeaders } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'
import { EVERY_READING } from '../../signing.ts'

const PATH = '/v2/low-balance-threshold'

let service: Service
let reseller: TestReseller

beforeAll(async () => {
  service = (await shareDemo()).service
  reseller = await createReseller(service)
})

async function get(whose = reseller) {
  const answer = await signed(service.baseUrl, whose, { path: PATH })
  expect(answer.status, answer.text).toBe(200)
  return answer.json()
}

function set(amount: string) {
  return signed(service.baseUrl, reseller, { method: 'POST', path: `${PATH}?amount=${amount}` })
}

describe('POST', () => {
  it('sets the threshold that the signed query names, and says so in the shape of the contract', async () => {
    const answer = await set('150.50')
    expect(answer.status, answer.text).toBe(200)
    expectEdgeHeaders(answer)
    expect(answer.json()).toEqual({
      data: {
        Status: 'Success',
        Email: 'someone@example.com',
        BalanceThreshold: 150.5,
        Note: expect.stringMatching(/^\w.* 150\.50$/),
      },
      '@metadata': {
        status_code: 200,
        last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    })
  })

  it.each(['1', '1.0001', '250000', '1000000000000'])('takes %s', async (amount) => {
    const answer = await set(amount)
    expect(answer.json()).toMatchObject({ data: { BalanceThreshold: Number(amount) } })
    expect(await get()).toMatchObject({ data: { BalanceThreshold: Number(amount) } })
  })

  it('has its query signed in any of the readings, like every other', async () => {
    for (const reading of EVERY_READING) {
      const answer = await signed(service.baseUrl, reseller, {
        method: 'POST',
        path: `${PATH}?amount=20&x=`,
        reading,
      })
      expect(answer.status, answer.text).toBe(200)
    }
  })

  it('does not look at a body', async () => {
    const path = `${PATH}?amount=75`
    const answer = await signed(service.baseUrl, reseller, { method: 'POST', path, body: '{broken' })
    expect(answer.json()).toMatchObject({ data: { BalanceThreshold: 75 } })
  })
})

describe('GET', () => {
  it('has the same record, and writes the time with the day first', async () => {
    const made = (await set('99')).json<{ data: object; '@metadata': { last_updated: string } }>()
    const [date = '', time] = made['@metadata'].last_updated.split(' ')
    expect(await get()).toEqual({
      data: made.data,
      '@metadata': { status_code: 200, last_updated: `${date.split('-').reverse().join('-')} ${time}` },
    })
  })

  it('is 0 and empty where none was set, whatever others have set', async () => {
    expect(await get(await createReseller(service))).toEqual({
      data: { Status: '', Email: 'someone@example.com', BalanceThreshold: 0, Note: '' },
      '@metadata': {
        status_code: 200,
        last_updated: expect.stringMatching(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/),
      },
    })
  })
})
