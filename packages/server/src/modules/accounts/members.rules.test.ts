import { describe, expect, it } from 'vitest'
import {
  coversMemberRole,
  MEMBER_PERMISSIONS,
  memberMay,
  permissionsOf,
  roleByPin,
  scopesOf,
  tokenScopesOf,
} from './members.rules.ts'
import { USER_ROLES } from './types.ts'

describe('a role of a reseller’s people', () => {
  it('an owner may do everything, and covers every role; nobody else covers the owner', () => {
    expect(permissionsOf({ role: 'admin' })).toEqual(MEMBER_PERMISSIONS)
    for (const role of USER_ROLES) {
      expect(coversMemberRole('admin', role)).toBe(true)
      expect(coversMemberRole(role, 'admin')).toBe(role === 'admin')
    }
  })

  it('a manager may do all that a cashier may, and a cashier nothing that a manager may not', () => {
    expect(coversMemberRole('manager', 'cashier')).toBe(true)
    expect(coversMemberRole('cashier', 'manager')).toBe(false)
  })

  it('an owner alone changes keys, team, prices and settings', () => {
    const guarded = [
      'developers.write',
      'team.write',
      'catalogue.write',
      'limits.write',
      'orders.write',
    ] as const
    for (const permission of guarded) {
      expect(USER_ROLES.filter((role) => memberMay({ role }, permission))).toEqual(['admin'])
    }
  })

  it('a PIN opens a cashier’s session without any right over accounts, for whoever sells and for nobody else', () => {
    expect(USER_ROLES.filter((role) => roleByPin(role) !== undefined)).toEqual([
      'admin',
      'manager',
      'cashier',
    ])
    expect(roleByPin('admin')).toBe('cashier')
    const byPin = permissionsOf({ role: 'cashier', isByPin: true })
    const inFull = permissionsOf({ role: 'cashier' })
    expect(inFull.filter((permission) => !byPin.includes(permission))).toEqual(['account', 'pin.write'])
  })

  it('a role that cannot sell has no scope to pay, and sees no PIN', () => {
    for (const role of USER_ROLES) {
      expect(scopesOf(role).has('pay')).toBe(memberMay({ role }, 'sell'))
      expect(memberMay({ role }, 'pins.read')).toBe(memberMay({ role }, 'sell'))
    }
  })

  it('a token reads the whole account for an owner and a viewer, and nothing for the others', () => {
    const readers = USER_ROLES.filter((role) => tokenScopesOf(role).has('read'))
    expect(readers).toEqual(['admin', 'viewer'])
  })
})
