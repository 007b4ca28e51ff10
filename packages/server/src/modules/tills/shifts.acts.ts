import type { Queryable, Tx } from '../../db/database.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { formatMoney } from '../../lib/money.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { memberMay } from '../accounts/members.rules.ts'
import { getReseller, listUsers } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { sumSoldAt } from '../payments/reports/stays.service.ts'
import { dividingMoment } from '../wallet/balance/service.ts'
import { expectedCash } from './rules.ts'
import { stayOf } from './service.ts'
import { MOVEMENT_INPUT, SHIFT_CLOSE, SHIFT_INPUT, SHIFT_JOIN } from './shifts.codec.ts'
import {
  findOpenShiftRow,
  findShiftRow,
  findShiftRowOf,
  insertMovement,
  insertShift,
  insertStay,
  listMovementRows,
  listStayRowsOf,
  takeNumber,
  writeEnd,
} from './shifts.sql.ts'
import { findTillRowOfBrowser, lockTills } from './sql.ts'
import type { PlacedTill, Shift, ShiftEnd } from './types.ts'
import { MOVEMENTS_MAX, SHIFT_PEOPLE_MAX } from './types.ts'

/** Opens a shift at the till that the caller's browser is, with the cash that lies in the drawer. */
export const openShift = act({
  name: 'shift.open',
  input: SHIFT_INPUT,
  async run(tx, { account, browser, float }, by: By<unknown>) {
    const { id } = await getReseller(tx, account)
    const memberId = memberOf(by)
    const till = await holdTill(tx, id, browser)
    if (till === undefined) return { refuse: noTill() }
    if ((await findOpenShiftRow(tx, id, till.id)) !== undefined) {
      return { refuse: conflict('shift_open', 'A shift is open at this till. Join it, or close it first.') }
    }
    if ((await findShiftRowOf(tx, id, memberId)) !== undefined) return { refuse: elsewhere() }
    const shiftId = await insertShift(tx, id, { tillId: till.id, memberId, float })
    await insertStay(tx, id, shiftId, memberId)
    const result = await getShift(tx, id, shiftId)
    return { target: targetOf(account), before: null, after: loggedOf(result), result }
  },
})

/** Joins the shift that is open at the till of the caller's browser: several people sell from one drawer. */
export const joinShift = act({
  name: 'shift.join',
  input: SHIFT_JOIN,
  async run(tx, { account, browser }, by: By<unknown>) {
    const { id } = await getReseller(tx, account)
    const memberId = memberOf(by)
    const till = await holdTill(tx, id, browser)
    if (till === undefined) return { refuse: noTill() }
    const result = await findOpenShiftRow(tx, id, till.id)
    if (result === undefined) return { refuse: conflict('no_shift', 'No shift is open at this till.') }
    const own = await findShiftRowOf(tx, id, memberId)
    if (own?.id === result.id) return { unchanged: result }
    if (own !== undefined) return { refuse: elsewhere() }
    if ((await listStayRowsOf(tx, id, result.id)).length >= SHIFT_PEOPLE_MAX) {
      return { refuse: conflict('limit_reached', `A shift has at most ${SHIFT_PEOPLE_MAX} people.`) }
    }
    await insertStay(tx, id, result.id, memberId)
    return { target: targetOf(account), before: null, after: loggedOf(result), result }
  },
})

/** Notes cash that went in or out without a sale, or a sale that was not paid in cash. */
export const moveCash = act({
  name: 'shift.movement',
  input: MOVEMENT_INPUT,
  async run(tx, { account, id, ...movement }, by: By<unknown>) {
    const reseller = await getReseller(tx, account)
    await lockTills(tx, reseller.id)
    const shift = await findOpenFor(tx, reseller.id, id, by)
    if ('refuse' in shift) return shift
    if ((await listMovementRows(tx, reseller.id, id)).length >= MOVEMENTS_MAX) {
      return { refuse: conflict('limit_reached', `A shift has at most ${MOVEMENTS_MAX} movements of cash.`) }
    }
    const result = await insertMovement(tx, reseller.id, id, { ...movement, memberId: memberOf(by) })
    const { kind, amount, reason } = result
    const after = { shift: String(id), kind, amount: formatMoney(amount), reason }
    return { target: targetOf(account), before: null, after, result }
  },
})

