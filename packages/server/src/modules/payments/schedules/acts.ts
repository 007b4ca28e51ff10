import type { Vault } from '../../../db/vault.ts'
import { assert, invalidFields, RequestError } from '../../../lib/errors.ts'
import { formatMoney } from '../../../lib/money.ts'
import { getReseller } from '../../accounts/service.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import { RESUME_INPUT, SCHEDULE_INPUT, SCHEDULE_KEY } from './codec.ts'
import { nextRunMs } from './rules.ts'
import { sealScheduled } from './secrets.service.ts'
import {
  deleteOldSchedules,
  insertSchedule,
  insertScheduleLines,
  listScheduleRows,
  lockSchedules,
  resumeStopped,
  stopActive,
} from './sql.ts'
import type { Schedule } from './types.ts'
import { ACTIVE_MAX } from './types.ts'

export type SchedulesWorld = { readonly vault: Vault }

const YEAR_MS = 366 * 86_400_000
/** Time that may have passed while a person confirmed: such a file is paid at once. */
const MINUTE_MS = 60_000

/** Schedules a file of payments. It gives out a way to spend without anybody at the screen, so it asks for a proof. */
export const scheduleBatch = act({
  name: 'schedule.make',
  input: SCHEDULE_INPUT,
  async run(tx, { account, lines, ...given }, by: By<SchedulesWorld>) {
    const { memberId, sender } = await provenMember(tx, by)
    const { id: resellerId } = await getReseller(tx, account)
    const nowMs = (await lockSchedules(tx, resellerId)).getTime()
    const firstMs = given.firstAt.getTime()
    if (firstMs < nowMs - MINUTE_MS || firstMs > nowMs + YEAR_MS) {
      return { refuse: invalidFields({ first_at: ['must be a time within a year from now'] }) }
    }
    const total = lines.reduce((sum, { cost }) => sum + cost, 0n)
    if (total > given.maxCost) {
      return {
        refuse: invalidFields({
          max_cost: [`must be at least ${formatMoney(total)}: that is what the lines cost`],
        }),
      }
    }
    const present = await listScheduleRows(tx, resellerId)
    if (present.filter(({ state }) => state === 'active').length >= ACTIVE_MAX) return { refuse: full() }
    const id = await insertSchedule(tx, resellerId, { ...given, memberId, sender })
    const sealed = lines.map(({ icNumber, ...line }) => ({
      ...line,
      sealedInput: sealScheduled(by.world.vault, { resellerId, scheduleId: id, line: line.line }, icNumber),
    }))
    await insertScheduleLines(tx, resellerId, id, sealed)
    await deleteOldSchedules(tx, resellerId)
    const [result] = await listScheduleRows(tx, resellerId, id)
    assert(result !== undefined, 'a schedule that was made exists')
    return { target: targetOf(account, id), before: null, after: loggedOf(result), result }
  },
})

/** Stops a schedule. The line that is being paid then is paid still. */
export const stopSchedule = act({
  name: 'schedule.stop',
  input: SCHEDULE_KEY,
  async run(tx, { account, id }) {
    const { id: resellerId } = await getReseller(tx, account)
    await lockSchedules(tx, resellerId)
    const [before] = await listScheduleRows(tx, resellerId, id)
    if (before === undefined) return { refuse: noSuchSchedule() }
    if (!(await stopActive(tx, resellerId, id))) return { unchanged: before }
    const [result = before] = await listScheduleRows(tx, resellerId, id)
    return { target: targetOf(account, id), before: loggedOf(before), after: loggedOf(result), result }
  },
})

/** Goes on with a stopped schedule, from then on in the name of whoever says so. */
export const resumeSchedule = act({
  name: 'schedule.resume',
  input: RESUME_INPUT,
  async run(tx, { account, id, from }, by: By<unknown>) {
    const { memberId, sender } = await provenMember(tx, by)
    const { id: resellerId } = await getReseller(tx, account)
    const nowMs = (await lockSchedules(tx, resellerId)).getTime()
    const present = await listScheduleRows(tx, resellerId)
    const before = present.find((each) => each.id === id)
    if (before === undefined) return { refuse: noSuchSchedule() }
    if (before.state !== 'stopped') return { refuse: notStopped() }
    if (present.filter(({ state }) => state === 'active').length >= ACTIVE_MAX) return { refuse: full() }
    const nextMs = from === 'next' ? nextRunMs(before.every, before.firstAt.getTime(), nowMs) : null
    if (nextMs === undefined) {
      return { refuse: invalidFields({ from: ['cannot be next: the schedule has no further time'] }) }
    }
    await resumeStopped(tx, resellerId, id, {
      memberId,
      sender,
      nextAt: nextMs === null ? null : new Date(nextMs),
    })
    const [result = before] = await listScheduleRows(tx, resellerId, id)
    return { target: targetOf(account, id), before: loggedOf(before), after: loggedOf(result), result }
  },
})

/** Member who gave a fresh proof, and where. */
async function provenMember(tx: Parameters<typeof holdProof>[0], { caller }: By<unknown>) {
  assert(caller.kind === 'member', 'files are scheduled by members')
  await holdProof(tx, caller)
  return { memberId: caller.userId, sender: caller.address }
}

function targetOf(account: string, id: bigint) {
  return { kind: 'schedule', id: `${account}/${id}` }
}

function loggedOf({
  memberId,
  name,
  every,
  firstAt,
  repeats,
  maxCost,
  state,
  reason,
  runAt,
  lines,
}: Schedule) {
  return {
    ...{ member: memberId, name, every, first_at: firstAt, repeats, max_cost: formatMoney(maxCost), lines },
    ...{ state, reason, run_at: runAt },
  }
}

function full(): RequestError {
  return new RequestError({
    status: 409,
    code: 'too_many_schedules',
    publicText: `At most ${ACTIVE_MAX} schedules are active. Stop one of them first.`,
  })
}

function notStopped(): RequestError {
  return new RequestError({ status: 409, code: 'not_stopped', publicText: 'The schedule is not stopped.' })
}

function noSuchSchedule(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such schedule.' })
}
