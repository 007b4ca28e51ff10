import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { startDemo } from '../catalog.ts'
import { signed } from '../http.ts'
import type { PayBody, Payer } from '../payments.ts'
import { createPayer } from '../payments.ts'
import type { Service, ServiceProcess } from '../service.ts'
import { makeDirectory, startService, until } from '../service.ts'
import type { Fault, Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'

// Helpers of the fault matrix: a service whose product is fulfilled by a supplier that was connected by configuration
// alone, that supplier with its faults, and the comparison of both sides' books.

const EXAMPLE = new URL('../../../../docs/examples/simulator-connection.json', import.meta.url)
const PROVIDER = 'supplier'
const PRODUCT = 'KITA'
const CALLBACK_SECRET = 'signs-what-the-supplier-sends'

const SETTINGS = {
  WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
  WARUNG_LEASE_SECONDS: '3',
  WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8',
}

/**
 * Accounts that any number of payments may use. Payments that just succeed have one account each, so that a fault finds
 * them.
 */
export const FAILS = '60123450048'
export const DELAYED = '60123451001'

export type Matrix = {
  readonly simulator: Simulator
  readonly service: ServiceProcess
  readonly payer: Payer
  /** Starts the installation's only node, with these settings besides its own. The previous node must have ended. */
  restart(settings: Record<string, string>): Promise<void>
  close(): Promise<void>
  readonly database: pg.Client
  /** Bodies of all payments that were sent, answered or not. */
  readonly asked: PayBody[]
  readonly refids: string
}

export async function openMatrix(): Promise<Matrix> {
  const demo = await startDemo(SETTINGS)
  let { service } = demo
  const { environment, dataDir } = service
  const payer = await createPayer(service, '100000')
  const callbackUrl = `${service.baseUrl}/callbacks/${PROVIDER}`
  const simulator = await startSupplier(callbackUrl)
  const database = new pg.Client({ connectionString: String(environment.DATABASE_URL) })
  await database.connect()
  const kept = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
  const port = new URL(service.baseUrl).port
  const matrix: Matrix = {
    simulator,
    payer,
    database,
    asked: [],
    refids: `matrix-${randomBytes(6).toString('hex')}-`,
    get service() {
      return service
    },
    async restart(settings) {
      service = await startService({
        dataDir,
        // The same port, so that callbacks and clients find the service again.
        environment: { ...(Object.fromEntries(kept) as Settings), WARUNG_PORT: port, ...settings },
      })
    },
    async close() {
      await database.end()
      await demo.end()
    },
  }
  await connect(matrix)
  return matrix
}

type Settings = Record<string, string>

async function startSupplier(callbackUrl: string): Promise<Simulator> {
  const secrets = join(await makeDirectory(), 'secrets.json')
  await writeFile(secrets, JSON.stringify({ callback: CALLBACK_SECRET }))
  return startSimulator({ args: ['--callback-url', callbackUrl, '--secrets', secrets] })
}

export type Supplier = {
  readonly code: string
  readonly product: string
  readonly url: string
  /** Longest time that the supplier may take for an order. */
  readonly submitMs?: number
}

/** Connects a supplier as an operator does. Nodes learn of it a little later. */
export async function connectSupplier(
  service: Service,
  { code, product, url, submitMs = 1_000 }: Supplier,
): Promise<void> {
  const directory = await makeDirectory()
  const write = async (name: string, content: unknown) => {
    const path = join(directory, name)
    await writeFile(path, JSON.stringify(content))
    return path
  }
  const example = JSON.parse(await readFile(EXAMPLE, 'utf8')) as Record<string, unknown>
  const timeouts = { submit_ms: submitMs, query_ms: 1_000 }
  const file = await write('config.json', { ...example, base_url: url, timeouts })
  const secrets = await write('secrets.json', { callback: CALLBACK_SECRET })
  // Every fault of the matrix would open the breaker, which has its own tests.
  const limits = await write('limits.json', { breaker: false })
  const options = ['--code', code, '--kind', 'http', '--file', file]
  await service.warungd('provider', 'add', ...options, '--secrets-file', secrets, '--limits-file', limits)
  await service.warungd('route', 'set', '--product', product, '--provider', code)
}

async function connect(matrix: Matrix): Promise<void> {
  const { simulator, service, payer } = matrix
  await connectSupplier(service, { code: PROVIDER, product: PRODUCT, url: simulator.url })
  await until('payments go to the supplier', async () => {
    await payer.pay({ ...newBody(matrix, newAccount()), refid: `probe-${randomBytes(6).toString('hex')}` })
    return (await simulator.books()).length > 0
  })
}

// ── Payments ──

let accounts = 0

/** Returns an account that succeeds, and that no other payment has. */
export function newAccount(): string {
  accounts += 1
  return `6019${1_000_000 + accounts}`
}

function newBody({ refids }: Pick<Matrix, 'refids'>, account: string): PayBody {
  return { refid: `${refids}${randomBytes(6).toString('hex')}`, product: PRODUCT, account, amount: 10 }
}

/** Payment and the faults that it meets. */
export type Cell = { readonly account: string; readonly faults: readonly Fault[] }

/**
 * Sets every fault, then pays for all cells at once. Payments without an answer are kept too. `forAnyone`: faults of
 * queries about orders that never arrived, whose account the supplier cannot know.
 */
export async function payAll(
  matrix: Matrix,
  cells: readonly Cell[],
  forAnyone: readonly Fault[] = [],
): Promise<void> {
  for (const fault of forAnyone) await matrix.simulator.fault(fault)
  for (const { account, faults } of cells) {
    for (const fault of faults) await matrix.simulator.fault({ ...fault, matching_account: account })
  }
  await Promise.all(
    cells.map(async ({ account }) => {
      const body = newBody(matrix, account)
      matrix.asked.push(body)
      await pay(matrix, body)
    }),
  )
}

const PAYMENTS_MAX = 200

/** Pays one after the other, until the service is dead. */
export async function payUntilDead(matrix: Matrix): Promise<void> {
  for (let turn = 0; turn < PAYMENTS_MAX; turn += 1) {
    const body = newBody(matrix, turn % 2 === 0 ? newAccount() : FAILS)
    matrix.asked.push(body)
    if (!(await pay(matrix, body))) break
  }
  // A service that never reached its failpoint ends by this signal, and then the next expectation fails.
  matrix.service.signal('SIGTERM')
  expect((await matrix.service.ended).signal).toBe('SIGKILL')
}

/** Sends a payment; false: there was no answer. */
async function pay({ service, payer }: Matrix, body: PayBody): Promise<boolean> {
  const input = { method: 'POST', path: '/v2/topup', json: body }
  const answer = await signed(service.baseUrl, payer.credentials, input).catch(() => undefined)
  if (answer !== undefined) expect(answer.status, answer.text).toBe(200)
  return answer !== undefined
}

/** Sends all payments again, as the contract tells clients without an answer. */
export async function payAgain(matrix: Matrix): Promise<void> {
  const answered = await Promise.all(matrix.asked.map((body) => pay(matrix, body)))
  expect(answered).not.toContain(false)
}

/**
 * Waits until every payment is final. An order that the supplier never received is sent again only when “not found” is
 * a proof, so the account's clock is moved, but only after the supplier has done all that it will do by itself.
 */
export async function untilAllFinal(matrix: Matrix, isQuiet: () => Promise<boolean>): Promise<void> {
  await until('every payment was sent once', async () => (await countWith(matrix, [0])) === 0)
  await until('nothing is under way at the supplier', isQuiet)
  await until(
    'every payment is final',
    async () => {
      if ((await countWith(matrix, [0, 1])) === 0) return true
      await matrix.service.warungd('clock', 'advance', '--reseller', matrix.payer.account, '--seconds', '60')
      return false
    },
    60_000,
  )
}

async function countWith({ database, refids }: Matrix, codes: readonly number[]): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int as count from payments where refid like $1 and code = any ($2::int[])',
    [`${refids}%`, codes],
  )
  return rows[0]?.count ?? 0
}

