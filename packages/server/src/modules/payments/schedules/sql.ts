import { byteaArray, plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { defineLease } from '../../../db/leases.ts'
import type { Amount } from '../../../lib/money.ts'
import type { NewSchedule, Schedule, ScheduledLine, StopReason } from './types.ts'
import { KEPT_MAX } from './types.ts'

/** Schedule that a node has claimed, to pay some of its lines. */
export type ScheduleWork = { readonly resellerId: bigint; readonly id: bigint; readonly holder: string }

type WorkRow = { reseller_id: bigint; id: bigint }

const LEASE = defineLease({
  table: 'batch_schedules',
  key: ['reseller_id', 'id'],
  nextAt: 'next_at',
  mark: { kind: 'holder', column: 'holder' },
})

const claim = LEASE.claim<WorkRow>({
  name: 'batch_schedules_claim',
  columns: 'w.reseller_id, w.id',
  where: `w.state = 'active'`,
  // One schedule of a reseller at a time: what one of them has at nine does not make the others wait.
  chosenBy: {
    queries: `turns as (
      select distinct on (s.reseller_id) s.reseller_id, s.id from batch_schedules s
       where s.state = 'active' and s.next_at <= now()
         and not exists (select from batch_schedules h where h.reseller_id = s.reseller_id and h.id <> s.id
                            and h.holder is not null and h.next_at > now())
       order by s.reseller_id, s.next_at)`,
    join: 'join turns on turns.reseller_id = w.reseller_id and turns.id = w.id',
  },
})

/** Claims schedules that are due: those that wait longest, each of another reseller. */
export async function claimSchedules(connection: Queryable, terms: ClaimTerms): Promise<ScheduleWork[]> {
  const { rows, holder } = await claim(connection, terms)
  return rows.map(({ reseller_id: resellerId, id }) => ({ resellerId, id, holder }))
}

const COLUMNS = `s.id, s.member_id, s.name, s.every, s.first_at, s.pays_repeats, s.max_cost, s.state, s.reason, s.run_at,
  s.runs, s.batch_id`

type ScheduleRow = {
  id: bigint
  member_id: bigint
  name: string
  every: Schedule['every']
  first_at: Date
  pays_repeats: boolean
  max_cost: Amount
  state: Schedule['state']
  reason: StopReason | null
  run_at: Date
  runs: number
  batch_id: bigint | null
}

function scheduleOf(row: ScheduleRow, lines: number): Schedule {
  return {
    id: row.id,
    memberId: row.member_id,
    name: row.name,
    every: row.every,
    firstAt: row.first_at,
    repeats: row.pays_repeats ? 'pay' : 'skip',
    maxCost: row.max_cost,
    state: row.state,
    reason: row.reason,
    runAt: row.run_at,
    runs: row.runs,
    batchId: row.batch_id,
    lines,
  }
}

const LIST = `
  select ${COLUMNS}, (select count(*) from batch_schedule_lines l
                       where l.reseller_id = s.reseller_id and l.schedule_id = s.id) as lines
    from batch_schedules s where s.reseller_id = $1 and ($2::bigint is null or s.id = $2)
   order by s.id desc limit $3`

/** Lists the schedules of a reseller, newest first. */
export async function listScheduleRows(
  connection: Queryable,
  resellerId: bigint,
  only: bigint | null = null,
): Promise<Schedule[]> {
  const values = [resellerId, only, KEPT_MAX]
  const { rows } = await connection.query<ScheduleRow & { lines: bigint }>(LIST, values)
  return rows.map((row) => scheduleOf(row, Number(row.lines)))
}

/** Keeps the schedules of a reseller from changing, and from becoming more, until the transaction ends. Returns the time. */
export async function lockSchedules(tx: Tx, resellerId: bigint): Promise<Date> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('batch_schedules', $1) # lock_mark())`, [
    resellerId,
  ])
  await tx.query('select from batch_schedules where reseller_id = $1 order by id for update', [resellerId])
  const { rows } = await tx.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date()
}

