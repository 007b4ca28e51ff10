import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { createReseller } from '../edge.ts'
import { createPayer, newRefid, reload } from '../payments.ts'
import type { Service } from '../service.ts'
import { makeDirectory, runWarungd } from '../service.ts'

// Closings, statements and reconciliation as an operator runs them, beside a running service.

let demo: Demo
let database: pg.Client
let service: Service
let directory: string

beforeAll(async () => {
  demo = await openDemo()
  service = demo.service
  database = new pg.Client(service.environment.DATABASE_URL)
  await database.connect()
  directory = await makeDirectory()
})

afterAll(async () => {
  await database?.end()
  await demo?.end()
})

const GMT8_MS = 8 * 3_600_000
const today = () => new Date(Date.now() + GMT8_MS).toISOString().slice(0, 10)

async function idOf(account: string): Promise<string> {
  const { rows } = await database.query('select id from resellers where account = $1', [account])
  return rows[0].id
}

/** Inserts this many payments, spread over October 2026, and the deposit that they are paid from. */
async function giveHistory(account: string, payments: number): Promise<void> {
  const id = await idOf(account)
  await database.query(
    `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, payment_id, remarks,
                            created_at)
     select $1, n, case n when 1 then 'deposit' else 'payment' end,
            case n when 1 then 'bank' else 'provider_clearing' end,
            case n when 1 then 10000000000 else -10000 end, 10000000000 - (n - 1) * 10000,
            case n when 1 then null else n end, 'NOVA 60123456789',
            timestamptz '2026-10-01 00:00+08' + (n - 1) * (interval '31 days' / ($2::integer + 1))
       from generate_series(1::bigint, $2::integer + 1) as n`,
    [id, payments],
  )
  await database.query(
    'update wallets set sequence = $2::integer + 1, balance = 10000000000 - $2::integer * 10000::bigint where reseller_id = $1',
    [id, payments],
  )
}

type Day = {
  day: string
  opening: number
  closing: number
  movements: Record<string, { count: number; amount: number }>
  first_sequence: number
  last_sequence: number
  closed_at: string | null
}

describe('closings', () => {
  it('days are closed, shown and proven, and a changed entry is found', async () => {
    const { account } = await createReseller(service)
    await giveHistory(account, 30)
    const whose = ['--reseller', account]
    expect(await service.warungd('closing', 'run')).toMatchObject({ complete: true })
    // The closings include the demo's own past.
    expect(await service.warungd('closing', 'verify')).toMatchObject({ ok: true, breaks: [] })
    await service.warungd('deposit', ...whose, '--amount', '5', '--remarks', 'Now')

    const { days } = await service.warungd<{ days: Day[] }>(
      ...['closing', 'list', ...whose, '--from', '2026-10-30', '--to', '2026-11-01'],
    )
    expect(days).toHaveLength(2)
    expect(days[0]).toMatchObject({
      day: '2026-10-30',
      opening: 999_972,
      closing: 999_971,
      movements: { payment: { count: 1, amount: -1 }, deposit: { count: 0, amount: 0 } },
      first_sequence: 30,
      last_sequence: 30,
      closed_at: expect.any(String),
    })
    const now = await service.warungd('closing', 'list', ...whose, '--from', today())
    expect(now).toMatchObject({ days: [{ day: today(), closing: 999_975, closed_at: null }] })
    const quiet = await service.warungd('closing', 'show', ...whose, '--day', '2026-11-01')
    expect(quiet).toMatchObject({ account, opening: 999_970, closing: 999_970, closed_at: null })

    expect(await service.warungd('closing', 'verify', ...whose)).toEqual({
      ok: true,
      wallets: 1,
      closings: 31,
      breaks: [],
    })
    await database.query('set session_replication_role = replica')
    await database.query('update transfers set amount = amount - 1 where reseller_id = $1 and sequence = 7', [
      await idOf(account),
    ])
    await database.query('set session_replication_role = origin')
    const found = await service.tryWarungd('closing', 'verify', ...whose, '--json')
    expect(found.code).toBe(1)
    expect(JSON.parse(found.stdout)).toMatchObject({
      ok: false,
      breaks: [{ kind: 'movements', account, day: '2026-10-07' }],
    })
  })
})

