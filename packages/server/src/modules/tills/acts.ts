import { RequestError } from '../../lib/errors.ts'
import { mustChange } from '../../lib/input/fields.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import { newSecret } from '../sessions/people/rules.ts'
import {
  BRANCH_CHANGE,
  BRANCH_INPUT,
  TILL_CHANGE,
  TILL_INPUT,
  TILL_KEY,
  TILL_SETTINGS_INPUT,
} from './codec.ts'
import { isOpenAt } from './shifts.sql.ts'
import {
  findSettingsRow,
  insertBranch,
  insertTill,
  listBranchRows,
  listTillRows,
  lockTills,
  setBrowser,
  updateBranch,
  updateTill,
  upsertSettings,
} from './sql.ts'
import type { Branch, Till } from './types.ts'
import { BRANCHES_MAX, TILLS_MAX } from './types.ts'

export const addBranch = act({
  name: 'branch.add',
  input: BRANCH_INPUT,
  async run(tx, { account, name }) {
    const { id } = await getReseller(tx, account)
    await lockTills(tx, id)
    const present = await listBranchRows(tx, id)
    if (present.length >= BRANCHES_MAX)
      return { refuse: full(`A shop has at most ${BRANCHES_MAX} branches.`) }
    if (isTaken(present, name)) return { refuse: taken('branch', name) }
    const result = await insertBranch(tx, id, name)
    return { target: { kind: 'branches', id: account }, before: null, after: loggedOf(result), result }
  },
})

/** Renames a branch, or says that it is not used any more. */
export const changeBranch = act({
  name: 'branch.change',
  input: BRANCH_CHANGE,
  async run(tx, { account, id, name, isRetired }) {
    mustChange({ name, isRetired })
    const reseller = await getReseller(tx, account)
    await lockTills(tx, reseller.id)
    const present = await listBranchRows(tx, reseller.id)
    const before = present.find((each) => each.id === id)
    if (before === undefined) return { refuse: unknown('branch') }
    const result = changed<Branch>(before, name, isRetired)
    const others = present.filter((each) => each.id !== id)
    if (isTaken(others, result.name)) return { refuse: taken('branch', result.name) }
    if (result.isRetired && !before.isRetired) {
      const tills = (await listTillRows(tx, reseller.id)).filter(({ branchId }) => branchId === id)
      if (
        await isOpenAt(
          tx,
          reseller.id,
          tills.map((till) => till.id),
        )
      )
        return { refuse: inShift() }
    }
    await updateBranch(tx, reseller.id, result)
    const target = { kind: 'branches', id: account }
    return { target, before: loggedOf(before), after: loggedOf(result), result }
  },
})

export const addTill = act({
  name: 'till.add',
  input: TILL_INPUT,
  async run(tx, { account, branchId, name }) {
    const { id } = await getReseller(tx, account)
    await lockTills(tx, id)
    const branch = (await listBranchRows(tx, id)).find((each) => each.id === branchId)
    if (branch === undefined || branch.isRetired) return { refuse: unknown('branch') }
    const present = await listTillRows(tx, id)
    if (present.length >= TILLS_MAX) return { refuse: full(`A shop has at most ${TILLS_MAX} tills.`) }
    const beside = present.filter((each) => each.branchId === branchId)
    if (isTaken(beside, name)) return { refuse: taken('till', name) }
    const result = await insertTill(tx, id, { branchId, name })
    return { target: { kind: 'tills', id: account }, before: null, after: loggedTill(result), result }
  },
})

/** Renames a till, or says that it is not used any more. */
export const changeTill = act({
  name: 'till.change',
  input: TILL_CHANGE,
  async run(tx, { account, id, name, isRetired }) {
    mustChange({ name, isRetired })
    const reseller = await getReseller(tx, account)
    await lockTills(tx, reseller.id)
    const present = await listTillRows(tx, reseller.id)
    const before = present.find((each) => each.id === id)
    if (before === undefined) return { refuse: unknown('till') }
    const result = changed<Till>(before, name, isRetired)
    const beside = present.filter((each) => each.id !== id && each.branchId === before.branchId)
    if (isTaken(beside, result.name)) return { refuse: taken('till', result.name) }
    if (result.isRetired && (await isOpenAt(tx, reseller.id, [id]))) return { refuse: inShift() }
    await updateTill(tx, reseller.id, result)
    const target = { kind: 'tills', id: account }
    return { target, before: loggedTill(before), after: loggedTill(result), result }
  },
})

/** Makes the browser that gets the secret this till. The one that was it before is none any more. */
export const bindTill = act({
  name: 'till.bind',
  input: TILL_KEY,
  async run(tx, { account, id }) {
    const reseller = await getReseller(tx, account)
    await lockTills(tx, reseller.id)
    const till = (await listTillRows(tx, reseller.id)).find((each) => each.id === id)
    if (till === undefined || till.isRetired) return { refuse: unknown('till') }
    const secret = newSecret('')
    await setBrowser(tx, reseller.id, id, digestOf(secret))
    const result = { till: { ...till, hasBrowser: true }, secret }
    const target = { kind: 'tills', id: account }
    return { target, before: loggedTill(till), after: loggedTill(result.till), result }
  },
})

export const putTillSettings = act({
  name: 'till_settings.put',
  input: TILL_SETTINGS_INPUT,
  async run(tx, { account, requiresShift }) {
    const { id } = await getReseller(tx, account)
    await lockTills(tx, id)
    const before = await findSettingsRow(tx, id)
    const result = { requiresShift }
    await upsertSettings(tx, id, result)
    return { target: { kind: 'till_settings', id: account }, before, after: result, result }
  },
})

function changed<Place extends Branch | Till>(
  before: Place,
  name: string | undefined,
  isRetired: boolean | undefined,
): Place {
  return { ...before, name: name ?? before.name, isRetired: isRetired ?? before.isRetired }
}

function isTaken(present: readonly { readonly name: string }[], name: string): boolean {
  return present.some((each) => each.name.toLowerCase() === name.toLowerCase())
}

function loggedOf({ id, name, isRetired }: Branch) {
  return { id: String(id), name, isRetired }
}

function loggedTill({ id, branchId, name, isRetired, hasBrowser }: Till) {
  return { id: String(id), branch: String(branchId), name, isRetired, hasBrowser }
}

function full(publicText: string): RequestError {
  return new RequestError({ status: 409, code: 'limit_reached', publicText })
}

function taken(what: string, name: string): RequestError {
  return new RequestError({
    status: 409,
    code: 'name_taken',
    publicText: `There is a ${what} called ${name} already.`,
    fields: { name: ['is taken'] },
  })
}

function inShift(): RequestError {
  return new RequestError({
    status: 409,
    code: 'shift_open',
    publicText: 'A shift is open there. Close it first.',
  })
}

function unknown(what: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}
