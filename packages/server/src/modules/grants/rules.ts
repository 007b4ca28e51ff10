import { RequestError } from '../../lib/errors.ts'
import { coversMemberRole } from '../accounts/members.rules.ts'
import { conflict } from '../accounts/rules.ts'
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
    (changes.role !== undefined && !coversMemberRole(role, changes.role)) ||
    (changes.status === 'active' && status !== 'active')
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

/** Checks the caller again under the lock: of two admins who disable each other at once, only one succeeds. */
export function mustStillBeAdmin<P extends User | Operator>(caller: P | undefined): P {
  if (caller?.role === 'admin' && caller.status === 'active') return caller
  throw new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'Your role does not allow this.',
  })
}

/** Refuses changes of the caller's own account, so that one admin always remains who can let the others in again. */
export function refuseOwnAccount(callerId: bigint, id: bigint | undefined): void {
  if (callerId !== id) return
  throw conflict('own_account', 'Nobody changes their own role or status: ask another admin.')
}

export function mustNeedIt({ status, empoweredBy }: Operator): void {
  if (status !== 'active') throw keptOut()
  if (empoweredBy === null)
    throw conflict('independent', 'This operator counts as a person of their own already.')
}

export function keptOut(): RequestError {
  return conflict('operator_disabled', 'This operator is kept out.')
}

/**
 * Refuses a caller who is not independent of this operator: nobody can be the second person for an operator they let
 * in.
 */
export function mustBeIndependent(isIndependent: boolean): void {
  if (isIndependent) return
  throw new RequestError({
    status: 403,
    code: 'not_independent',
    publicText: 'An admin who is independent of this operator has to vouch.',
  })
}
