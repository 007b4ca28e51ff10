import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TcpProxy } from '../faults/tcp-proxy.ts'
import { proxyDatabase } from '../faults/tcp-proxy.ts'
import { credentialsOf, signed } from '../http.ts'
import { isRunning, workersOf } from '../nodes/process-list.ts'
import type { PayBody } from '../payments.ts'
import { newRefid, payerAt } from '../payments.ts'
import { launch } from '../process.ts'
import type { Service } from '../service.ts'
import { makeDirectory, until } from '../service.ts'
import type { CrashBench } from './crash.ts'
import { openCrashBench } from './crash.ts'

// A supplier gives a PIN once and cannot be queried again. The database is away while it answers. Then the service is
// stopped, and its successor is killed between the commit and the removal of the file.

const PIN = '7781-0923-4417-6650'

let bench: CrashBench
let line: { readonly proxy: TcpProxy; readonly url: string }
let supplier: Server
const orders: { reference: string; answer: ServerResponse }[] = []
/** Bodies by refid. */
const bodies = new Map<string, PayBody>()

beforeAll(async () => {
  bench = await openCrashBench()
  const { user = '', password, host, port, database = '' } = bench.database
  const secret = encodeURIComponent(String(password))
  const where = encodeURIComponent(host)
  line = await proxyDatabase(`postgres://${user}:${secret}@localhost:${port}/${database}?host=${where}`)
  supplier = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { reference } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { reference: string }
      orders.push({ reference, answer: response })
    })
  })
  await new Promise<void>((resolve) => supplier.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  supplier.closeAllConnections()
  supplier.close()
  await bench.close()
  await line.proxy.close()
})

const SETTINGS = { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8', WARUNG_LEASE_SECONDS: '30' } as const

async function connectSupplier(service: Service): Promise<void> {
  const { port } = supplier.address() as AddressInfo
  const file = join(await makeDirectory(), 'supplier.json')
  const config = {
    base_url: `http://127.0.0.1:${port}`,
    timeouts: { submit_ms: 20_000, query_ms: 1_000 },
    submit: {
      method: 'POST',
      path: '/orders',
      body: { reference: '{{reference}}' },
      response: {
        outcome: { path: 'status', table: { done: { outcome: 'succeeded' } } },
        output: { serial_number: 'serial', pin: 'pin' },
      },
    },
  }
  await writeFile(file, JSON.stringify(config))
  await service.warungd('provider', 'add', '--code', 'once', '--kind', 'http', '--file', file)
  await service.warungd('route', 'set', '--product', 'KITA', '--provider', 'once')
}

/**
 * Pays until the supplier has an order. Payments that the service takes before it knows the supplier go to the
 * simulator.
 */
async function payUntilOrdered(service: Service): Promise<void> {
  await until('the supplier has an order', async () => {
    const body = { refid: newRefid(), product: 'KITA', account: '60123456789', amount: 10 }
    bodies.set(body.refid, body)
    await signed(service.baseUrl, credentialsOf(bench.reseller), {
      method: 'POST',
      path: '/v2/topup',
      json: body,
    })
    return orders.length > 0
  })
  await until('what was taken has been sent', async () => {
    const { rows } = await bench.database.query<{ open: number }>(
      `select count(*)::int as open
         from payment_work w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
        where p.refid = any($1)`,
      [[...bodies.keys()]],
    )
    return rows[0]?.open === orders.length
  })
}

function answerOrders(): void {
  const answer = JSON.stringify({ status: 'done', serial: 'S-1', pin: PIN })
  for (const order of orders) order.answer.setHeader('Content-Type', 'application/json').end(answer)
}

async function getBody({ reference }: { readonly reference: string }): Promise<PayBody | undefined> {
  const id = /^W(\d+)-1$/.exec(reference)?.[1]
  const { rows } = await bench.database.query<{ refid: string }>('select refid from payments where id = $1', [
    id,
  ])
  return bodies.get(String(rows[0]?.refid))
}

it('a PIN that was said once outlives an outage, a stop and a kill -9, and is nowhere in clear', async () => {
  const first = await bench.start({ ...SETTINGS, DATABASE_URL: line.url })
  await connectSupplier(first)
  await payUntilOrdered(first)
  line.proxy.refuse()
  answerOrders()
  await until('the answer is kept', async () =>
    first.output().includes('is kept until the database takes it'),
  )
  expect(await first.stop()).toBe(0)

  const directory = join(first.dataDir, 'outcomes')
  const files = await readdir(directory)
  expect(files).toHaveLength(1)
  const sealed = await readFile(join(directory, String(files[0])))
  expect(sealed.includes(PIN)).toBe(false)
  expect(Buffer.from(sealed.toString('utf8'), 'base64').includes(PIN)).toBe(false)
  expect(first.output()).not.toContain(PIN)

  line.proxy.accept()
  const killed = launch({ ...first.environment, WARUNG_FAILPOINT: 'outcome.committed' })
  expect((await killed.ended).signal).toBe('SIGKILL')
  expect(await readdir(directory)).toEqual(files)

  const last = await bench.start({ ...SETTINGS, DATABASE_URL: line.url })
  await until('the file is done with', async () => (await readdir(directory)).length === 0)
  const payer = payerAt(last, { ...credentialsOf(bench.reseller), account: bench.reseller.account })
  for (const order of orders) {
    expect(await payer.pay((await getBody(order)) ?? {})).toMatchObject({ status: 'Succesful', pin: PIN })
  }
  expect(new Set(orders.map(({ reference }) => reference)).size).toBe(orders.length)
  const { rows } = await bench.database.query(
    `select payment_id from payment_changes where kind = 'state' and code = 20
      group by payment_id having count(*) > 1`,
  )
  expect(rows).toEqual([])
  expect(await last.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  await last.kill9()
})

it.runIf(process.platform === 'linux')(
  'a PIN that was said once is written by a worker whose first process was killed',
  async () => {
    orders.splice(0)
    const service = await bench.start({ ...SETTINGS, WARUNG_PROCESSES: '2' })
    await payUntilOrdered(service)
    const workers = await workersOf(service.pid)
    expect(workers).toHaveLength(2)
    // Its output ends with the workers.
    const killed = service.kill9()
    await until('the first process is gone', async () => !(await isRunning(service.pid)))
    answerOrders()
    await killed
    await until(
      'the workers are gone',
      async () => !(await Promise.all(workers.map(isRunning))).includes(true),
    )
    const { rows } = await bench.database.query<{ refid: string }>(
      'select refid from payments where code = 20',
    )
    const succeeded = new Set(rows.map(({ refid }) => refid))
    for (const order of orders) expect(succeeded).toContain((await getBody(order))?.refid)
  },
)
