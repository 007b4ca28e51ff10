import { Type } from 'typebox'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { BOOLEAN, text } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { OF_RESELLER } from '../accounts/resellers.codec.ts'
import type { Branch, PlacedTill, Till, TillSettings } from './types.ts'

const NAME = text(1, 40)
const RETIRED = 'true: not used any more. What was sold there goes on naming it'

export const BRANCH_INPUT = input({
  account: OF_RESELLER,
  name: member(NAME, { description: 'Name of the branch; no other one of the shop has it' }),
})

export const BRANCH_CHANGE = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'branch' }),
  name: optionalMember(NAME, { description: 'Name of the branch' }),
  isRetired: optionalMember(BOOLEAN, { description: RETIRED }),
})

export const TILL_INPUT = input({
  account: OF_RESELLER,
  branchId: member(ID, { description: 'Branch in which it stands' }),
  name: member(NAME, { description: 'Name of the till; no other one of the branch has it' }),
})

export const TILL_CHANGE = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'till' }),
  name: optionalMember(NAME, { description: 'Name of the till' }),
  isRetired: optionalMember(BOOLEAN, { description: RETIRED }),
})

export const TILL_KEY = input({ account: OF_RESELLER, id: member(ID, { identifies: 'till' }) })

export const TILL_SETTINGS_INPUT = input({
  account: OF_RESELLER,
  requiresShift: member(BOOLEAN, { description: 'true: members sell only while they are in a shift' }),
})

const BRANCH_COLUMNS = {
  id: [Type.String(), ({ id }: Branch) => String(id)],
  name: [Type.String(), ({ name }: Branch) => name],
  is_retired: [Type.Boolean({ description: RETIRED }), ({ isRetired }: Branch) => isRetired],
} as const

export const BRANCH = resource<Branch>()('Branch', BRANCH_COLUMNS)

export const TILL = resource<Till>()('Till', {
  id: [Type.String(), ({ id }) => String(id)],
  branch_id: [Type.String({ description: 'Branch in which it stands' }), ({ branchId }) => String(branchId)],
  name: [Type.String(), ({ name }) => name],
  is_retired: [Type.Boolean({ description: RETIRED }), ({ isRetired }) => isRetired],
  has_browser: [
    Type.Boolean({ description: 'true: a browser is this till, and opens its shifts' }),
    ({ hasBrowser }) => hasBrowser,
  ],
})

export const PLACED_TILL = resource<PlacedTill>()('Till of a branch', {
  id: [Type.String(), ({ id }) => String(id)],
  name: [Type.String(), ({ name }) => name],
  is_retired: [Type.Boolean({ description: RETIRED }), ({ isRetired }) => isRetired],
  branch: [BRANCH.schema, ({ branch }) => BRANCH.encode(branch)],
})

export const TILL_SETTINGS = resource<TillSettings>()('Till settings', {
  requires_shift: [
    Type.Boolean({ description: 'true: members sell only while they are in a shift' }),
    ({ requiresShift }) => requiresShift,
  ],
})
