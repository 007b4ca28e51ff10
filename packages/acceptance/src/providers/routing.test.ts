import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import type { PayBody, Payer } from '../payments.ts'
import { createPayer, payerAt } from '../payments.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, startService, until } from '../service.ts'
import type { BookLine, Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'

// Two suppliers for one product, on two nodes: which one gets an order, and which one never does.

const EXAMPLE = new URL('../../../../docs/examples/simulator-connection.json', import.meta.url)
const PRODUCT = 'KITA'
const OTHER_PRODUCT = 'NOVA'
/** Address at which nobody listens. A port that was free a moment ago may be another test's by now. */
const NOBODY = 'http://127.0.0.1:1'

let demo: Demo<ServiceProcess>
let second: ServiceProcess
let payer: Payer
let main: Simulator
let spare: Simulator
let mainPort: number
let database: pg.Client

beforeAll(async () => {
  demo = await startDemo({
    WARUNG_LEASE_SECONDS: '4',
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
    WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8',
  })
  const books = join(await makeDirectory(), 'books.jsonl')
  const [node, ready, first, other] = await Promise.all([
    demo.startAnother(),
    createPayer(demo.service, '100000'),
    startSimulator({ books }),
    startSimulator(),
  ])
  second = node.service
  payer = ready
  main = first
  spare = other
  mainPort = Number(new URL(main.url).port)
  database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
  await Promise.all([connect('main', main.url), connect('spare', spare.url)])
})
afterAll(async () => {
  await database?.end()
  await demo?.end()
})

async function connect(code: string, url: string): Promise<void> {
  const directory = await makeDirectory()
  const secrets = join(directory, 'secrets.json')
  const config = {
    ...JSON.parse(await readFile(EXAMPLE, 'utf8')),
    base_url: url,
    timeouts: { submit_ms: 1_000, query_ms: 1_000 },
    not_found_proves_after_ms: 1_000,
  }
  const file = join(directory, 'config.json')
  await writeFile(file, JSON.stringify(config))
  await writeFile(secrets, JSON.stringify({ callback: 'not used here' }))
  const limits = join(directory, 'limits.json')
  await writeFile(limits, JSON.stringify({ breaker: { back_off_ms: 500, back_off_max_ms: 500 } }))
  const files = ['--file', file, '--secrets-file', secrets, '--limits-file', limits]
  await demo.service.warungd('provider', 'add', '--code', code, '--kind', 'http', ...files)
}

function newBody(product = PRODUCT): PayBody {
  return { refid: `route-${randomBytes(6).toString('hex')}`, product, account: '60123456789', amount: 10 }
}

const linesOf = async (supplier: Simulator, id: string): Promise<BookLine[]> =>
  (await supplier.books()).filter(({ reference }) => reference.startsWith(`W${id}-`))

/** Returns what `warungd payment show` prints, without starting a process for each. */
async function timelineOf(refid: unknown): Promise<string[]> {
  const { rows } = await database.query<{ kind: string; detail: string }>(
    `select c.kind, c.detail from payments p
       join payment_changes c on c.reseller_id = p.reseller_id and c.payment_id = p.id
      where p.refid = $1 order by c.id`,
    [refid],
  )
  return rows.map(({ kind, detail }) => `${kind}: ${detail}`)
}

it('a route is used by every node within seconds, and its priority decides', async () => {
  await demo.service.warungd('route', 'set', '--product', PRODUCT, '--provider', 'spare', '--priority', '2')
  await demo.service.warungd('route', 'set', '--product', PRODUCT, '--provider', 'main', '--priority', '1')
  for (const node of [demo.service, second]) {
    const at = payerAt(node, { account: payer.account, ...payer.credentials })
    await until('orders go to the first supplier', async () => {
      const { transaction_id: id } = await at.untilStatus(newBody(), 'Succesful')
      return (await linesOf(main, id)).length === 1
    })
  }
})

it('an order that the first supplier certainly did not get is done by the second, once, and the timeline says why', async () => {
  await main.kill9()
  const bodies = Array.from({ length: 8 }, () => newBody())
  const paid = await Promise.all(bodies.map((body) => payer.untilStatus(body, 'Succesful')))
  for (const [index, { transaction_id: id }] of paid.entries()) {
    expect(await linesOf(spare, id)).toMatchObject([{ status: 'succeeded', times_received: 1 }])
    const timeline = await timelineOf(bodies[index]?.refid)
    expect(timeline.join('\n')).toMatch(/attempt 2 at spare instead of main|spare: main is interrupted/)
  }
  await until('it is not even tried any more', async () => {
    const late = newBody()
    await payer.untilStatus(late, 'Succesful')
    return (await timelineOf(late.refid)).includes('route: spare: main is interrupted')
  })
})

it('a supplier that is back gets its orders back', async () => {
  main = await startSimulator({ port: mainPort })
  await until('it is tried and found well', async () => {
    const { transaction_id: id } = await payer.untilStatus(newBody(), 'Succesful')
    return (await linesOf(main, id)).length === 1
  })
})

it('an order that the first supplier perhaps got is nobody else’s: it is asked about until it is known', async () => {
  await main.fault({ kind: 'hang', count: 1 })
  const body = newBody()
  const { transaction_id: id } = await payer.untilStatus(body, 'Succesful')
  expect(await linesOf(main, id)).toMatchObject([{ status: 'succeeded', times_received: 1 }])
  expect(await linesOf(spare, id)).toEqual([])
  expect((await timelineOf(body.refid)).join('\n')).not.toContain('attempt 2')
})

it('while every supplier of a product is down, orders are refused with 49 and nothing is created; others go on', async () => {
  await demo.service.warungd('route', 'set', '--product', OTHER_PRODUCT, '--provider', 'main')
  await until('the route is known', async () => {
    const { transaction_id: id } = await payer.untilStatus(newBody(OTHER_PRODUCT), 'Succesful')
    return (await linesOf(main, id)).length === 1
  })
  await main.kill9()
  const refused = await until('the breaker opens', async () => {
    const answer = await payer.send(newBody(OTHER_PRODUCT))
    return answer.status === 400 && answer
  })
  const { data } = refused.json<{ data: Record<string, unknown> }>()
  expect(data).toMatchObject({ statusCode: 49, remarks: 'Temporary_Error_Please_Try_Again' })
  expect(data).not.toHaveProperty('transaction_id')
  await payer.untilStatus(newBody(), 'Succesful')
})

it('a node that dies between writing down the second supplier and sending: it is sent, and once', async () => {
  await connect('gone', NOBODY)
  await demo.service.warungd('route', 'remove', '--product', PRODUCT, '--provider', 'main')
  await demo.service.warungd('route', 'set', '--product', PRODUCT, '--provider', 'gone', '--priority', '1')
  const { environment, dataDir } = second
  await second.kill9()
  const kept = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
  const dying = await startService({
    dataDir,
    environment: {
      ...(Object.fromEntries(kept) as Record<string, string>),
      WARUNG_FAILPOINT: 'attempt.committed',
    },
  })
  const body = newBody()
  // The answer may come before the order is sent, or the process may die first.
  await payerAt(dying, { account: payer.account, ...payer.credentials })
    .send(body)
    .catch(() => undefined)
  expect((await dying.ended).signal).toBe('SIGKILL')
  await until('it is done', async () => (await payer.pay(body)).status === 'Succesful')
  const { transaction_id: id } = await payer.pay(body)
  expect(await linesOf(spare, id)).toMatchObject([{ status: 'succeeded', times_received: 1 }])
  expect((await timelineOf(body.refid)).join('\n')).toContain('attempt 2 at spare instead of gone')
})
