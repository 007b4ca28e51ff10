import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { BALANCE, balanceOf, metricsUrlOf, readMetric } from '../edge.ts'
import { subscriberAt } from '../events/subscriber.ts'
import { send } from '../http.ts'
import type { Payer } from '../payments.ts'
import { createPayer, RELOAD_COST, reload, ringgit } from '../payments.ts'
import { INSTALLED, launch, WARUNGD } from '../process.ts'
import { REACHES_RECEIVER } from '../receiver/receiver.ts'
import { runtimeArgs } from '../runtime.ts'
import type { ServiceProcess } from '../service.ts'
import { connectDatabase, makeDirectory, startService, stopServices, until } from '../service.ts'
import { signRequest } from '../signing.ts'
import type { Collector } from './collector.ts'
import { openCollector } from './collector.ts'
import { isRunning, workersOf } from './process-list.ts'
import { startLoad } from './steady-clients.ts'

const PROCESSES = 2
const UNIT = fileURLToPath(new URL('../../../../deploy/systemd/warung.service', import.meta.url))

/** Directory of the program, which has `bin` and `dist`. */
const PROGRAM_DIR = dirname(dirname(WARUNGD))

let demo: Demo<ServiceProcess>
let payer: Payer
/** Link to the directory of the program, as the handbook has it at /opt/warung. */
let link: string
let collector: Collector

beforeAll(async () => {
  collector = await openCollector()
  link = join(await makeDirectory(), 'warung')
  await symlink(PROGRAM_DIR, link)
  const args = [...runtimeArgs(), join(link, 'bin', basename(WARUNGD)), 'serve']
  // The leases are short, so that the payments of a killed process are claimed again soon.
  const environment = {
    WARUNG_PROCESSES: String(PROCESSES),
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
    WARUNG_LEASE_SECONDS: '2',
    WARUNG_DRAIN_SECONDS: '5',
    ...REACHES_RECEIVER,
    WARUNG_TRACES_URL: collector.tracesUrl,
    WARUNG_TRACES_ONE_IN: '1',
  }
  demo = await startDemo(environment, { launch: { args } })
  payer = await createPayer(demo.service, '1000.00')
})

afterAll(async () => {
  await demo?.end()
  await collector?.close()
})

/** Time that the next version takes to load. Node drops messages to a worker that is still loading. */
const LOADING_MS = 300

