import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { createReseller } from '../../edge.ts'
import { DOCUMENTS } from '../../listed.ts'
import type { Service } from '../../service.ts'
import { makeDirectory, stopServices } from '../../service.ts'

const run = promisify(execFile)
const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

/** Program of an integrator: a wrapper that signs, and calls that the compiler checks against the document. */
const PROGRAM = `
import { createHash, createHmac, randomBytes } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { components, paths } from './reseller.js'

const { BASE_URL = '', API_KEY = '', SIGNING_SECRET = '', REFID = '', DAY = '' } = process.env

const client = createClient<paths>({ baseUrl: BASE_URL })

client.use({
  async onRequest({ request }) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const nonce = randomBytes(18).toString('base64url')
    const query = new URL(request.url).search.slice(1).split('&').filter((pair) => pair !== '').sort().join('&')
    const hash = createHash('sha256').update(await request.clone().text()).digest('base64')
    const text = ['v1', timestamp, nonce, request.method, query, hash].join(':')
    const signature = createHmac('sha256', Buffer.from(SIGNING_SECRET, 'base64')).update(text).digest('base64')
    request.headers.set('X-Api-Key', API_KEY)
    request.headers.set('X-Timestamp', timestamp)
    request.headers.set('X-Nonce', nonce)
    request.headers.set('X-Signature', 'v1=' + signature)
    return request
  },
})

type Payment = components['schemas']['Payment']
type Event = components['schemas']['Event']

const body: components['schemas']['PaymentRequest'] = {
  refid: REFID,
  product: 'NOVA',
  account: '60123456789',
  amount: 10,
}

async function pay(): Promise<Payment> {
  const { data, error } = await client.POST('/v2/topup', { body })
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data.data
}

/** The compiler knows what each type of event holds. */
function describeEvent(event: Event): string {
  switch (event.type) {
    case 'payment.accepted':
    case 'payment.processing':
    case 'payment.succeeded':
      return event.type + ' ' + event.data.refid
    case 'balance.deducted':
      return event.type + ' ' + event.data.amount
    default:
      return event.type
  }
}

const deadline = Date.now() + 120_000

/** Pauses between two questions, as the documentation asks. */
async function pause(): Promise<void> {
  if (Date.now() > deadline) throw new Error('the payment has no end')
  await new Promise((resume) => setTimeout(resume, 200))
}

const listEvents = () => client.GET('/v2/events', { params: { query: { after: 0, limit: 100 } } })

const paid = await pay()
let status = paid
while (status.status === 'Accepted' || status.status === 'Processing') {
  await pause()
  status = await pay()
}
let events = await listEvents()
// The feed numbers an event shortly after the commit that it is about.
while (!events.data?.data.some(({ type }) => type === 'payment.succeeded')) {
  await pause()
  events = await listEvents()
}
const history = await client.GET('/v2/transactions', { params: { query: { limit: 10, date: DAY } } })
const refused = await client.POST('/v2/topup', { body: { ...body, refid: REFID + '-2', product: 'NO-SUCH' } })

console.log(
  JSON.stringify({
    paid: paid.refid,
    status: status.status,
    history: history.data?.data.map(({ refid, trxid }) => [refid, trxid]),
    transaction: status.transaction_id,
    events: events.data?.data.map(describeEvent),
    refused: [refused.response.status, refused.error !== undefined && 'errors' in refused.error],
  }),
)
`

/** Program in which each line is wrong by the document: the compiler reports it. */
const WRONG = `
import createClient from 'openapi-fetch'
import type { paths } from './reseller.js'
const client = createClient<paths>({ baseUrl: '' })
// @ts-expect-error the refid is required
await client.POST('/v2/topup', { body: { product: 'NOVA', account: '1', amount: 1 } })
// @ts-expect-error limit and date are required
await client.GET('/v2/transactions')
// @ts-expect-error there is no such status
await client.GET('/v2/transactions', { params: { query: { limit: 1, date: '2026-03-01', status: ['DONE'] } } })
// @ts-expect-error product is required
await client.GET('/v2/networkstatus', { params: { query: {} } })
`

const SETTINGS = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    outDir: 'out',
    rootDir: '.',
  },
  files: ['pay.ts', 'wrong.ts', 'reseller.ts', 'operator.ts', 'portal.ts'],
}

let service: Service
let directory: string

/** Generates types as `openapi-typescript` does from the command line. */
async function generate(path: string): Promise<string> {
  const document = (await service.get(path)).json<Record<string, unknown>>()
  return astToString(await openapiTS(document as never))
}

beforeAll(async () => {
  service = (await shareDemo()).service
  directory = await makeDirectory()
  for (const [api, path] of Object.entries(DOCUMENTS)) {
    await writeFile(join(directory, `${api}.ts`), await generate(path))
  }
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(SETTINGS))
  await writeFile(join(directory, 'pay.ts'), PROGRAM)
  await writeFile(join(directory, 'wrong.ts'), WRONG)
  await symlink(MODULES, join(directory, 'node_modules'))
})

afterAll(() => stopServices())

describe('a client generated from the documents', () => {
  it('compiles under strict settings and pays, asks, lists and follows the events', async () => {
    const compiled = await run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '-p', directory], {
      cwd: directory,
    }).catch((error: { stdout: string }) => error)
    expect(compiled.stdout).toBe('')

    const reseller = await createReseller(service)
    await service.warungd('deposit', '--reseller', reseller.account, '--amount', '100', '--remarks', 'bank')
    const { stdout } = await run(process.execPath, [join(directory, 'out', 'pay.js')], {
      env: {
        PATH: process.env.PATH,
        BASE_URL: service.baseUrl,
        API_KEY: reseller.apiKey,
        SIGNING_SECRET: reseller.secretBase64,
        REFID: 'GENERATED-1',
        DAY: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10),
      },
    })
    const said = JSON.parse(stdout) as Record<string, unknown>
    expect(said).toMatchObject({
      paid: 'GENERATED-1',
      status: 'Succesful',
      history: [['GENERATED-1', said.transaction]],
      refused: [400, true],
    })
    expect(said.events).toEqual(
      expect.arrayContaining(['payment.accepted GENERATED-1', 'payment.succeeded GENERATED-1']),
    )
  })
})
