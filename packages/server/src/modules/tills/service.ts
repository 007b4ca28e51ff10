import type { Queryable } from '../../db/database.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { listTakenBack, sumStays } from '../payments/reports/stays.service.ts'
import type { Stay, StaySum, TakenBack } from '../payments/reports/stays.types.ts'
import type { ShiftPage, StayRow } from './shifts.sql.ts'
import {
  findOpenShiftRow,
  findShiftRow,
  findShiftRowOf,
  listMovementRows,
  listSaleRows,
  listShiftRows,
  listStayRowsBetween,
  listStayRowsOf,
} from './shifts.sql.ts'
import { findSettingsRow, findTillRowOfBrowser, listBranchRows, listTillRows } from './sql.ts'
import type { Branch, Movement, PlacedTill, Shift, ShiftSale, Till, TillSettings } from './types.ts'

/** Payments that a Z report names as taken back after it. */
const TAKEN_BACK_MAX = 200

/** Finds the till that a browser is; undefined: none. `secret`: that of its cookie. */
export async function findTillOfBrowser(
  connection: Queryable,
  resellerId: bigint,
  secret: string | undefined,
): Promise<PlacedTill | undefined> {
  return secret === undefined ? undefined : findTillRowOfBrowser(connection, resellerId, digestOf(secret))
}

export function readTillSettings(connection: Queryable, resellerId: bigint): Promise<TillSettings> {
  return findSettingsRow(connection, resellerId)
}

export type Places = { readonly branches: readonly Branch[]; readonly tills: readonly Till[] }

/** Lists the branches and tills of a shop, retired ones too. They are bounded. */
export async function listPlaces(connection: Queryable, resellerId: bigint): Promise<Places> {
  const branches = await listBranchRows(connection, resellerId)
  return { branches, tills: await listTillRows(connection, resellerId) }
}

export function findOpenShift(
  connection: Queryable,
  resellerId: bigint,
  tillId: bigint,
): Promise<Shift | undefined> {
  return findOpenShiftRow(connection, resellerId, tillId)
}

/** Finds the open shift in which a member is. */
export function findShiftOf(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
): Promise<Shift | undefined> {
  return findShiftRowOf(connection, resellerId, memberId)
}

/** Tells whether a member may sell now: the shop asks for no shift, or the member is in one. */
export async function maySellNow(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
): Promise<boolean> {
  const { requiresShift } = await findSettingsRow(connection, resellerId)
  return !requiresShift || (await findShiftRowOf(connection, resellerId, memberId)) !== undefined
}

export function listShifts(connection: Queryable, resellerId: bigint, page: ShiftPage): Promise<Shift[]> {
  return listShiftRows(connection, resellerId, page)
}

/** Everything that is known of a shift. */
export type ShiftDetails = {
  readonly shift: Shift
  readonly memberIds: readonly bigint[]
  readonly movements: readonly Movement[]
  /** Sales of a closed shift, as they were then. */
  readonly sales: readonly ShiftSale[]
  /** Payments of `sales` that failed or were voided since. */
  readonly takenBack: readonly TakenBack[]
}

export async function findShiftDetails(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<ShiftDetails | undefined> {
  const shift = await findShiftRow(connection, resellerId, id)
  if (shift === undefined) return undefined
  const rows = await listStayRowsOf(connection, resellerId, id)
  const { end } = shift
  const stays = rows.map((row) => stayOf(row, 'shift'))
  const after = { momentMs: end?.closedMs ?? 0n, limit: TAKEN_BACK_MAX }
  return {
    shift,
    memberIds: rows.map(({ member_id }) => member_id),
    movements: await listMovementRows(connection, resellerId, id),
    sales: await listSaleRows(connection, resellerId, id),
    takenBack: end === null ? [] : await listTakenBack(connection, resellerId, stays, after),
  }
}

/** Sums what was sold in shifts within a stretch of time, by the id of their branch or till. */
export async function sumPlaces(
  connection: Queryable,
  resellerId: bigint,
  span: { readonly fromMs: bigint; readonly untilMs: bigint },
  kind: 'branch' | 'till',
): Promise<StaySum[]> {
  const rows = await listStayRowsBetween(connection, resellerId, span)
  const stays = rows.map((row) => {
    const stay = stayOf(row, String(kind === 'till' ? row.till_id : row.branch_id))
    const { fromMs, untilMs } = stay
    return {
      ...stay,
      fromMs: fromMs < span.fromMs ? span.fromMs : fromMs,
      untilMs: untilMs === null || untilMs > span.untilMs ? span.untilMs : untilMs,
    }
  })
  return sumStays(connection, resellerId, stays)
}

export function stayOf({ member_id, from_ms, until_ms }: StayRow, place: string): Stay {
  return { place, memberId: member_id, fromMs: from_ms, untilMs: until_ms }
}
