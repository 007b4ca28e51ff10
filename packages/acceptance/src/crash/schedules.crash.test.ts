import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../service.ts'
import type { CrashBench } from './crash.ts'
import { FAILS, openCrashBench } from './crash.ts'

// A process that dies while it pays a scheduled file. Its successor finds the schedule by its lease, and the payments
// by their refids, which are fixed by schedule, run and line.

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

const LINES = 5

/** Schedules a file that is due now, of an admin of the shop; its third line fails at the supplier. */
async function schedule(): Promise<string> {
  const { rows } = await bench.database.query<{ id: string }>(
    `with made as (
       insert into batch_schedules (reseller_id, member_id, sender, name, every, first_at, pays_repeats, max_cost,
                                    run_at, next_at)
       select r.id, u.id, '127.0.0.1', 'Crash', 'week', now(), true, 1000000, now(), now()
         from resellers r join users u on u.reseller_id = r.id and u.role = 'admin' and u.status = 'active'
        where r.account = $1 order by u.id limit 1
       returning reseller_id, id
     ), lines as (
       insert into batch_schedule_lines (reseller_id, schedule_id, line, product, account, amount, cost)
       select reseller_id, id, n, 'KITA', case n when 3 then $2 else '60123456789' end, '10', 100000
         from made, generate_series(1, $3::integer) n
     )
     select id from made`,
    [bench.reseller.account, FAILS, LINES],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('nothing was scheduled')
  return id
}

type LineRow = { line: number; payments: number; code: number; taken: number; returned: number }

/** Lists the lines of a schedule's runs, and how often money was taken and returned for each. */
async function listLines(id: string): Promise<LineRow[]> {
  const { rows } = await bench.database.query<LineRow>(
    `select l.line, count(distinct p.id)::int as payments, max(p.code)::int as code,
            count(*) filter (where t.kind = 'payment' and t.amount = -p.cost)::int as taken,
            count(*) filter (where t.kind = 'refund' and t.amount = p.cost)::int as returned
       from payment_batches b
       join payment_batch_lines l on l.reseller_id = b.reseller_id and l.batch_id = b.id
       left join payments p on p.reseller_id = l.reseller_id and p.refid = l.refid
       left join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
      where b.schedule_id = $1 group by b.id, l.line order by l.line`,
    [id],
  )
  return rows
}

/** Kills the service at the failpoint while it pays a file, starts another, and looks at what became of the lines. */
async function crashAt(failpoint: string): Promise<void> {
  const dying = await bench.start({ WARUNG_FAILPOINT: failpoint })
  const id = await schedule()
  expect((await dying.ended).signal).toBe('SIGKILL')
  const service = await bench.start({})
  const lines = await until('the run has ended and all its payments are final', async () => {
    const { rows } = await bench.database.query('select from batch_schedules where id = $1 and runs = 1', [
      id,
    ])
    const found = await listLines(id)
    return rows.length === 1 && found.every(({ code }) => code >= 20) ? found : undefined
  })
  expect(lines).toEqual(
    Array.from({ length: LINES }, (_, index) => ({
      line: index + 1,
      payments: 1,
      code: index === 2 ? 48 : 20,
      taken: 1,
      returned: index === 2 ? 1 : 0,
    })),
  )
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  await service.kill9()
}

it('a run whose process dies before its first line is paid by the next one', () =>
  crashAt('schedule.begun:1'))

it('a line whose process dies between paying and writing it down is paid once', () =>
  crashAt('schedule.paid:2'))

it('a run whose process dies after it wrote a line down goes on behind it', () => crashAt('schedule.noted:4'))
