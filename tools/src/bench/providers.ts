import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../../../packages/server/dist/config.js'
import { startBookServer } from '../../../packages/server/dist/modules/providers/books/server.service.js'
import { addConnection } from '../../../packages/server/dist/modules/providers/connections/connections.service.js'
import { setRoute } from '../../../packages/server/dist/modules/providers/connections/routing.service.js'
import { listKinds } from '../../../packages/server/dist/modules/providers/kinds.service.js'
import { getBook, getPack } from '../../../packages/server/dist/modules/providers/packs/library.service.js'
import { settingsAt } from '../../../packages/server/dist/modules/providers/packs/pack.rules.js'
import { writeSettings } from '../../../packages/server/dist/modules/providers/packs/settings.rules.js'
import { createOutbound } from '../../../packages/server/dist/outbound/client.js'
import { namesOfSuppliers } from '../../../packages/server/dist/outbound/purposes.js'
import type { Print, Suite } from './measure.ts'
import { median } from './measure.ts'
import type { PayOrders } from './payers.ts'
import { openWallets, startTogether } from './payers.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'
import type { Credentials } from './signed.ts'

/** Suppliers that are measured: one answers at once, one is asked about its orders. */
const MEASURED = [
  { pack: 'reloadly-airtime', product: 'NOVA' },
  { pack: 'zendit', product: 'KITA' },
]
/** The third supplier, once as it answers and once as it hangs. */
const THIRD = { pack: 'dtone', product: 'BAYU' }
const HANGING = { pack: 'dtone', product: 'LANGIT' }

