import { RequestError } from '../../lib/errors.ts'
import type { LoginStatus, Operator, User, UserRole } from '../accounts/types.ts'
import { coversRole } from '../sessions/people/rules.ts'
import { GRANT_KINDS } from './types.ts'

/** Days in which the link of a mail stops a request, or undoes it. */
export const STOP_LIFETIME_DAYS = 10

/** Tells whether the change gives a user of a reseller more than they have. */
export function isUserGrant(
  { role, status }: Pick<User, 'role' | 'status'>,
  changes: { readonly role?: UserRole | undefined; readonly status?: LoginStatus | undefined },
): boolean {
  return (
    (changes.role === 'admin' && role !== 'admin') || (changes.status === 'active' && status !== 'active')
  )
}

/** Tells whether the change gives an operator something that they do not have. */
export function isOperatorGrant(
  { role, status }: Pick<Operator, 'role' | 'status'>,
  changes: {
    readonly role?: Operator['role'] | undefined
    readonly status?: LoginStatus | undefined
  },
): boolean {
  const isWider = changes.role !== undefined && !coversRole(role, changes.role)
  return isWider || (changes.status === 'active' && status !== 'active')
}

/** Tells whether a request of this kind gives somebody access, or decides who is warned of it. */
export function isGrantKind(kind: string): boolean {
  return GRANT_KINDS.some((each) => each === kind)
}

/** Refuses tokens: a thief of a token could ask for a login of their own. */
export function requireSessionToGrant({ via }: { readonly via: 'session' | 'token' }): void {
  if (via === 'session') return
  throw new RequestError({
    status: 403,
    code: 'session_required',
    publicText:
      'This gives access to money, and is asked for by an operator who is signed in, not by a token.',
  })
}
