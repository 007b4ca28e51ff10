import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Io } from './io.ts'
import { run } from './main.ts'

// A person at the terminal, and a service at the other end of the wire.

const FIELD = { input_mode: 'text', placeholder: '', required: true, validation: {} }
const PRODUCT = {
  code: 'NOVA',
  name: 'Nova\u001b[31m',
  fields: [
    { ...FIELD, id: 'phone', type: 'text', label: 'Mobile number', order: 1, role: 'account' },
    {
      ...FIELD,
      id: 'amount',
      type: 'select',
      label: 'Amount',
      order: 2,
      role: 'pricing',
      data_source: { type: 'reference', endpoint: '/options', params: {} },
    },
  ],
  fulfillment: { account: { from_field: 'phone' }, amount: { from_field: 'amount', path: 'denomination' } },
  min_amount: null,
  max_amount: null,
}
const OPTIONS = Array.from({ length: 30 }, (_, at) => ({
  code: `O${at}`,
  label: `RM ${at}`,
  denomination: at,
}))

/** Answer to the question for the test clock, by which the environment is found out. */
let clockStatus = 200
let paid: unknown[] = []
let baseUrl: string

const service = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const path = incoming.url?.split('?', 1)[0] ?? ''
  if (path === '/v2/topup') paid.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  const answers: Readonly<Record<string, object>> = {
    '/v2/test-clock': { data: { advanced_seconds: 0 } },
    '/v2/catalog': { tree: { groups: [] }, products: { NOVA: PRODUCT } },
    '/v2/options': { items: OPTIONS, meta: { last_page: 1 } },
    '/v2/topup': {
      data: { transaction_id: '7', refid: 'A-1', status: 'Succesful', statusCode: 20, remarks: '' },
    },
  }
  const status = path === '/v2/test-clock' ? clockStatus : 200
  outgoing.writeHead(status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(status === 200 ? answers[path] : { message: 'No.', errors: {} }))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})

afterAll(() => {
  service.closeAllConnections()
  service.close()
})

beforeEach(() => {
  clockStatus = 200
  paid = []
})

/** Runs the command with a person who types these lines. */
async function typing(args: readonly string[], ...lines: readonly string[]) {
  const texts = { out: '', notes: '' }
  const io: Io = {
    env: { WARUNG_BASE_URL: baseUrl, WARUNG_API_KEY: 'k', WARUNG_SIGNING_SECRET: 'c2VjcmV0' },
    input: Readable.from(lines.map((line) => `${line}\n`)),
    isInteractive: true,
    out: (text) => {
      texts.out += text
    },
    note: (text) => {
      texts.notes += text
    },
    signal: new AbortController().signal,
  }
  return { code: await run(args, io), ...texts }
}

describe('pay', () => {
  it('asks for the fields it needs, narrows long lists down, and pays', async () => {
    const ran = await typing(['pay', 'NOVA', '--refid', 'A-1'], '60123456789', 'rm 1', 'O12')
    expect(ran.notes).toMatch(/STAGING[\s\S]*Mobile number: [\s\S]*Amount: 30 options[\s\S]*O12 {2}RM 12/)
    expect(ran.notes).not.toContain('\u001b')
    expect(ran.code).toBe(0)
    expect(paid).toEqual([{ refid: 'A-1', product: 'NOVA', account: '60123456789', amount: 12 }])
  })

  it.each([
    ['in production', 404],
    ['where the environment cannot be found out', 403],
  ])('%s asks once more, and pays nothing without a yes', async (_, status) => {
    clockStatus = status
    const args = ['pay', 'NOVA', '--refid', 'A-1', '-f', 'phone=60123456789', '-f', 'amount=O5']
    const refused = await typing(args, 'no')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.notes).toMatch(/PRODUCTION/)
    expect(paid).toEqual([])
    expect(await typing(args, 'yes')).toMatchObject({ code: 0 })
    expect(await typing([...args, '--yes'])).toMatchObject({ code: 0 })
    expect(paid).toHaveLength(2)
  })
})

describe('trigger', () => {
  it('does nothing in production', async () => {
    clockStatus = 404
    expect(await typing(['trigger', 'payment.failed'])).toMatchObject({ code: 2 })
    expect(paid).toEqual([])
  })
})