const ENVIRONMENT = { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' }
const PER_SECOND = 30
const THIRD_PER_SECOND = 60
const CONNECTIONS = 16
const WALLETS = 30
const ROUNDS = 4
const RINGGIT = 10
const FINAL_WITHIN_MS = 60_000
/** Short, so that orders without an answer are asked about within a round. */
const HANGING_TIMEOUT_MS = 3_000
const PROVIDERS_KNOWN_MS = 3_000
const WANTED = 1.25

type Sold = { readonly pack: string; readonly product: string }
type Figures = { p50Ms: number; p99Ms: number; perSecond: number }
type Kind = 'alone' | 'beside one that answers' | typeof HANGS

const HANGS = 'beside one that hangs'

const suite: Suite = {
  name: 'providers',
  summary: 'what a supplier that hangs costs two others, each by its pack and its book of answers',
  async run(print) {
    const { values } = parseArgs({
      args: process.argv.slice(2),
      options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
      allowPositionals: true,
    })
    const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
    const service = await launchService(dataDir, ENVIRONMENT)
    const closings: (() => unknown)[] = []
    try {
      for (const sold of [...MEASURED, THIRD]) closings.push(await connectBook(service, sold))
      closings.push(await connectHanging(service, HANGING))
      await delay(PROVIDERS_KNOWN_MS)
      const wallets = await openWallets(service, WALLETS)
      await compare(print, service, wallets, {
        seconds: Number(values.seconds ?? 15),
        rounds: Number(values.rounds ?? ROUNDS),
      })
    } finally {
      await service.stop()
      for (const close of closings) await close()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}
export default suite

async function connectBook(service: Service, sold: Sold): Promise<() => Promise<void>> {
  const server = await startBookServer({ book: await getBook(sold.pack) })
  await connect(service, sold, server.url)
  return () => server.close()
}

/** Connects a supplier that takes every request and answers none. */
async function connectHanging(service: Service, sold: Sold): Promise<() => void> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const timeouts = { submit_ms: HANGING_TIMEOUT_MS, query_ms: HANGING_TIMEOUT_MS }
  // Without a breaker its orders never end: the worst that it can do to the others.
  await connect(service, sold, `http://127.0.0.1:${port}`, { timeouts }, { breaker: false })
  return () => server.closeAllConnections()
}

async function connect(
  { runtime }: Service,
  { pack: id, product }: Sold,
  origin: string,
  change: object = {},
  limits: object = {},
): Promise<void> {
  const { database, vault } = runtime
  const { manifest, template } = await getPack(id)
  const [scenario] = (await getBook(id)).scenarios
  const config = writeSettings(template, manifest.settings, settingsAt(manifest, origin)) as object
  const { outbound } = readConfig(ENVIRONMENT)
  const kinds = listKinds({
    environment: 'staging',
    database,
    vault,
    outbound: createOutbound({ allow: outbound.allow, names: namesOfSuppliers(outbound.nameServers) }),
    fulfilment: () => 'plain',
    nowMs: Date.now,
    onProblem: () => {},
  })
  const secret = (name: string) => Buffer.from(`secret of ${name}`).toString('base64')
  await addConnection(
    { database, vault, kinds },
    {
      code: codeOf(product),
      kind: 'http',
      name: id,
      config: { ...config, ...change, products: { [product]: scenario?.product } },
      secrets: Object.fromEntries(Object.keys(manifest.secrets).map((name) => [name, secret(name)])),
      limits,
    },
  )
  const usual = { priority: 1, weight: 100, windows: [], isEnabled: true }
  await setRoute(database, { productCode: product, provider: codeOf(product), cost: '90%', ...usual })
}

const codeOf = (product: string) => `bench-${product.toLowerCase()}`

/** Measures the two suppliers in turns, so that a busy neighbour of the machine affects every kind alike. */
async function compare(
  print: Print,
  service: Service,
  wallets: Credentials[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<void> {
  const kinds: Record<Kind, Sold | undefined> = {
    alone: undefined,
    'beside one that answers': THIRD,
    [HANGS]: HANGING,
  }
  const names = Object.keys(kinds) as Kind[]
  const found = new Map(names.map((name) => [name, [] as Figures[][]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figures = await measure(service, wallets, kinds[name], seconds)
      // The first round warms up code and caches.
      if (round > 0) found.get(name)?.push(figures)
    }
    if (round > 0) print(`  round ${round} of ${rounds}`)
  }
  for (const [at, { pack }] of MEASURED.entries()) {
    const of = (name: Kind, key: keyof Figures) =>
      median((found.get(name) ?? []).map((round) => round[at]?.[key] ?? Number.NaN))
    for (const name of names) {
      const [p50, p99] = [of(name, 'p50Ms').toFixed(0), of(name, 'p99Ms').toFixed(0)]
      print(`  ${pack} ${name}: ${of(name, 'perSecond').toFixed(1)} final/s, p50 ${p50} ms, p99 ${p99} ms`)
    }
    for (const beside of names.slice(0, 2)) {
      const ratio = (key: keyof Figures) => (of(HANGS, key) / of(beside, key)).toFixed(2)
      const [p50, p99] = [ratio('p50Ms'), ratio('p99Ms')]
      print(`  ${pack} ${HANGS}, to ${beside}: final/s ${ratio('perSecond')} ×, p50 ${p50} ×, p99 ${p99} ×`)
    }
  }
  print(`  (wanted, to ${names[1]}: final/s at least ${1 / WANTED} ×, p50 and p99 at most ${WANTED} ×)`)
}

async function measure(
  service: Service,
  wallets: Credentials[],
  third: Sold | undefined,
  seconds: number,
): Promise<Figures[]> {
  const { database } = service.runtime
  const { rows } = await database.query<{ at: Date }>('select clock_timestamp() as at')
  const from = rows[0]?.at ?? new Date(Number.NaN)
  const groups = await Promise.all(
    MEASURED.map((sold) => ordersOf(service, wallets, sold, PER_SECOND, seconds)),
  )
  if (third !== undefined) groups.push(await ordersOf(service, wallets, third, THIRD_PER_SECOND, seconds))
  const paid = await startTogether(...groups)
  for (const { failed, example } of paid.slice(0, MEASURED.length)) {
    if (failed > 0) throw new Error(`${failed} payments failed, such as: ${example}`)
  }
  const figures: Figures[] = []
  for (const { product } of MEASURED) figures.push(await readFigures(service, product, from))
  // Orders that nobody answers would be asked about in every later round.
  await database.query(
    `delete from payment_work w using payments p
      where p.reseller_id = w.reseller_id and p.id = w.payment_id and p.product_code = $1`,
    [HANGING.product],
  )
  await delay(HANGING_TIMEOUT_MS)
  return figures
}

async function ordersOf(
  { baseUrl }: Service,
  credentials: Credentials[],
  { pack, product }: Sold,
  perSecond: number,
  seconds: number,
): Promise<PayOrders> {
  const [scenario] = (await getBook(pack)).scenarios
  return {
    url: `${baseUrl}/v2/topup`,
    credentials,
    connections: CONNECTIONS,
    requests: perSecond * seconds,
    perSecond,
    payment: { product, account: scenario?.account ?? '60123456789', amount: RINGGIT },
  }
}

/** Waits until every payment of the product is final, and returns how long they took from the request to the end. */
async function readFigures({ runtime }: Service, product: string, from: Date): Promise<Figures> {
  const endMs = performance.now() + FINAL_WITHIN_MS
  for (;;) {
    const { rows } = await runtime.database.query<{
      open: bigint
      failed: bigint
      p50: number
      p99: number
      per_second: number
    }>(
      `select count(*) filter (where code in (0, 1)) as open, count(*) filter (where code not in (0, 1, 20)) as failed,
              percentile_cont(0.5) within group (order by ms) as p50,
              percentile_cont(0.99) within group (order by ms) as p99,
              (count(*) / extract(epoch from max(changed_at) - min(created_at)))::float8 as per_second
         from (select code, created_at, changed_at, extract(epoch from changed_at - created_at)::float8 * 1000 as ms
                 from payments where product_code = $1 and created_at >= $2) p`,
      [product, from],
    )
    const [found] = rows
    if (found !== undefined && found.open === 0n) {
      if (found.failed > 0n) throw new Error(`${found.failed} payments ended otherwise than by their books`)
      return { p50Ms: found.p50, p99Ms: found.p99, perSecond: found.per_second }
    }
    if (performance.now() > endMs) throw new Error(`${found?.open} payments are not final`)
    await delay(200)
  }
}
