import { plainArray } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import type { Amount } from '../../lib/money.ts'
import type { Movement, MovementKind, PlacedTill, Shift, ShiftEnd, ShiftSale } from './types.ts'
import { MOVEMENTS_MAX, SHIFT_PEOPLE_MAX } from './types.ts'

type ShiftRow = {
  id: bigint
  till_id: bigint
  till_name: string
  till_is_retired: boolean
  branch_id: bigint
  branch_name: string
  branch_is_retired: boolean
  opened_by: bigint
  opened_ms: bigint
  float_amount: bigint
  number: number | null
  closed_by: bigint | null
  closed_ms: bigint | null
  counted: bigint | null
  expected: bigint | null
}

const SHIFT = `
  select s.id, s.till_id, t.name as till_name, t.is_retired as till_is_retired, b.id as branch_id,
         b.name as branch_name, b.is_retired as branch_is_retired, s.opened_by, s.opened_ms, s.float_amount, s.number,
         s.closed_by, s.closed_ms, s.counted, s.expected
    from shifts s
    join tills t on t.reseller_id = s.reseller_id and t.id = s.till_id
    join branches b on b.reseller_id = t.reseller_id and b.id = t.branch_id
   where s.reseller_id = $1`

export async function findShiftRow(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<Shift | undefined> {
  const { rows } = await connection.query<ShiftRow>(`${SHIFT} and s.id = $2`, [resellerId, id])
  return rows.map(toShift)[0]
}

export async function findOpenShiftRow(
  connection: Queryable,
  resellerId: bigint,
  tillId: bigint,
): Promise<Shift | undefined> {
  const { rows } = await connection.query<ShiftRow>(`${SHIFT} and s.till_id = $2 and s.number is null`, [
    resellerId,
    tillId,
  ])
  return rows.map(toShift)[0]
}

/** Finds the open shift in which a member is. */
export async function findShiftRowOf(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
): Promise<Shift | undefined> {
  const { rows } = await connection.query<ShiftRow>(
    `${SHIFT} and s.id = (select shift_id from shift_stays
                           where reseller_id = $1 and member_id = $2 and until_ms is null)`,
    [resellerId, memberId],
  )
  return rows.map(toShift)[0]
}

export type ShiftPage = {
  /** Member in whose shifts alone; null: anybody's. */
  readonly memberId: bigint | null
  readonly before: bigint | null
  readonly limit: number
}

/** Lists shifts, newest first. */
export async function listShiftRows(
  connection: Queryable,
  resellerId: bigint,
  { memberId, before, limit }: ShiftPage,
): Promise<Shift[]> {
  const { rows } = await connection.query<ShiftRow>(
    `${SHIFT} and ($2::bigint is null or s.id < $2)
        and ($3::bigint is null or exists (
              select from shift_stays y where y.reseller_id = $1 and y.shift_id = s.id and y.member_id = $3))
      order by s.id desc limit $4`,
    [resellerId, before, memberId, limit],
  )
  return rows.map(toShift)
}

export async function isOpenAt(
  connection: Queryable,
  resellerId: bigint,
  tillIds: readonly bigint[],
): Promise<boolean> {
  const { rows } = await connection.query(
    'select from shifts where reseller_id = $1 and till_id = any ($2::bigint[]) and number is null limit 1',
    [resellerId, plainArray(tillIds)],
  )
  return rows.length > 0
}

/** Time by the database's clock, and never before the end of an earlier shift. */
const NOW_MS = `greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
                         (select max(until_ms) from shift_stays where reseller_id = $1))`

export async function insertShift(
  tx: Tx,
  resellerId: bigint,
  shift: { readonly tillId: bigint; readonly memberId: bigint; readonly float: Amount },
): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into shifts (reseller_id, till_id, opened_by, opened_ms, float_amount)
     values ($1, $2, $3, ${NOW_MS}, $4) returning id`,
    [resellerId, shift.tillId, shift.memberId, shift.float],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the shift was not opened')
  return row.id
}

export async function insertStay(
  tx: Tx,
  resellerId: bigint,
  shiftId: bigint,
  memberId: bigint,
): Promise<void> {
  await tx.query(
    `insert into shift_stays (reseller_id, shift_id, member_id, from_ms) values ($1, $2, $3, ${NOW_MS})`,
    [resellerId, shiftId, memberId],
  )
}

export type StayRow = {
  readonly shift_id: bigint
  readonly till_id: bigint
  readonly branch_id: bigint
  readonly member_id: bigint
  readonly from_ms: bigint
  readonly until_ms: bigint | null
}

const STAY = `
  select y.shift_id, s.till_id, t.branch_id, y.member_id, y.from_ms, y.until_ms
    from shift_stays y
    join shifts s on s.reseller_id = y.reseller_id and s.id = y.shift_id
    join tills t on t.reseller_id = s.reseller_id and t.id = s.till_id
   where y.reseller_id = $1`

export async function listStayRowsOf(
  connection: Queryable,
  resellerId: bigint,
  shiftId: bigint,
): Promise<StayRow[]> {
  const { rows } = await connection.query<StayRow>(
    `${STAY} and y.shift_id = $2 order by y.from_ms, y.member_id limit $3`,
    [resellerId, shiftId, SHIFT_PEOPLE_MAX],
  )
  return rows
}

/** Stays of a report: of a year, with a hundred of them a day. */
const STAYS_MAX = 40_000

/** Lists the stays that touch a stretch of time. */
export async function listStayRowsBetween(
  connection: Queryable,
  resellerId: bigint,
  { fromMs, untilMs }: { readonly fromMs: bigint; readonly untilMs: bigint },
): Promise<StayRow[]> {
  const { rows } = await connection.query<StayRow>(
    `${STAY} and y.from_ms < $3 and (y.until_ms > $2 or y.until_ms is null) limit $4`,
    [resellerId, fromMs, untilMs, STAYS_MAX],
  )
  return rows
}

export async function insertMovement(
  tx: Tx,
  resellerId: bigint,
  shiftId: bigint,
  { memberId, kind, amount, reason }: Omit<Movement, 'id' | 'at'>,
): Promise<Movement> {
  const { rows } = await tx.query<MovementRow>(
    `insert into shift_movements (reseller_id, shift_id, member_id, kind, amount, reason)
     values ($1, $2, $3, $4, $5, $6) returning ${MOVEMENT}`,
    [resellerId, shiftId, memberId, kind, amount, reason],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the movement was not written')
  return toMovement(row)
}

type MovementRow = {
  id: bigint
  member_id: bigint
  kind: MovementKind
  amount: bigint
  reason: string
  at: Date
}
const MOVEMENT = 'id, member_id, kind, amount, reason, at'

export async function listMovementRows(
  connection: Queryable,
  resellerId: bigint,
  shiftId: bigint,
): Promise<Movement[]> {
  const { rows } = await connection.query<MovementRow>(
    `select ${MOVEMENT} from shift_movements where reseller_id = $1 and shift_id = $2 order by id limit $3`,
    [resellerId, shiftId, MOVEMENTS_MAX],
  )
  return rows.map(toMovement)
}

/** Takes the next number of a till's Z reports. The row stays locked, so that a number is used or never given. */
export async function takeNumber(tx: Tx, resellerId: bigint, tillId: bigint): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(
    'update tills set last_number = last_number + 1 where reseller_id = $1 and id = $2 returning last_number as number',
    [resellerId, tillId],
  )
  const [row] = rows
  if (row === undefined) throw new Error('there is no such till')
  return row.number
}

/** Writes the end of a shift with its sales, and ends the stays of its people. */
export async function writeEnd(
  tx: Tx,
  resellerId: bigint,
  shiftId: bigint,
  { number, closedBy, closedMs, counted, expected }: ShiftEnd,
  sales: readonly ShiftSale[],
): Promise<void> {
  await tx.query(
    `update shift_stays set until_ms = $3 where reseller_id = $1 and shift_id = $2 and until_ms is null`,
    [resellerId, shiftId, closedMs],
  )
  for (const { memberId, category, payments, faceValue } of sales) {
    await tx.query(
      `insert into shift_sales (reseller_id, shift_id, member_id, category, payments, face_value)
       values ($1, $2, $3, $4, $5, $6)`,
      [resellerId, shiftId, memberId, category, payments, faceValue],
    )
  }
  await tx.query(
    `update shifts set number = $3, closed_by = $4, closed_ms = $5, counted = $6, expected = $7
      where reseller_id = $1 and id = $2`,
    [resellerId, shiftId, number, closedBy, closedMs, counted, expected],
  )
}

export async function listSaleRows(
  connection: Queryable,
  resellerId: bigint,
  shiftId: bigint,
): Promise<ShiftSale[]> {
  const { rows } = await connection.query<{
    member_id: bigint
    category: string
    payments: bigint
    face_value: bigint
  }>(
    `select member_id, category, payments, face_value from shift_sales
      where reseller_id = $1 and shift_id = $2 order by member_id, category limit 10000`,
    [resellerId, shiftId],
  )
  return rows.map(({ member_id, category, payments, face_value }) => ({
    memberId: member_id,
    category,
    payments,
    faceValue: face_value,
  }))
}

function toMovement({ member_id: memberId, ...movement }: MovementRow): Movement {
  return { ...movement, memberId }
}

function toShift(row: ShiftRow): Shift {
  const branch = { id: row.branch_id, name: row.branch_name, isRetired: row.branch_is_retired }
  const till: PlacedTill = { id: row.till_id, name: row.till_name, isRetired: row.till_is_retired, branch }
  const { id, opened_by: openedBy, opened_ms: openedMs, float_amount: float } = row
  return { id, till, openedBy, openedMs, float, end: endOf(row) }
}

function endOf({ number, closed_by, closed_ms, counted, expected }: ShiftRow): ShiftEnd | null {
  if (number === null || closed_by === null || closed_ms === null || counted === null || expected === null) {
    return null
  }
  return { number, closedBy: closed_by, closedMs: closed_ms, counted, expected }
}