export async function insertSchedule(tx: Tx, resellerId: bigint, schedule: NewSchedule): Promise<bigint> {
  const { memberId, sender, name, every, firstAt, repeats, maxCost } = schedule
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into batch_schedules (reseller_id, member_id, sender, name, every, first_at, pays_repeats, max_cost, run_at,
                                  next_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $6, $6) returning id`,
    [resellerId, memberId, sender, name, every, firstAt, repeats === 'pay', maxCost],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the schedule was not made')
  return row.id
}

/** Line with its secret as it is stored. */
export type SealedLine = Omit<ScheduledLine, 'icNumber'> & { readonly sealedInput: Buffer | null }

export async function insertScheduleLines(
  tx: Tx,
  resellerId: bigint,
  scheduleId: bigint,
  lines: readonly SealedLine[],
): Promise<void> {
  const text = (read: (line: SealedLine) => string | null) => textArray(lines.map(read))
  await tx.query(
    `insert into batch_schedule_lines (reseller_id, schedule_id, line, product, account, amount, subproduct_code,
                                       biller_code, ref2, remarks, reference, cost, sealed_input)
     select $1, $2, l.* from unnest($3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                                    $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bytea[]) as l`,
    [
      resellerId,
      scheduleId,
      plainArray(lines.map(({ line }) => line)),
      text(({ product }) => product),
      text(({ account }) => account),
      text(({ amount }) => amount),
      text(({ subproductCode }) => subproductCode),
      text(({ billerCode }) => billerCode),
      text(({ ref2 }) => ref2),
      text(({ remarks }) => remarks),
      text(({ reference }) => reference),
      plainArray(lines.map(({ cost }) => cost)),
      byteaArray(lines.map(({ sealedInput }) => sealedInput)),
    ],
  )
}

type LineRow = {
  line: number
  product: string
  account: string
  amount: string
  subproduct_code: string | null
  biller_code: string | null
  ref2: string | null
  remarks: string | null
  reference: string | null
  cost: Amount
  sealed_input: Buffer | null
}

/** Lists lines of a schedule in the order of the file, behind a line. */
export async function listScheduleLines(
  connection: Queryable,
  { resellerId, id }: Pick<ScheduleWork, 'resellerId' | 'id'>,
  page: { readonly after: number; readonly limit: number },
): Promise<SealedLine[]> {
  const { rows } = await connection.query<LineRow>(
    `select line, product, account, amount, subproduct_code, biller_code, ref2, remarks, reference, cost, sealed_input
       from batch_schedule_lines
      where reseller_id = $1 and schedule_id = $2 and line > $3 order by line limit $4`,
    [resellerId, id, page.after, page.limit],
  )
  return rows.map(
    ({ subproduct_code: subproductCode, biller_code: billerCode, sealed_input: sealedInput, ...row }) => ({
      ...row,
      subproductCode,
      billerCode,
      sealedInput,
    }),
  )
}

/** Deletes the oldest schedules that are not active, beyond the limit. */
export async function deleteOldSchedules(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(
    `delete from batch_schedules where reseller_id = $1 and state <> 'active' and id in (
       select id from batch_schedules where reseller_id = $1 order by state = 'active' desc, id desc offset $2)`,
    [resellerId, KEPT_MAX],
  )
}

// ── Acts of people ──

export async function stopActive(tx: Tx, resellerId: bigint, id: bigint): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update batch_schedules set state = 'stopped', reason = 'person', next_at = 'infinity', holder = null
      where reseller_id = $1 and id = $2 and state = 'active'`,
    [resellerId, id],
  )
  return rowCount === 1
}

type Resumed = {
  readonly memberId: bigint
  readonly sender: string
  /** Time of the next run; null: the one that was stopped goes on now. */
  readonly nextAt: Date | null
}

