import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { UserRole } from '../../modules/accounts/types.ts'
import { listBatchLineRows, listBatchRows } from '../../modules/payments/batches/sql.ts'
import type { RunningSchedules, SchedulesSettings } from '../../modules/payments/schedules/jobs.ts'
import { startSchedules } from '../../modules/payments/schedules/jobs.ts'
import { sealScheduled } from '../../modules/payments/schedules/secrets.service.ts'
import {
  insertSchedule,
  insertScheduleLines,
  listScheduleRows,
  resumeStopped,
} from '../../modules/payments/schedules/sql.ts'
import type { Interval, Repeats, Schedule, ScheduledLine } from '../../modules/payments/schedules/types.ts'
import type { OrdersBench, OrdersNode } from '../orders.ts'
import { ACCOUNTS } from '../orders.ts'

/** Price of KITA at the bench, of 10 ringgit. */
export const LINE_COST = 98_500n
const DAY_MS = 86_400_000

export function scheduledLine(line: number, change: Partial<ScheduledLine> = {}): ScheduledLine {
  return {
    line,
    product: 'KITA',
    account: ACCOUNTS.succeeds,
    amount: '10',
    subproductCode: null,
    billerCode: null,
    ref2: null,
    remarks: null,
    reference: null,
    icNumber: null,
    cost: LINE_COST,
    ...change,
  }
}

export type Scheduled = { readonly resellerId: bigint; readonly id: bigint; readonly memberId: bigint }

type Wanted = {
  readonly lines: readonly ScheduledLine[]
  readonly balance?: bigint
  readonly every?: Interval
  readonly repeats?: Repeats
  readonly resellerId?: bigint
}

/** Makes a schedule of a member of a reseller of its own, which is due now. */
export async function newSchedule(bench: OrdersBench, wanted: Wanted): Promise<Scheduled> {
  const { lines, balance = 100_000_000n, every = 'once', repeats = 'pay' } = wanted
  const resellerId = wanted.resellerId ?? (await bench.newReseller(balance))
  const memberId = await newMember(bench, resellerId, 'manager')
  const schedule = {
    ...{ memberId, sender: '203.0.113.7', name: 'November', every, repeats },
    firstAt: new Date(Date.now() - 1_000),
    maxCost: lines.reduce((sum, { cost }) => sum + cost, 0n),
  }
  const id = await bench.database.transaction(async (tx) => {
    const made = await insertSchedule(tx, resellerId, schedule)
    const sealed = lines.map(({ icNumber, ...line }) => ({
      ...line,
      sealedInput: sealScheduled(bench.vault, { resellerId, scheduleId: made, line: line.line }, icNumber),
    }))
    await insertScheduleLines(tx, resellerId, made, sealed)
    return made
  })
  return { resellerId, id, memberId }
}

export async function newMember(bench: OrdersBench, resellerId: bigint, role: UserRole): Promise<bigint> {
  const { rows } = await bench.database.query<{ id: bigint }>(
    `insert into users (reseller_id, username, email, role, password_hash)
     values ($1, $2, 'a@example.com', $3, 'none') returning id`,
    [resellerId, randomUUID(), role],
  )
  return rows[0]?.id ?? 0n
}

/** Job of a node, which runs only when it is called. */
export function runnerOf(node: OrdersNode, change: Partial<SchedulesSettings> = {}): RunningSchedules {
  return startSchedules({ ...node.fulfil, everyMs: DAY_MS, ...change })
}

export async function readSchedule(
  { database }: Pick<OrdersBench, 'database'>,
  { resellerId, id }: Scheduled,
): Promise<Schedule> {
  const [found] = await listScheduleRows(database, resellerId, id)
  if (found === undefined) throw new Error('no such schedule')
  return found
}

/** Makes the next turn of a schedule due, as when time has passed, also for a node that was left with its lease. */
export async function makeDue({ database }: OrdersBench, { resellerId, id }: Scheduled): Promise<void> {
  await database.query(
    `update batch_schedules set next_at = now() where reseller_id = $1 and id = $2 and state = 'active'`,
    [resellerId, id],
  )
}