/**
 * Closes a shift for ever: its Z report gets the next number of the till. Payments that are under way are dated at or after
 * the dividing moment, and so belong to no stay of this shift; everything before it is committed, and is read.
 */
export const closeShift = act({
  name: 'shift.close',
  input: SHIFT_CLOSE,
  async run(tx, { account, id, counted }, by: By<unknown>) {
    const reseller = await getReseller(tx, account)
    await lockTills(tx, reseller.id)
    const shift = await findOpenFor(tx, reseller.id, id, by)
    if ('refuse' in shift) return shift
    const closedMs = await dividingMoment(tx, reseller.id)
    const rows = await listStayRowsOf(tx, reseller.id, id)
    const stays = rows.map((row) => ({ ...stayOf(row, 'shift'), untilMs: closedMs }))
    const sales = await sumSoldAt(tx, reseller.id, stays, closedMs)
    const expected = expectedCash(shift.float, sales, await listMovementRows(tx, reseller.id, id))
    const number = await takeNumber(tx, reseller.id, shift.till.id)
    const end: ShiftEnd = { number, closedBy: memberOf(by), closedMs, counted, expected }
    await writeEnd(tx, reseller.id, id, end, sales)
    const result: Shift = { ...shift, end }
    return { target: targetOf(account), before: loggedOf(shift), after: loggedOf(result), result }
  },
})

/** Finds an open shift that the caller may touch: one they are in, or any for whoever manages the tills. */
async function findOpenFor(
  tx: Tx,
  resellerId: bigint,
  id: bigint,
  by: By<unknown>,
): Promise<Shift | { readonly refuse: RequestError }> {
  const shift = await findShiftRow(tx, resellerId, id)
  if (shift === undefined || !(await mayTouch(tx, resellerId, id, by))) return { refuse: unknown() }
  if (shift.end !== null) return { refuse: conflict('shift_closed', 'This shift is closed, for good.') }
  return shift
}

async function mayTouch(
  connection: Queryable,
  resellerId: bigint,
  shiftId: bigint,
  by: By<unknown>,
): Promise<boolean> {
  const memberId = memberOf(by)
  const member = (await listUsers(connection, resellerId)).find(({ id }) => id === memberId)
  if (member !== undefined && memberMay(member, 'tills.write')) return true
  return (await listStayRowsOf(connection, resellerId, shiftId)).some((stay) => stay.member_id === memberId)
}

/** Locks the shop's tills, and finds the one that a browser is. */
async function holdTill(
  tx: Tx,
  resellerId: bigint,
  browser: string | undefined,
): Promise<PlacedTill | undefined> {
  await lockTills(tx, resellerId)
  if (browser === undefined) return undefined
  const till = await findTillRowOfBrowser(tx, resellerId, digestOf(browser))
  return till?.isRetired === true ? undefined : till
}

async function getShift(tx: Tx, resellerId: bigint, id: bigint): Promise<Shift> {
  const shift = await findShiftRow(tx, resellerId, id)
  assert(shift !== undefined, 'the shift was just opened')
  return shift
}

function memberOf({ caller }: By<unknown>): bigint {
  assert(caller.kind === 'member', 'shifts are worked by members')
  return caller.userId
}

function targetOf(account: string) {
  return { kind: 'shifts', id: account }
}

function loggedOf({ id, till, float, end }: Shift) {
  return {
    id: String(id),
    till: String(till.id),
    float: formatMoney(float),
    ...(end !== null && {
      number: end.number,
      counted: formatMoney(end.counted),
      expected: formatMoney(end.expected),
    }),
  }
}

function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}

function elsewhere(): RequestError {
  return conflict('in_shift', 'You are in another shift. Close that one first.')
}

function noTill(): RequestError {
  return conflict('no_till', 'This browser is no till. The owner or a manager says which one it is.')
}

function unknown(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such shift.' })
}