/** Makes another version of the program, which leaves a mark when it starts; turns the link to it. */
async function upgrade(): Promise<{ readonly mark: string }> {
  const dir = join(await makeDirectory(), 'next')
  const mark = join(dir, 'started')
  await mkdir(dir)
  for (const name of ['bin', 'dist', 'package.json']) {
    await cp(join(PROGRAM_DIR, name), join(dir, name), { recursive: true })
  }
  const program = join(dir, 'bin', basename(WARUNGD))
  const source = await readFile(program, 'utf8')
  const marking = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'yes')`
  await writeFile(program, `${marking}\nsetTimeout(() => {\n${source}\n}, ${LOADING_MS})\n`)
  await rm(link)
  await symlink(dir, link)
  return { mark }
}

/** Reads the signal that `systemctl reload` sends, from the unit itself. */
async function reloadSignal(): Promise<NodeJS.Signals> {
  const unit = await readFile(UNIT, 'utf8')
  return `SIG${/^ExecReload=\/bin\/kill -(\w+) \$MAINPID$/m.exec(unit)?.[1]}` as NodeJS.Signals
}

describe('several processes on one port', () => {
  it('take one refid from fifty connections as one payment', async () => {
    const body = reload()
    const payments = await Promise.all(Array.from({ length: 50 }, () => payer.pay(body)))
    expect(new Set(payments.map(({ transaction_id }) => transaction_id)).size).toBe(1)
    expect(await payer.balance()).toBe(ringgit(1000 - RELOAD_COST))
  })

  it('take a nonce once between them', async () => {
    const headers = signRequest({ ...demo.service.credentials, method: 'GET' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => demo.service.get(BALANCE, headers)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
  })

  it('count together what each of them answered', async () => {
    await Promise.all(Array.from({ length: 30 }, () => demo.service.get('/healthz')))
    const counted = 'warung_http_requests_total{method="GET",route="/healthz",status="200"}'
    await until('all are counted', async () => (await readMetric(demo.service, counted)) === 30)
  })

  it('show in their sum which request was behind a bucket, and the log names its payment', async () => {
    const body = reload()
    const shopper = await createPayer(demo.service, '100.00')
    const answer = await shopper.send(body)
    const requestId = String(answer.headers['x-request-id'])
    const { origin, pathname } = metricsUrlOf(demo.service)
    const headers = { Accept: 'application/openmetrics-text; version=1.0.0' }
    const text = await until('a bucket names a request', async () => {
      const metrics = await send({ baseUrl: origin, path: pathname, headers })
      expect(metrics.headers['content-type']).toContain('application/openmetrics-text')
      expect(metrics.text.endsWith('# EOF\n')).toBe(true)
      return metrics.text.includes('stage="resolved"') && metrics.text
    })
    const exemplar = String.raw`# \{request_id="[0-9a-f-]{36}"\} \S+ \S+$`
    for (const series of ['route="/v2/topup",outcome="ok"', 'stage="taken",outcome="created"']) {
      expect(text).toMatch(new RegExp(`_bucket\\{le="[^"]+",${series}\\} [1-9]\\d* ${exemplar}`, 'm'))
    }
    const line = await until('the log has the request', async () =>
      demo.service.log().find((each) => each.request_id === requestId),
    )
    const { transaction_id } = answer.json<{ data: { transaction_id: string } }>().data
    expect(line).toMatchObject({
      reseller: shopper.account,
      refid: body.refid,
      payment_id: transaction_id,
      status: 200,
    })
  })

  it('send one trace of a payment, from the request to the provider and the callback', async () => {
    const shopper = subscriberAt(demo.service, await createPayer(demo.service, '100.00'))
    await shopper.setCallback(collector.callbackUrl, 'POST')
    const body = reload()
    const { transaction_id } = await shopper.pay(body)
    const ofPayment = () =>
      collector.spans().filter(({ attributes }) => attributes['warung.payment_id'] === transaction_id)
    const awaited = [/^POST \/v2\/topup$/, /^commit$/, /^provider /, /^payment$/, /^callback$/]
    const spans = await until('every part of the trace is there', async () => {
      const now = ofPayment()
      return awaited.every((name) => now.some((span) => name.test(span.name))) && now
    })
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const root = spans.find(({ name }) => name === 'payment')
    expect(root?.parentSpanId).toBeUndefined()
    expect(spans.find(({ name }) => name === 'callback')?.parentSpanId).toBe(root?.spanId)
    const shown = JSON.stringify(collector.spans())
    expect(shown).toContain(String(body.refid))
    expect(shown).not.toContain(String(body.account))
  })

  it.runIf(process.platform === 'linux')(
    'one that was killed is replaced, and what it took is finished',
    async () => {
      const before = await workersOf(demo.service.pid)
      expect(before).toHaveLength(PROCESSES)
      const bodies = Array.from({ length: 40 }, () => reload())
      const sent = bodies.map((body) => payer.send(body).catch(() => undefined))
      process.kill(Number(before[0]), 'SIGKILL')
      await Promise.all(sent)
      await until('there is another', async () => {
        const now = await workersOf(demo.service.pid)
        return now.length === PROCESSES && !now.includes(Number(before[0]))
      })
      // A client without an answer sends its request again, and has paid once in the end.
      for (const body of bodies) await payer.untilStatus(body, 'Succesful')
      expect(await payer.balance()).toBe(ringgit(1000 - 41 * RELOAD_COST))
    },
  )

  it.runIf(process.platform === 'linux')(
    'are replaced one after the other by the program that the path leads to now, and no client notices',
    async () => {
      const before = await workersOf(demo.service.pid)
      const deposited = 100_000
      const shop = await createPayer(demo.service, String(deposited))
      const { mark } = await upgrade()
      const load = startLoad(shop)
      demo.service.signal(await reloadSignal())
      await until(
        'they are replaced',
        async () => {
          const now = await workersOf(demo.service.pid)
          return now.length === PROCESSES && !now.some((pid) => before.includes(pid)) && isLogged('reloaded')
        },
        180_000,
      )
      await load.end()
      expect(load.noticed).toEqual([])
      expect(await readFile(mark, 'utf8')).toBe('yes')
      for (const body of load.paid) await shop.untilStatus(body, 'Succesful')
      expect(await shop.balance()).toBe(ringgit(deposited - load.paid.length * RELOAD_COST))
    },
  )

  it.runIf(process.platform === 'linux')(
    'stay when those that should replace them do not start',
    async () => {
      const before = await workersOf(demo.service.pid)
      const database = await connectDatabase(demo.service)
      // The next version would bring a step that the database does not have.
      const newest = 'number = (select max(number) from schema_migrations)'
      const { rows } = await database.query(`delete from schema_migrations where ${newest} returning *`)
      demo.service.signal(await reloadSignal())
      await until('it is said', async () => isLogged('not reloaded'))
      await database.query(
        'insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)',
        [JSON.stringify(rows[0])],
      )
      await database.end()
      expect(await workersOf(demo.service.pid)).toEqual(before)
      expect((await demo.service.get('/readyz')).status).toBe(200)
    },
  )
})

function isLogged(text: string): boolean {
  return demo.service.log().some(({ msg }) => String(msg).startsWith(text))
}

it('a port that is taken is named with its setting, and ends all of them', async () => {
  const dataDir = await makeDirectory()
  const { port } = new URL(demo.service.baseUrl)
  const started = launch({ ...demo.service.environment, WARUNG_DATA_DIR: dataDir, WARUNG_PORT: port })
  expect((await started.ended).code).toBe(1)
  expect(started.output()).toContain('Set WARUNG_PORT to another port')
})

it.runIf(process.platform === 'linux')(
  'the embedded database leaves nothing behind when the first process is killed, and the next start has everything',
  async () => {
    const environment = { WARUNG_PROCESSES: '2' }
    const dataDir = await makeDirectory()
    // The service is started from the installed files, and its workers too.
    const first = await startService({ dataDir, environment, launch: { args: [INSTALLED, 'serve'] } })
    const workers = await workersOf(first.pid)
    expect(workers).toHaveLength(2)
    await first.kill9()
    await until(
      'the workers are gone',
      async () => !(await Promise.all(workers.map(isRunning))).includes(true),
    )
    const second = await startService({ dataDir, environment })
    expect((await balanceOf(second, second.credentials)).status).toBe(200)
    const later = await workersOf(second.pid)
    expect(await second.stop()).toBe(0)
    expect(await Promise.all(later.map(isRunning))).toEqual([false, false])
    await stopServices()
  },
)