/** Makes the next run due now. */
export async function bringForward(bench: OrdersBench, { resellerId, id }: Scheduled): Promise<void> {
  await bench.database.query(
    `update batch_schedules set run_at = now() where reseller_id = $1 and id = $2 and batch_id is null`,
    [resellerId, id],
  )
  await makeDue(bench, { resellerId, id, memberId: 0n })
}

export async function goOn(bench: OrdersBench, { resellerId, id, memberId }: Scheduled): Promise<void> {
  const given = { memberId, sender: '203.0.113.7', nextAt: null }
  await bench.database.transaction((tx) => resumeStopped(tx, resellerId, id, given))
}

const TURNS_MAX = 50

/** Takes turns until the schedule is not active, or has ended that many runs. */
export async function runToEnd(
  bench: OrdersBench,
  runner: RunningSchedules,
  scheduled: Scheduled,
  runs = 1,
): Promise<Schedule> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const now = await readSchedule(bench, scheduled)
    if (now.state !== 'active' || now.runs >= runs) return now
    await makeDue(bench, scheduled)
    await runner.runOnce()
  }
  throw new Error('the schedule does not end')
}

/** Lists why the lines of each run were left out, by the number of the run. */
export async function refusalsOf(
  { database }: OrdersBench,
  { resellerId, id }: Scheduled,
): Promise<Record<number, (string | null)[]>> {
  const batches = (await listBatchRows(database, resellerId)).filter(({ scheduleId }) => scheduleId === id)
  const found: Record<number, (string | null)[]> = {}
  for (const { id: batchId, run } of batches) {
    const lines = await listBatchLineRows(database, resellerId, batchId, { after: -1, limit: 1_000 })
    found[run ?? 0] = lines.map(({ refusal }) => refusal ?? null)
  }
  return found
}

/**
 * Expects that the money that is gone is the cost of the payments, that each of them is of a line of a run of the
 * schedule, paid once and at most at the cost that the person saw, and that no run cost more than was confirmed.
 */
export async function expectSoundRuns(
  { database }: OrdersBench,
  { resellerId, id }: Scheduled,
  deposited: bigint,
): Promise<void> {
  const { rows: odd } = await database.query(
    `select p.refid, count(l.refid) from payments p
       left join payment_batch_lines l on l.reseller_id = p.reseller_id and l.refid = p.refid
       left join payment_batches b on b.reseller_id = l.reseller_id and b.id = l.batch_id and b.schedule_id = $2
       left join batch_schedule_lines s on s.reseller_id = p.reseller_id and s.schedule_id = $2 and s.line = l.line
      where p.reseller_id = $1
      group by p.refid having count(*) <> 1 or count(b.id) <> 1 or bool_or(p.cost > s.cost)`,
    [resellerId, id],
  )
  expect(odd).toEqual([])
  const { rows: sums } = await database.query<{ gone: bigint; paid: bigint; over: bigint }>(
    `select $3::bigint - w.balance as gone,
            (select coalesce(sum(cost), 0)::bigint from payments where reseller_id = $1 and code in (0, 1, 20)) as paid,
            (select count(*) from (
               select from payment_batches b
                 join payment_batch_lines l on l.reseller_id = b.reseller_id and l.batch_id = b.id
                 join payments p on p.reseller_id = b.reseller_id and p.refid = l.refid
                 join batch_schedules s on s.reseller_id = b.reseller_id and s.id = b.schedule_id
                where b.reseller_id = $1 and b.schedule_id = $2
                group by b.id, s.max_cost having sum(p.cost) > s.max_cost) as dear) as over
       from wallets w where w.reseller_id = $1`,
    [resellerId, id, deposited],
  )
  expect(sums).toEqual([{ gone: sums[0]?.paid, paid: sums[0]?.paid, over: 0n }])
}
