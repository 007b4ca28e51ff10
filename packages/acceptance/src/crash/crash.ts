import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import type { Reader } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { credentialsOf, signed } from '../http.ts'
import { call } from '../portal/people.ts'
import type { Service, ServiceProcess } from '../service.ts'
import { makeDirectory, startService, until } from '../service.ts'
import type { BookLine, Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'
import { getTokens } from '../tokens.ts'
import { expectCompleteFeed } from './feed.ts'

// Helpers of the crash tests: a service that kills itself at a named place while clients pay, its successor, and the
// comparison of the books: the clients' answers, ours, the provider's, and the account's feed.

// The lease is short, so that the successor claims soon. A shorter time for an order ends it on a busy machine.
// A supplier that cannot be reached in time fails the payment: the time is long enough for a busy machine.
const SETTINGS = { WARUNG_SIMULATOR_TIMEOUT_SECONDS: '4', WARUNG_LEASE_SECONDS: '7' } as const

const SUCCEEDS = '60123456789'
export const FAILS = '60123450048'
const DELAYED = '60123451001'
const UNANSWERED = '60123453001'
export const EVERY_KIND = [SUCCEEDS, FAILS, SUCCEEDS, DELAYED, UNANSWERED, SUCCEEDS] as const

type Body = { refid: string; product: string; account: string; amount: number; quote_id?: string }

/** Request to pay as its client knows it. */
type Attempt = { readonly body: Body; readonly cost?: number; readonly answer: PaymentAnswer | undefined }
type PaymentAnswer = { statusCode: number; status: string; transaction_id: string; refid: string }

const CLIENTS = 6
const PAYMENTS_EACH_MAX = 50

export type CrashBench = {
  readonly simulator: Simulator
  readonly reseller: Reader
  /** Token of a member with limits that nobody reaches: what they sell is counted. */
  readonly sellerToken: string
  readonly database: pg.Client
  /** Starts the one installation, with these settings besides its own. */
  start(settings: Record<string, string>): Promise<ServiceProcess>
  /** Starts another node on the same database. */
  startAnother(): Promise<ServiceProcess>
  close(): Promise<void>
}

/** Opens the demo's database, with no service running on it. */
export async function openCrashBench(): Promise<CrashBench> {
  const simulator = await startSimulator()
  const demo = await startDemo({ ...SETTINGS, WARUNG_SIMULATOR_URL: simulator.url })
  const { environment, dataDir } = demo.service
  // Limits that nobody reaches: payments are counted, and the proof of the ledger compares the counts.
  for (const scope of ['account', 'reseller']) {
    const limit = ['--scope', scope, '--period', 'day', '--payments', '1000000']
    await demo.service.warungd('limit', 'set', '--reseller', demo.first.account, ...limit)
  }
  const caps = ['--max-amount', '10', '--daily-cap', '1000000', '--monthly-cap', '1000000']
  const capped = await demo.service.warungd<{ key: string; signing_secret: string }>(
    ...(['key', 'create', '--reseller', demo.first.account, ...caps] as const),
  )
  const { account, username, password } = demo.first
  const whose = ['--reseller', account, '--username', username]
  await demo.service.warungd('member-limit', 'set', ...whose, '--period', 'day', '--payments', '1000000')
  const { IdToken } = await getTokens(demo.service, { username, password })
  await demo.service.kill9()
  const database = new pg.Client({ connectionString: String(environment.DATABASE_URL) })
  await database.connect()
  const kept = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
  return {
    simulator,
    reseller: { ...demo.first, api_key: capped.key, signing_secret: capped.signing_secret },
    sellerToken: IdToken,
    database,
    start: (settings) =>
      startService({ dataDir, environment: { ...(Object.fromEntries(kept) as Environment), ...settings } }),
    async startAnother() {
      const own = { ...(Object.fromEntries(kept) as Environment), WARUNG_DATA_DIR: await makeDirectory() }
      return startService({ dataDir: own.WARUNG_DATA_DIR, environment: own })
    },
    async close() {
      await database.end()
      await demo.end()
    },
  }
}

type Environment = Record<string, string>

/** Kills the service at the failpoint while clients pay, starts another, and compares all books. */
export async function crashAt(
  bench: CrashBench,
  failpoint: string,
  accounts: readonly string[] = EVERY_KIND,
  check: (service: ServiceProcess) => Promise<void> = async () => {},
): Promise<void> {
  const dying = await bench.start({ WARUNG_FAILPOINT: failpoint })
  // A connection ends with its node, so that no client gives up one that is only slow.
  const attempts = await payUntilDead(dying, bench, accounts, (answer) => answer)
  expect((await dying.ended).signal).toBe('SIGKILL')
  await expectAcknowledged(bench, attempts)

  const service = await bench.start({})
  await untilAllFinal(service, bench.reseller, attempts)
  await expectAcknowledged(bench, attempts)
  await expectBooksAgree(bench, attempts)
  await expectCompleteFeed(bench.database, service, bench.reseller)
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  const counted = await bench.database.query('select 1 from payment_counts where payments > 0')
  expect(counted.rows.length).toBeGreaterThan(1)
  await check(service)
  await service.kill9()
}

/** Expects the proof of the ledger to find a count that somebody changed by hand. */
export async function expectDriftFound({ database }: CrashBench, service: ServiceProcess): Promise<void> {
  const shift = (kind: 'key' | 'member', by: number) =>
    database.query(
      `update payment_counts set payments = payments + $1
        where (reseller_id, kind, subject, day, category) = (
          select reseller_id, kind, subject, day, category from payment_counts
           where kind like $2 || '%' and payments > 0 limit 1)`,
      [by, kind],
    )
  for (const kind of ['key', 'member'] as const) {
    expect((await shift(kind, 1)).rowCount).toBe(1)
    await expect(service.warungd('ledger', 'verify')).rejects.toThrow('count')
    await shift(kind, -1)
  }
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
}

/**
 * Freezes a node while clients pay, for longer than its lease and the proof that its orders never arrived. It resumes
 * when another node has ended every payment; all books must agree whatever it does then. `place`: where it stops
 * itself; undefined: it is stopped anywhere, from outside.
 */
export async function freezeAt(bench: CrashBench, place: string | undefined): Promise<void> {
  const frozen = await bench.start(place === undefined ? {} : { WARUNG_FAILPOINT: `${place}:stop` })
  const other = await bench.startAnother()
  const paying = payUntilDead(frozen, bench, EVERY_KIND, inTime)
  if (place === undefined) {
    await until('some were paid', async () => (await bench.simulator.books()).length >= 20)
    frozen.signal('SIGSTOP')
  }
  const attempts = await paying
  await untilAllFinal(other, bench.reseller, attempts)
  frozen.signal('SIGCONT')
  // The node stops when its orders in progress are sent, or are known not to be sent.
  expect(await frozen.stop()).toBe(0)
  await untilAllFinal(other, bench.reseller, attempts)
  await expectAcknowledged(bench, attempts)
  await expectBooksAgree(bench, attempts)
  await expectCompleteFeed(bench.database, other, bench.reseller)
  await expectNothingOpen(bench)
  await other.kill9()
}

/** Expects that no attempt is open and no alert is raised. */
async function expectNothingOpen({ database }: CrashBench): Promise<void> {
  const alerts = await database.query("select kind, text from operator_alerts where kind like '%attempt%'")
  expect(alerts.rows).toEqual([])
  await until('no attempt is open', async () => {
    const { rows } = await database.query('select 1 from payment_open_attempts')
    return rows.length === 0
  })
}

// ── Clients ──

/** Pays with each client until the service does not answer; some request was then cut off in the middle. */
async function payUntilDead(
  service: Service,
  { reseller, sellerToken }: Pick<CrashBench, 'reseller' | 'sellerToken'>,
  accounts: readonly string[],
  waitFor: <T>(answer: Promise<T>) => Promise<T | undefined>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const client = async (index: number) => {
    for (let turn = 0; turn < PAYMENTS_EACH_MAX; turn += 1) {
      const account = accounts[(turn + index) % accounts.length] as string
      const plain = { refid: `crash-${randomBytes(6).toString('hex')}`, product: 'KITA', account, amount: 10 }
      // Each second payment of a client has a quote.
      const wanted =
        (turn + (index >> 1)) % 2 === 0
          ? { body: plain }
          : await waitFor(quote(service, reseller, plain)).catch(() => undefined)
      const { body, ...quoted } = wanted ?? { body: plain }
      // One client is a member of the shop; the others have its key.
      const paid = index === 0 ? sell(service, sellerToken, body) : pay(service, reseller, body)
      const answer = await waitFor(paid).catch(() => undefined)
      attempts.push({ body, ...quoted, answer })
      if (answer === undefined) return
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
  expect(attempts.some(({ answer }) => answer === undefined)).toBe(true)
  return attempts
}

/** Time that a client waits for a frozen node. */
const PATIENCE_MS = 5_000

async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    // The late result is ignored.
    answer.catch(() => {})
  }
}

async function pay(service: Pick<Service, 'baseUrl'>, reseller: Reader, json: Body): Promise<PaymentAnswer> {
  const input = { method: 'POST', path: '/v2/topup', json }
  const answer = await signed(service.baseUrl, credentialsOf(reseller), input)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json<{ data: PaymentAnswer }>().data
}

async function sell(service: Pick<Service, 'baseUrl'>, token: string, body: Body): Promise<PaymentAnswer> {
  const answer = await call(service, 'POST', '/v2/topup', body, { Authorization: `Bearer ${token}` })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json<{ data: PaymentAnswer }>().data
}

/** Asks for a quote, and returns the body that names it with what it will cost. */
async function quote(service: Pick<Service, 'baseUrl'>, reseller: Reader, body: Body) {
  const { refid: _, ...json } = body
  const answer = await signed(service.baseUrl, credentialsOf(reseller), {
    method: 'POST',
    path: '/v2/quotes',
    json,
  })
  const { quote_id, cost } = answer.json<{ data: { quote_id: string; cost: number } }>().data
  return { body: { ...body, quote_id }, cost }
}

/**
 * Repeats every request with the same body, as the contract says, until it is final. A payment whose client got no
 * answer may be new now.
 */
async function untilAllFinal(
  service: Service,
  reseller: Reader,
  attempts: readonly Attempt[],
): Promise<void> {
  const open = new Map(attempts.map(({ body, answer }) => [body.refid, { body, answer }]))
  let isMoved = false
  await until('every payment is final', async () => {
    const answers = await Promise.all(
      [...open.values()].map(async ({ body, answer }) => ({
        answer,
        now: await pay(service, reseller, body),
      })),
    )
    for (const { answer, now } of answers) {
      if (answer !== undefined) expect(now.transaction_id).toBe(answer.transaction_id)
      expect(['Accepted', 'Processing', 'Succesful', 'Failed']).toContain(now.status)
      if (now.status === 'Succesful' || now.status === 'Failed') open.delete(now.refid)
    }
    const areAllAsked = answers.every(({ now }) => now.status !== 'Accepted')
    if (!isMoved && open.size > 0 && areAllAsked) {
      // An order that the provider never received is sent again only when “not found” is a proof.
      await service.warungd('clock', 'advance', '--reseller', reseller.account, '--seconds', '60')
      isMoved = true
    }
    return open.size === 0
  })
}

// ── Books ──

export type PaymentRow = {
  id: string
  refid: string
  account: string
  code: number
  taken: number
  returned: number
}

/** Lists the payments of every crash so far: a settled payment must stay settled. */
export async function listPayments({ database }: Pick<CrashBench, 'database'>): Promise<PaymentRow[]> {
  const { rows } = await database.query<PaymentRow>(
    `select p.id::text, p.refid, p.account, p.code,
            count(*) filter (where t.kind = 'payment' and t.amount = -p.cost)::int as taken,
            count(*) filter (where t.kind = 'refund' and t.amount = p.cost)::int as returned
       from payments p left join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
      where p.refid like 'crash-%' group by p.reseller_id, p.id`,
  )
  return rows
}

/** Lists the payments of the demo: its stuck one is asked about at the same provider. */
async function listOthers({ database }: Pick<CrashBench, 'database'>): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    "select id::text from payments where refid not like 'crash-%'",
  )
  return new Set(rows.map(({ id }) => id))
}

