import { RequestError } from '../../../lib/errors.ts'
import type { Operator } from '../../accounts/types.ts'

/** Whoever is let in by a token would stay when the token is gone: a person signs in for this. */
export function mustBePresent({ via }: { readonly via: 'session' | 'token' }): void {
  if (via === 'session') return
  throw new RequestError({
    status: 403,
    code: 'session_required',
    publicText: 'Operators are changed by an admin who is signed in, not by a token.',
  })
}

/** Looked at again under the lock: of two admins who disable each other at once, one does. */
export function mustStillBeAdmin(caller: Operator | undefined): void {
  if (caller?.role === 'admin' && caller.status === 'active') return
  throw new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'Your role does not allow this.',
  })
}

/** So that there is always an admin left who can let the others in again. */
export function mustBeAnother(callerId: bigint, id: bigint): void {
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

/** Of one's own making one cannot be the second person. */
export function mustBeIndependent(isIndependent: boolean): void {
  if (isIndependent) return
  throw new RequestError({
    status: 403,
    code: 'not_independent',
    publicText: 'Somebody has to vouch who is not behind letting this operator in.',
  })
}

function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}
