import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { App } from '../../../../packages/server/dist/app.js'
import { openApp } from '../../../../packages/server/dist/app.js'
import { readConfig } from '../../../../packages/server/dist/config.js'
import type { Database } from '../../../../packages/server/dist/db/database.js'
import { prepareDemo } from '../../../../packages/server/dist/demo/seed.js'
import { createReseller } from '../../../../packages/server/dist/modules/accounts/service.js'
import type { Runtime } from '../../../../packages/server/dist/runtime.js'
import { openRuntime } from '../../../../packages/server/dist/runtime.js'
import type { Print, Suite } from '../measure.ts'
import { NEVER_ANSWERED, openKey, SILENT, startPayers } from '../payers.ts'
import { openDiscardingLog } from '../service.ts'
import { measureClaims, measureRemoval } from './deliveries.ts'
import type { Wallet } from './fill.ts'
import { fillPayments, fillPaymentsAtOnce } from './fill.ts'
import { drawGrowth } from './plot.ts'
import { measureReads } from './reads.ts'
import {
  countStatementsFromNextStart,
  openCounts,
  ownCpuSeconds,
  pagesOf,
  resetCounts,
  serverCpuSeconds,
} from './statistics.ts'
import { measureInserts } from './writes.ts'

const PLOTS = fileURLToPath(new URL('../../../../docs/performance/', import.meta.url))
/** Resellers beside which the number of payments grows, and payments beside which the number of resellers grows. */
const RESELLERS = 1_000
const PAYMENTS = 100_000
/** Ten million payments are asked for by name: they take half an hour and ten gigabytes. */
const DEFAULTS = { payments: '10000,1000000', resellers: '10,1000,10000' }
const AT_ONCE_FROM = 2_000_000
const PAYERS_MAX = 1_000
const PAID = 6_000
const PENDING = [1_000, 20_000, 100_000]

type Sizes = { payments: number; resellers: number }
type Row = { name: string; pages: number; us: number }
type Size = { name: string; bytes: number; kind: string }
type Result = { point: Sizes; rows: Row[]; sizes: Size[] }
type Opened = App & { baseUrl: string }

export default {
  name: 'scale',
  summary: 'cost of payments, reads, claims and start-up by the number of payments and of resellers',
  async run(print) {
    const { payments, resellers } = sizesAsked()
    const points = [
      ...payments.map((count) => ({ payments: count, resellers: RESELLERS })),
      ...resellers.map((count) => ({ payments: PAYMENTS, resellers: count })),
    ]
    await mkdir(PLOTS, { recursive: true })
    const results: Result[] = []
    for (const [index, point] of points.entries()) {
      print(`  ${index + 1} of ${points.length}: ${nameOf(point)}`)
      results.push(await measurePoint(print, point))
      // Shown after each size, so that nothing is lost when a large one is cut off.
      if (index < payments.length) await show(print, 'payments', results)
      else await show(print, 'resellers', results.slice(payments.length))
    }
  },
} satisfies Suite

/** Reads `--payments 10000,1000000` and `--resellers 10,1000`. One of them alone leaves the other out. */
function sizesAsked() {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { payments: { type: 'string' }, resellers: { type: 'string' } },
    allowPositionals: true,
  })
  const isAsked = values.payments !== undefined || values.resellers !== undefined
  const read = (name: 'payments' | 'resellers') => {
    const text = values[name] ?? (isAsked ? '' : DEFAULTS[name])
    const sizes = text === '' ? [] : text.split(',').map(Number)
    if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0))
      throw new Error(`--${name} is a list of numbers`)
    return sizes
  }
  return { payments: read('payments'), resellers: read('resellers') }
}

const number = (value: number) => value.toLocaleString('en')
const nameOf = ({ payments, resellers }: Sizes) =>
  `${number(payments)} payments, ${number(resellers)} resellers`

// ── One size ──