/** Expects every payment that a client got an answer for to be there once. */
async function expectAcknowledged(bench: CrashBench, attempts: readonly Attempt[]): Promise<void> {
  const rows = await listPayments(bench)
  expect(new Set(rows.map(({ refid }) => refid)).size).toBe(rows.length)
  const ids = new Map(rows.map(({ refid, id }) => [refid, id]))
  for (const { body, answer } of attempts) {
    if (answer !== undefined) expect(ids.get(body.refid)).toBe(answer.transaction_id)
  }
  for (const { code, taken, returned } of rows) {
    const isGivenBack = code !== 0 && code !== 1 && code !== 20
    expect({ code, taken, returned }).toEqual({ code, taken: 1, returned: isGivenBack ? 1 : 0 })
  }
}

/** Expects our books and the provider's to agree: it acted once for every payment that succeeded, and for no other. */
async function expectBooksAgree(bench: CrashBench, attempts: readonly Attempt[]): Promise<void> {
  const rows = await listPayments(bench)
  const refids = new Set(rows.map(({ refid }) => refid))
  expect(attempts.filter(({ body }) => !refids.has(body.refid))).toEqual([])
  await expectQuotesPaid(bench, attempts)
  const lines = await bench.simulator.books()
  for (const { reference, times_received } of lines)
    expect({ reference, times_received }).toEqual({ reference, times_received: 1 })
  const others = await listOthers(bench)
  const linesOf = new Map<string, BookLine[]>()
  for (const line of lines) {
    const id = /^W(\d+)-[123]$/.exec(line.reference)?.[1] ?? ''
    if (!others.has(id)) linesOf.set(id, [...(linesOf.get(id) ?? []), line])
  }
  expect([...linesOf.keys()].sort()).toEqual(rows.map(({ id }) => id).sort())
  for (const { id, account, code } of rows) {
    expect({ id, account, code }).toEqual({ id, account, code: account === FAILS ? 48 : 20 })
    const status = account === FAILS ? 'failed' : 'succeeded'
    expect(linesOf.get(id)).toMatchObject([{ account, status }])
  }
  const { rows: odd } = await bench.database.query(
    `select w.reseller_id from wallets w left join transfers t on t.reseller_id = w.reseller_id
      group by w.reseller_id having w.balance <> coalesce(sum(t.amount), 0) or w.sequence <> count(t.sequence)
         or w.sequence <> coalesce(max(t.sequence), 0)`,
  )
  expect(odd).toEqual([])
  const { rows: work } = await bench.database.query(
    `select p.refid from payment_work w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
      where p.refid like 'crash-%'`,
  )
  expect(work).toEqual([])
}

/** Expects each quote to name the one payment that it paid, at its cost. */
async function expectQuotesPaid({ database }: CrashBench, attempts: readonly Attempt[]): Promise<void> {
  const quoted = attempts.filter(({ cost }) => cost !== undefined)
  expect(quoted.length).toBeGreaterThan(0)
  const { rows } = await database.query<{ refid: string; quote_id: string; cost: number }>(
    `select p.refid, q.id::text as quote_id, (p.cost / 10000.0)::float8 as cost
       from quotes q join payments p on p.reseller_id = q.reseller_id and p.id = q.payment_id
      where q.id = any ($1::uuid[])`,
    [quoted.map(({ body }) => body.quote_id)],
  )
  const paid = new Map(rows.map((row) => [row.refid, row]))
  for (const { body, cost } of quoted) {
    expect(paid.get(body.refid)).toEqual({ refid: body.refid, quote_id: body.quote_id, cost })
  }
}
