import { execFile } from 'node:child_process'
import { get } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceProcess, TestDatabase } from '../service.ts'
import { createDatabase, startService, stopServices, until } from '../service.ts'
import type { Shop } from './members.ts'
import { openShop } from './members.ts'

const run = promisify(execFile)

const ROWS = 200_000
/** Limit of memory for a page, its pieces in transit and a slow garbage collector. All rows would take far more. */
const GROWTH_MAX_MIB = 150

let service: ServiceProcess
let database: TestDatabase
let shop: Shop

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
  shop = await openShop(service, null)
  await insertPayments()
}, 600_000)

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Inserts payments of yesterday and before, as the intake would have written them. No money is moved. */
async function insertPayments(): Promise<void> {
  await database.query(
    `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                           balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
     select r.id, ((extract(epoch from at.at) * 1000)::bigint << 20) + n, 'export-' || n, 'NOVA', 'Nova reload',
            '60123456789', 100000, 100000, 97000, 0, 20, 'from the till', '192.0.2.7', '42', 'sim', at.at, at.at
       from generate_series(1, $2::integer) n
      cross join lateral (select now() - interval '1 day' - n * interval '1 second' as at) at
      cross join resellers r where r.account = $1`,
    [shop.payer.account, ROWS],
  )
}

async function residentMib(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1_024
}

type Read = { lines: number; bytes: number; growthMib: number; isOrdered: boolean }

/** Reads the file while it arrives, keeps nothing of it, and measures the service's memory meanwhile. */
async function readExport(path: string): Promise<Read> {
  const before = await residentMib(service.pid)
  const seen = { lines: 0, bytes: 0, growthMib: 0, isOrdered: true }
  const headers = { Cookie: `warung_member=${shop.viewer.secret}` }
  const answer = await new Promise<AsyncIterable<Buffer>>((resolve, reject) =>
    get(`${service.baseUrl}${path}`, { headers }, resolve).on('error', reject),
  )
  let [tail, last, pieces] = ['', '', 0]
  for await (const piece of answer) {
    const lines = (tail + piece.toString()).split('\r\n')
    tail = lines.pop() ?? ''
    for (const line of lines) {
      const id = line.slice(0, line.indexOf(','))
      if (seen.lines > 1 && BigInt(id) >= BigInt(last)) seen.isOrdered = false
      last = id
      seen.lines += 1
    }
    seen.bytes += piece.length
    pieces += 1
    if (pieces % 100 === 0) {
      seen.growthMib = Math.max(seen.growthMib, (await residentMib(service.pid)) - before)
    }
  }
  return seen
}

/** Requests a file, reads its beginning and disconnects. */
async function beginAndLeave(): Promise<number> {
  const headers = { Cookie: `warung_member=${shop.viewer.secret}` }
  return new Promise((resolve, reject) => {
    const request = get(`${service.baseUrl}/portal/v1/payments.csv`, { headers }, (answer) => {
      answer.on('error', () => {})
      answer.once('data', () => {
        resolve(answer.statusCode ?? 0)
        request.destroy()
      })
    })
    request.on('error', reject)
  })
}

/** Reads a file as HTTP/1.0 does, to the end of the connection. It waits for `onBegun` before it reads more. */
async function readToTheEnd(onBegun: () => Promise<unknown>): Promise<'ended' | 'reset'> {
  const { hostname, port } = new URL(service.baseUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  const request = `GET /portal/v1/payments.csv HTTP/1.0\r\nCookie: warung_member=${shop.viewer.secret}\r\n\r\n`
  return new Promise((resolve) => {
    socket.on('error', () => resolve('reset'))
    socket.on('end', () => resolve('ended'))
    socket.once('data', () => {
      socket.pause()
      void onBegun().then(() => socket.resume())
    })
    socket.write(request)
  })
}

describe('an export', () => {
  it('an export that cannot be read further never looks complete, not even to a reader who waits for the end of the connection', async () => {
    const end = await readToTheEnd(() => database.query('alter table payments rename to payments_gone'))
    await database.query('alter table payments_gone rename to payments')
    expect(end).toBe('reset')
  })

  it('an export that its reader leaves ends, and frees its account’s place', async () => {
    for (let n = 0; n < 5; n += 1) {
      await until('there is a place', async () => (await beginAndLeave()) === 200)
    }
  })

  it('an export of few payments among very many has those alone', async () => {
    const { text } = await shop.viewer.get('/payments.csv?status=failed')
    expect(text.trimEnd().split('\r\n')).toHaveLength(1)
    const page = await shop.viewer.get('/payments?status=pending&product=NOVA')
    expect(page.json()).toMatchObject({ data: [], has_more: false })
  })

  it('an export of very many payments has each of them once, newest first, in flat memory', async () => {
    const read = await readExport('/portal/v1/payments.csv')
    expect(read).toMatchObject({ lines: ROWS + 1, isOrdered: true })
    expect(read.growthMib).toBeLessThan(GROWTH_MAX_MIB)
  }, 600_000)
})
