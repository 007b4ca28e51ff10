import { RequestError } from '../../../lib/errors.ts'
import type { Operator } from '../../accounts/types.ts'

/** Checks the caller again under the lock: of two admins who disable each other at once, only one succeeds. */
export function mustStillBeAdmin(caller: Operator | undefined): void {
  if (caller?.role === 'admin' && caller.status === 'active') return
  throw new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'Your role does not allow this.',
  })
}

/** Refuses changes of the caller's own account, so that one admin always remains who can let the others in again. */
export function refuseOwnAccount(callerId: bigint, id: bigint): void {
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

function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}