/** Makes a stopped schedule pay again, in the name of whoever goes on with it. */
export async function resumeStopped(
  tx: Tx,
  resellerId: bigint,
  id: bigint,
  { memberId, sender, nextAt }: Resumed,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update batch_schedules s
        set state = 'active', reason = null, member_id = $3, sender = $4, failing_since = null,
            run_at = case when $5::timestamptz is null and batch_id is null then greatest(run_at, clock.now)
                          else coalesce($5, run_at) end,
            next_at = case when $5::timestamptz is null and batch_id is null then greatest(run_at, clock.now)
                           else coalesce($5, clock.now) end,
            runs = runs + case when $5::timestamptz is null or batch_id is null then 0 else 1 end,
            line = case when $5::timestamptz is null then line else -1 end,
            batch_id = case when $5::timestamptz is null then batch_id end
       from (select now() as now) clock
      where s.reseller_id = $1 and s.id = $2 and s.state = 'stopped'`,
    [resellerId, id, memberId, sender, nextAt],
  )
  return rowCount === 1
}

// ── Work of the node that holds the schedule ──

/** Schedule under the claim of a node. */
export type HeldSchedule = Schedule & {
  readonly sender: string
  /** Last line of the run under way that has an end. */
  readonly line: number
  readonly failingSince: Date | null
  readonly now: Date
}

type HeldRow = ScheduleRow & {
  sender: string
  line: number
  failing_since: Date | null
  now: Date
  lines: bigint
}

const READ_HELD = `
  select ${COLUMNS}, s.sender, s.line, s.failing_since, clock_timestamp() as now,
         (select count(*) from batch_schedule_lines l
           where l.reseller_id = s.reseller_id and l.schedule_id = s.id) as lines
    from batch_schedules s where s.reseller_id = $1 and s.id = $2 and s.holder = $3`

/** Reads a schedule; undefined: somebody else has it by now, or it was stopped. */
export async function readHeld(
  connection: Queryable,
  { resellerId, id, holder }: ScheduleWork,
): Promise<HeldSchedule | undefined> {
  const { rows } = await connection.query<HeldRow>(READ_HELD, [resellerId, id, holder])
  return rows.map((row) => ({
    ...scheduleOf(row, Number(row.lines)),
    sender: row.sender,
    line: row.line,
    failingSince: row.failing_since,
    now: row.now,
  }))[0]
}

async function change(
  connection: Queryable,
  { resellerId, id, holder }: ScheduleWork,
  set: string,
  values: readonly unknown[] = [],
): Promise<boolean> {
  const text = `update batch_schedules set ${set} where ${LEASE.held}`
  return (await connection.query(text, [resellerId, id, holder, ...values])).rowCount === 1
}

/** Notes that a run has begun. False: another node has the schedule. */
export function noteBegun(tx: Tx, work: ScheduleWork, batchId: bigint): Promise<boolean> {
  return change(tx, work, 'batch_id = $4, line = -1', [batchId])
}

/** Notes that a line has its end. False: another node has the schedule, or somebody stopped it. */
export function noteLine(connection: Queryable, work: ScheduleWork, line: number): Promise<boolean> {
  return change(connection, work, 'line = $4, failing_since = null', [line])
}

/** Notes that a run has ended. `nextAt`: time of the next one; null: it was the last. */
export function noteEnded(tx: Tx, work: ScheduleWork, nextAt: Date | null): Promise<boolean> {
  return change(
    tx,
    work,
    `runs = runs + 1, batch_id = null, line = -1, failing_since = null, holder = null,
     state = case when $4::timestamptz is null then 'ended' else 'active' end,
     run_at = coalesce($4, run_at), next_at = coalesce($4, 'infinity')`,
    [nextAt],
  )
}

export function noteStopped(tx: Tx, work: ScheduleWork, reason: StopReason): Promise<boolean> {
  return change(tx, work, `state = 'stopped', reason = $4, next_at = 'infinity', holder = null`, [reason])
}

const LOOK_LATER = LEASE.postpone()
const LOOK_AGAIN = LEASE.postpone('failing_since = coalesce(failing_since, now())')

/** Gives the schedule back for its next turn. */
export async function awaitTurn(
  connection: Queryable,
  { resellerId, id, holder }: ScheduleWork,
  afterMs: number,
): Promise<void> {
  await connection.query(LOOK_LATER, [resellerId, id, holder, afterMs])
}

/** Gives the schedule back after a turn that got no further, and notes since when. */
export async function tryAgain(
  connection: Queryable,
  { resellerId, id, holder }: ScheduleWork,
  afterMs: number,
): Promise<void> {
  await connection.query(LOOK_AGAIN, [resellerId, id, holder, afterMs])
}

/** Forgets the secrets of a schedule that pays nothing more. */
export async function forgetInputs(tx: Tx, { resellerId, id }: ScheduleWork): Promise<void> {
  await tx.query(
    `update batch_schedule_lines set sealed_input = null
      where reseller_id = $1 and schedule_id = $2 and sealed_input is not null`,
    [resellerId, id],
  )
}
