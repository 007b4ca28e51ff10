import { expect, it } from 'vitest'
import { OPERATOR_ROLES } from '../../accounts/types.ts'
import type { Permission } from './roles.rules.ts'
import { mayDo, PERMISSIONS, rolesFor } from './roles.rules.ts'

it('an admin may do everything', () => {
  expect(PERMISSIONS.filter((permission) => !mayDo('admin', permission))).toEqual([])
})

it('a role that may only read may do nothing but read', () => {
  const allowed = PERMISSIONS.filter((permission) => mayDo('read_only', permission))
  expect(allowed.filter((permission) => !permission.endsWith('.read'))).toEqual([])
})

it('no role but the admin both asks for money and looks after products', () => {
  const money: Permission[] = ['money.write', 'approvals.decide']
  const goods: Permission[] = ['catalogue.write', 'levels.write', 'providers.write']
  const both = OPERATOR_ROLES.filter(
    (role) => money.some((each) => mayDo(role, each)) && goods.some((each) => mayDo(role, each)),
  )
  expect(both).toEqual(['admin'])
})

it('a permission that nobody else has still names the admin', () => {
  expect(rolesFor('operators.write')).toEqual(['admin'])
})
