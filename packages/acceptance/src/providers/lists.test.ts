import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import type { Payer } from '../payments.ts'
import { createPayer, reload } from '../payments.ts'
import { until } from '../service.ts'
import { addSupplier } from '../suppliers.ts'

// A supplier that takes orders, decides later, and answers a question with every order that it finds by a part of the
// reference. The order of somebody else stands first, and has failed.

type Bought = { ref: string; account: string }

/** Accounts whose order the supplier has twice. */
const TWICE = '60120000002'

let demo: Demo
let payer: Payer
let server: Server
const bought: Bought[] = []

function answer(request: IncomingMessage, body: string, response: ServerResponse): void {
  if (request.method === 'POST') {
    bought.push(JSON.parse(body) as Bought)
    response.end('{"state":"queued"}')
    return
  }
  const searched = new URL(request.url ?? '', 'http://supplier').searchParams.get('search') ?? ''
  const other = { ref: `${searched}0`, state: 'failed' }
  const ours = bought
    .filter(({ ref }) => ref === searched)
    .flatMap(({ account }) => (account === TWICE ? ['failed', 'delivered'] : ['delivered']))
  response.end(JSON.stringify({ data: [other, ...ours.map((state) => ({ ref: searched, state }))] }))
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => answer(request, body, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  demo = await openDemo({ WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
  payer = await createPayer(demo.service, '1000')
  const table = {
    delivered: { outcome: 'succeeded' },
    queued: { outcome: 'pending' },
    failed: { outcome: 'failed', code: 48 },
  }
  await addSupplier(demo.service, {
    code: 'lister',
    secret: 'signs-what-the-supplier-sends',
    config: {
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      submit: {
        method: 'POST',
        path: '/orders',
        body: { ref: '{{reference}}', account: '{{account}}' },
        response: { outcome: { path: 'state', table } },
      },
      query: {
        method: 'GET',
        path: '/orders',
        query: { search: '{{reference}}' },
        response: {
          list: { at: 'data', where: { ref: '{{reference}}' } },
          outcome: { path: 'state', table },
        },
      },
    },
  })
  await demo.service.warungd('route', 'set', '--product', 'KITA', '--provider', 'lister')
  await until('payments go to the supplier', async () => {
    await payer.pay(reload({ product: 'KITA' }))
    return bought.length > 0
  })
})

afterAll(async () => {
  await demo?.end()
  server?.close()
})

it('a payment that was carried out succeeds, although another order of the answer has failed', async () => {
  const body = reload({ product: 'KITA' })
  await payer.untilStatus(body, 'Succesful')
})

it('a payment that the supplier has twice keeps its money and waits, and operators are told', async () => {
  const before = await payer.balance()
  const body = reload({ product: 'KITA', account: TWICE })
  const { transaction_id: id } = await payer.pay(body)
  type Listed = { alerts: { kind: string; subject: string; severity: string }[] }
  const alert = await until('an alert about the answer', async () => {
    const { alerts } = await demo.service.warungd<Listed>('alert', 'list')
    return alerts.find(({ subject }) => subject === `W${id}-1`) ?? false
  })
  expect(alert).toMatchObject({ kind: 'answer_ambiguous', severity: 'critical' })
  expect(await payer.pay(body)).toMatchObject({ status: 'Processing' })
  expect(await payer.balance()).toBeLessThan(before)
})