function statement(account: string, format: string, output: string): string[] {
  const what = ['--month', '2026-10', '--format', format, '--output', output]
  return ['statement', '--reseller', account, ...what]
}

describe('statements', () => {
  it('are written whole, for their owner alone', async () => {
    const { account } = await createReseller(service)
    await giveHistory(account, 30)
    const csv = join(directory, 'new', 'october.csv')
    const written = await service.warungd<{ bytes: number }>(...statement(account, 'csv', csv))
    expect(written).toMatchObject({ opening: 0, entries: 31, closing: 999_970 })
    const lines = (await readFile(csv, 'utf8')).split('\r\n')
    expect(lines[1]).toBe(`account,,,,,,,${account}`)
    expect(lines.filter((line) => line.startsWith('entry,'))).toHaveLength(31)
    const { size, mode } = await stat(csv)
    expect([size, mode & 0o777]).toEqual([written.bytes, 0o600])

    const pdf = join(directory, 'october.pdf')
    await service.warungd(...statement(account, 'pdf', pdf))
    expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('a wrong request is refused, and leaves no file', async () => {
    const { account } = await createReseller(service)
    const output = join(directory, 'never.csv')
    for (const [name, value] of [
      ['--month', '2026-13'],
      ['--format', 'xls'],
      ['--reseller', '0'],
    ] as const) {
      const args = statement(account, 'csv', output)
      args[args.indexOf(name) + 1] = value
      expect((await service.tryWarungd(...args)).code).toBe(1)
    }
    await expect(stat(output)).rejects.toThrow('ENOENT')
  })
})

describe('reconciliation', () => {
  it("compares a reseller's file with its payments of the day, each difference with its cause", async () => {
    const payer = await createPayer(service, '100')
    const bodies = [reload(), reload(), reload(), reload()]
    for (const body of bodies) {
      await payer.pay(body)
      await payer.untilStatus(body, 'Succesful')
    }
    const [right, dearer, failed, unlisted] = bodies.map(({ refid }) => String(refid))
    const ghost = newRefid()
    const file = join(directory, 'theirs.csv')
    await writeFile(
      file,
      `\ufeffAmount;Status;RefID\r\n10,00;Succesful;${right}\r\n10.50;Succesful;${dearer}\r\n` +
        `10.00;Failed;${failed}\r\n10.00;Succesful;${ghost}\r\n10.00;Succesful;${right}\r\nten;;x\r\n`,
    )
    const output = join(directory, 'differences.csv')
    const days = ['--from', today(), '--to', today()]
    const summary = await service.warungd(
      ...['reconcile', '--reseller', payer.account, ...days, '--file', file, '--output', output],
    )
    expect(summary).toMatchObject({ lines: 6, payments: 4, agreed: 1, mismatches: 6 })
    const [headings, ...lines] = (await readFile(output, 'utf8')).trimEnd().split('\r\n')
    expect(headings).toBe('kind,cause,line,refid,transaction_id,theirs,ours,detail')
    expect(lines.map((line) => line.split(',').slice(0, 4).join(' '))).toEqual([
      `amount other_amount 3 ${dearer}`,
      `status succeeded_here 4 ${failed}`,
      `missing_here never_received 5 ${ghost}`,
      `duplicate listed_twice 6 ${right}`,
      'unreadable unreadable 7 ',
      `missing_there not_listed  ${unlisted}`,
    ])
  })

  it('a file that cannot be compared is refused with words, and leaves no file', async () => {
    const { account } = await createReseller(service)
    const file = join(directory, 'nothing.csv')
    await writeFile(file, 'id,amount\n1,2\n')
    const output = join(directory, 'no-differences.csv')
    const days = ['--from', '2026-10-01', '--to', '2026-10-31']
    const args = ['reconcile', '--reseller', account, ...days, '--file', file, '--output', output]
    const refused = await service.tryWarungd(...args)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no column refid') })
    await expect(stat(output)).rejects.toThrow('ENOENT')
  })
})

describe('memory', () => {
  // Tens of thousands of rows are made and read while a watch collects garbage all the time.
  const DEADLINE_MS = 300_000
  const FEW = 3_000
  const MANY = 30_000
  /** Limit of the growth of live memory. Ten times as many rows held at once would be several times that. */
  const GROWTH_MAX_BYTES = 6_000_000

  /** Program that reports at its end how much memory was live at most. It measures again and again. */
  const WATCH = `
    import { appendFileSync } from 'node:fs'
    import { setFlagsFromString } from 'node:v8'
    import { runInNewContext } from 'node:vm'
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    let most = 0
    setInterval(() => {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      most = Math.max(most, heapUsed + external)
    }, 100).unref()
    process.on('exit', () => appendFileSync(process.env.HEAP_FILE, String(most)))
  `

  async function mostAlive(name: string, args: readonly string[]): Promise<number> {
    const watch = join(directory, 'watch.mjs')
    const heap = join(directory, `${name}.heap`)
    await writeFile(watch, WATCH)
    const environment = {
      ...service.environment,
      HEAP_FILE: heap,
      NODE_OPTIONS: `--import ${pathToFileURL(watch)}`,
    }
    const { code, stderr } = await runWarungd(environment, args)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return Number(await readFile(heap, 'utf8'))
  }

  it('a statement of ten times as many entries needs no more of it', { timeout: DEADLINE_MS }, async () => {
    const [few, many] = [await createReseller(service), await createReseller(service)]
    await giveHistory(few.account, FEW)
    await giveHistory(many.account, MANY)
    const file = join(directory, 'many.csv')
    const before = await mostAlive('few', statement(few.account, 'csv', join(directory, 'few.csv')))
    const after = await mostAlive('many', statement(many.account, 'csv', file))
    expect((await stat(file)).size).toBeGreaterThan(MANY * 60)
    expect(after - before).toBeLessThan(GROWTH_MAX_BYTES)
  })

  async function givePayments(account: string, count: number): Promise<void> {
    const ms = Date.parse('2026-10-10T12:00:00+08:00')
    await database.query(
      `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                             balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
       select $1, ($2::bigint << 20) + n, 'M-' || n, 'NOVA', 'Nova', '6', 100000, 100000, 97000, 0, 20, '', '', '1',
              'sim', to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0)
         from generate_series(1, $3::integer) as n`,
      [await idOf(account), ms, count],
    )
  }

  it('a comparison of ten times as many lines and payments needs no more of it', {
    timeout: DEADLINE_MS,
  }, async () => {
    const alive: number[] = []
    for (const count of [FEW, MANY]) {
      const { account } = await createReseller(service)
      await givePayments(account, count)
      const file = join(directory, `theirs-${count}.csv`)
      const lines = Array.from({ length: count }, (_, n) => `${n % 2 === 0 ? 'M' : 'X'}-${n + 1},10.00`)
      await writeFile(file, `refid,amount\n${lines.join('\n')}\n`)
      const output = join(directory, `differences-${count}.csv`)
      const days = ['--from', '2026-10-01', '--to', '2026-10-31']
      const args = ['reconcile', '--reseller', account, ...days, '--file', file, '--output', output]
      alive.push(await mostAlive(`reconcile-${count}`, args))
      expect((await readFile(output, 'utf8')).split('\r\n')).toHaveLength(count + 2)
    }
    const [few = 0, many = 0] = alive
    expect(many - few).toBeLessThan(GROWTH_MAX_BYTES)
  })
})