// ── Books ──

type PaymentRow = {
  id: string
  refid: string
  account: string
  code: number
  taken: number
  returned: number
}

/**
 * Expects our books and the supplier's to agree: it acted once for every payment, both have the same outcome, and the
 * money moved accordingly.
 */
export async function expectBooksAgree(matrix: Matrix): Promise<void> {
  const { database, refids, asked, simulator, service } = matrix
  const { rows } = await database.query<PaymentRow>(
    `select p.id::text, p.refid, p.account, p.code,
            count(*) filter (where t.kind = 'payment' and t.amount = -p.cost)::int as taken,
            count(*) filter (where t.kind = 'refund' and t.amount = p.cost)::int as returned
       from payments p left join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
      where p.refid like $1 group by p.reseller_id, p.id`,
    [`${refids}%`],
  )
  expect(rows.map(({ refid }) => refid).sort()).toEqual(asked.map(({ refid }) => refid).sort())
  const lines = await simulator.books()
  const found = rows.map(({ id, account, code, taken, returned }) => ({
    account,
    code,
    taken,
    returned,
    supplier: lines
      .filter(({ reference }) => reference.startsWith(`W${id}-`))
      .map(({ status, amount, times_received }) => ({ status, amount, times_received })),
  }))
  const wanted = rows.map(({ account }) => ({
    account,
    code: account === FAILS ? 48 : 20,
    taken: 1,
    returned: account === FAILS ? 1 : 0,
    supplier: [{ status: account === FAILS ? 'failed' : 'succeeded', amount: '10.00', times_received: 1 }],
  }))
  expect(found).toEqual(wanted)
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
}
