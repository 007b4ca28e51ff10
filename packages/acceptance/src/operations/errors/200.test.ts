import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, newRefid } from '../../payments.ts'
import type { Service } from '../../service.ts'

type Row = {
  kind: string
  code: number | null
  token: string | null
  http_status: number
  outcome: string | null
  message: string | null
  cause: string
  remedy: string
  retry: string
  retry_safe: boolean
}

let service: Service
let payer: Payer
let rows: Row[]

beforeAll(async () => {
  service = (await shareDemo()).service
  payer = await createPayer(service, '100')
  rows = (await service.get('/v2/errors')).json<{ data: Row[] }>().data
})

function find(kind: string, token: string): Row | undefined {
  return rows.find((row) => row.kind === kind && row.token === token)
}

describe('GET /v2/errors', () => {
  it('is for anyone, with a cause and a remedy in every row, and is not sent again unchanged', async () => {
    expect(rows.length).toBeGreaterThan(50)
    for (const { cause, remedy } of rows) {
      expect(cause).toMatch(/\S.*\.$/)
      expect(remedy).toMatch(/\S.*\.$/)
    }
    const { headers } = await service.get('/v2/errors')
    const again = await service.get('/v2/errors', { 'If-None-Match': String(headers.etag) })
    expect(again.status).toBe(304)
  })

  it('names a combination of kind, code, token, status and outcome once', () => {
    const keys = rows
      .filter(({ kind }) => kind !== 'replay')
      .map(({ kind, code, token, http_status, outcome }) =>
        [kind, code, token, http_status, outcome].join(' '),
      )
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has the refusal that a request without credentials gets, word for word', async () => {
    const refused = (await service.get('/v2/balance')).json<{ error: string; message: string }>()
    expect(find('authentication', refused.error)).toMatchObject({
      http_status: 401,
      message: refused.message,
    })
  })

  it.each([
    '60123450041',
    '60123450045',
    '60123450049',
    '60123450052',
    '60123450464',
    '60123450056',
    '60123450062',
  ])('has the rejection of test account %s, word for word', async (account) => {
    const answer = await payer.send({ refid: newRefid(), product: 'NOVA', account, amount: 10 })
    const { data, message } = answer.json<{
      data: { statusCode: number; remarks: string }
      message: string
    }>()
    expect(find('payment', data.remarks)).toMatchObject({
      code: data.statusCode,
      http_status: answer.status,
      outcome: 'rejected',
      message,
    })
  })

  it('lets programs repeat by themselves only what cannot do harm', () => {
    const safe = rows.filter(({ retry_safe }) => retry_safe).map(({ retry }) => retry)
    expect([...new Set(safe)].sort()).toEqual(['later', 'not_needed', 'poll'])
    expect(find('payment', 'Temporary_Error_Please_Try_Again')?.retry_safe).toBe(true)
    expect(rows.find(({ kind, http_status }) => kind === 'http' && http_status === 504)?.retry).toBe(
      'ask_first',
    )
    expect(rows.find(({ code, outcome }) => code === 47 && outcome === 'failed')?.retry).toBe('new_refid')
  })
})