async function measurePoint(print: Print, point: Sizes): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  const config = readConfig({
    WARUNG_PORT: '0',
    WARUNG_DATA_DIR: dataDir,
    WARUNG_RATE_EXEMPT: '127.0.0.0/8',
    ...SILENT,
  })
  const first = await openRuntime(config, { purpose: 'serve' })
  await countStatementsFromNextStart(first.database)
  await first.close()
  const runtime = await openRuntime(config, { purpose: 'serve' })
  try {
    await openCounts(runtime.database)
    return await measureOpened(print, runtime, point)
  } finally {
    await runtime.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measureOpened(print: Print, runtime: Runtime, point: Sizes) {
  const { database } = runtime
  let app = await open(runtime)
  const wallets = await openWallets(print, runtime, app, point.resellers)
  if (point.payments < AT_ONCE_FROM) await fillPayments(database, wallets, point.payments, print)
  else {
    await app.close()
    await fillPaymentsAtOnce(database, wallets, point.payments, print)
    app = await open(runtime)
  }
  const rows: Row[] = []
  try {
    print('  payments')
    rows.push(...(await measurePaying(database, app, wallets)))
    print('  removal of an endpoint')
    for (const [index, pending] of PENDING.entries()) {
      const wallet = wallets[index]
      if (wallet === undefined) continue
      const removed = await measureRemoval(runtime, wallet.id, pending)
      rows.push(
        row(`removal of an endpoint, ${number(pending)} pending, each`, removed.pagesEach, removed.cpuUsEach),
      )
    }
  } finally {
    await app.close()
  }
  const [first] = wallets
  if (first === undefined) throw new Error('there is no reseller')
  print('  rows')
  for (const { name, pages, fetched } of await measureInserts(runtime, wallets)) {
    rows.push(row(name, pages, 0), row(`${name}: fetched`, fetched, 0))
  }
  print('  reads')
  for (const { name, pages, ms } of await measureReads(runtime, first.id, point.payments / point.resellers))
    rows.push(row(name, pages, ms * 1_000))
  for (const { name, pages, ms } of await measureClaims(runtime)) rows.push(row(name, pages, ms * 1_000))
  print('  start-up')
  const started = await measureStart(runtime, wallets)
  app = started.app
  rows.push(...started.rows)
  await app.close()
  return { point, rows, sizes: await sizesOf(database) }
}

const row = (name: string, pages: number, us: number) => ({ name, pages, us })

async function open(runtime: Runtime): Promise<Opened> {
  const app = await openApp(runtime, openDiscardingLog())
  const baseUrl = await app.listen()
  await prepareDemo(runtime, { baseUrl, dashboardUrl: `${baseUrl}/` })
  await app.markReady()
  return { ...app, baseUrl }
}

/** Opens wallets without entries, which can still get past entries. Only those that will pay get keys. */
async function openWallets(print: Print, { database, vault }: Runtime, app: App, count: number) {
  const accounts = { database, vault, environment: 'staging' as const }
  const wallets: Wallet[] = []
  for (let index = 0; index < count; index += 1) {
    const wanted = { name: `Filled ${index}`, email: 'bench@warung.example', priceLevel: 'STANDARD' }
    const reseller = await createReseller(accounts, wanted)
    const credentials = index < PAYERS_MAX ? await openKey(accounts, reseller.id, ['read', 'pay']) : undefined
    wallets.push({ id: reseller.id, credentials })
    if ((index + 1) % 2_500 === 0) print(`  ${number(index + 1)} of ${number(count)} resellers`)
  }
  await app.markReady()
  return wallets
}

async function measurePaying(database: Database, app: Opened, wallets: Wallet[]) {
  const orders = {
    url: `${app.baseUrl}/v2/topup`,
    credentials: wallets.flatMap(({ credentials }) => credentials ?? []),
    connections: 64,
    payment: NEVER_ANSWERED,
  }
  const pay = async (requests: number) => {
    const { failed, example } = await startPayers({ ...orders, requests })
    if (failed > 0) throw new Error(`${failed} payments failed, such as: ${example}`)
  }
  // The first payments warm up code and caches.
  await pay(PAID / 3)
  await resetCounts(database)
  const before = { own: ownCpuSeconds(), server: await serverCpuSeconds(database) }
  await pay(PAID)
  const own = ownCpuSeconds() - before.own
  const server = (await serverCpuSeconds(database)) - before.server
  const taken = await pagesOf(database, 'take_payments')
  await database.query('delete from payment_work')
  return [
    row('a payment, database', taken.pages / PAID, (server / PAID) * 1_000_000),
    row('a payment, pages that were not in memory', taken.from_disk / PAID, 0),
    row('a payment, service', 0, (own / PAID) * 1_000_000),
    row('a payment, bytes of the write-ahead log', taken.wal_bytes / PAID, 0),
  ]
}

async function measureStart(runtime: Runtime, wallets: Wallet[]) {
  const { database } = runtime
  await resetCounts(database)
  const before = ownCpuSeconds() + (await serverCpuSeconds(database))
  const app = await open(runtime)
  const cpu = ownCpuSeconds() + (await serverCpuSeconds(database)) - before
  const { pages } = await pagesOf(database, '')
  const catalogBefore = ownCpuSeconds()
  const readers = wallets.map(({ id }) => ({ id, priceLevel: 'STANDARD' }))
  for (const reader of readers) app.catalog.snapshotFor(reader)
  const catalog = ownCpuSeconds() - catalogBefore
  return {
    app,
    rows: [
      row('start-up', pages, cpu * 1_000_000),
      row('catalogue of every reseller, all of them', 0, catalog * 1_000_000),
    ],
  }
}

/** Lists the tables and indexes that grow with payments. */
async function sizesOf(database: Database) {
  const { rows } = await database.query<Size>(
    `select c.relname as name, pg_relation_size(c.oid)::float8 as bytes, c.relkind as kind
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and pg_relation_size(c.oid) > 0
        and (c.relname like 'payments%' or c.relname like 'transfer%' or c.relname like 'payment_rollup%')
      order by 2 desc`,
  )
  return rows
}

// ── Tables and plots ──

async function show(print: Print, axis: 'payments' | 'resellers', results: Result[]) {
  print(`\n  by ${axis}: pages touched (8 kB), then microseconds`)
  const heads = results.map(({ point }) => number(point[axis]).padStart(22)).join('')
  print(`  ${''.padEnd(56)}${heads}`)
  for (const { name } of results[0]?.rows ?? []) {
    const cells = results.map((result) => cell(result.rows.find((each) => each.name === name)))
    print(`  ${name.padEnd(56)}${cells.join('')}`)
  }
  if (axis === 'payments') showSizes(print, results)
  for (const [file, title, names] of PLOTTED) {
    const lines = names.map((name) => ({
      name,
      points: results.map(({ point, rows }) => ({
        x: point[axis],
        y: rows.find((each) => each.name === name)?.pages ?? 0,
      })),
    }))
    const path = join(PLOTS, `${file}-by-${axis}.svg`)
    await writeFile(
      path,
      drawGrowth({ title: `${title}, by ${axis}`, xLabel: axis, yLabel: 'pages of 8 kB', lines }),
    )
    print(`  plot: docs/performance/${file}-by-${axis}.svg`)
  }
}

function cell(found: Row | undefined) {
  const { pages, us } = found ?? { pages: 0, us: 0 }
  return `${pages.toFixed(pages < 100 ? 1 : 0)} p ${us.toFixed(0)} us`.padStart(22)
}

function showSizes(print: Print, results: Result[]) {
  print('\n  megabytes of tables (r) and indexes (i)')
  for (const { name, kind } of results.at(-1)?.sizes.slice(0, 16) ?? []) {
    const cells = results.map(({ sizes }) => {
      const found = sizes.find((each) => each.name === name)
      return ((found?.bytes ?? 0) / 1_048_576).toFixed(1).padStart(22)
    })
    print(`  ${kind} ${name.padEnd(54)}${cells.join('')}`)
  }
}

const PLOTTED: [file: string, title: string, names: string[]][] = [
  [
    'work',
    'A payment and a claim',
    ['a payment, database', 'claim while all lanes are held', 'look for due work in all held lanes'],
  ],
  [
    'reads',
    'Reads',
    [
      'history of a year, first page',
      'history of a year, page in the middle',
      'portal, page after a cursor',
      'statement of a year, first page',
      'operator, by refid of any reseller',
      'operator, failed ones',
      'operator, by serial number',
    ],
  ],
]
