import type { Operation, OperationInput } from '../../http/operation.ts'
import { refusal } from '../../http/refusals.ts'
import { NOT_STORED } from '../../http/respond.ts'
import { RequestError } from '../../lib/errors.ts'
import { parseId } from '../../lib/input/ids.ts'
import type { MemberPermission } from '../accounts/members.rules.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import type { Authenticator } from '../auth/service.ts'
import type { Caller } from '../auth/types.ts'
import { findPayment, findPaymentById } from '../payments/core/records.service.ts'
import type { Payment } from '../payments/core/types.ts'
import type { Payments } from '../payments/take/service.ts'
import { maySellNow } from '../tills/service.ts'
import { memberCaller, notFound, resellerOf } from './access/access.service.ts'
import type { PortalSettings } from './access/types.ts'

// Operations of the reseller API that the portal offers too (selling, cases). Members use the same operation at a path
// of the portal: there is one behaviour, and the portal's forms show every integrator how to use it.

/** Authenticates a member whose role has the permission as a caller of the reseller API. */
export function memberAsCaller(
  settings: Pick<PortalSettings, 'authenticate' | 'directory'>,
  permission: MemberPermission,
): Authenticator {
  return (scope) => {
    const authenticate = settings.authenticate(permission)
    return async (request) => {
      const authenticated = await authenticate(request)
      const member = authenticated.caller
      const reseller = resellerOf(settings, member)
      if (scope === 'pay') refuseForeignAddress(reseller, request.address)
      return { ...authenticated, caller: memberCaller(reseller, member) }
    }
  }
}

/**
 * Refuses payments from addresses that are not allowed, also in a session: a stolen session can pay no more than a
 * stolen key. Everything else is open from every address, also the allowlist itself, or a mistake would lock its owner
 * out.
 */
function refuseForeignAddress(reseller: DirectoryReseller, address: string): void {
  if (reseller.allowsAddress(address)) return
  throw refusal('ip_not_allowed', {
    publicText: `The address ${address} is not on this account's allowlist.`,
  })
}

export type MountPoint = { readonly path: string; readonly operationId: string; readonly tag: string }

/**
 * Moves the operations to their paths in the portal. `mountPoints` is keyed by the path in the reseller API, with the
 * method before it where a path has several operations.
 */
export function mounted(
  operations: readonly Operation[],
  mountPoints: Readonly<Record<string, MountPoint>>,
): Operation[] {
  return operations.map((each) => {
    const place = mountPoints[`${each.method} ${each.path}`] ?? mountPoints[each.path]
    if (place === undefined) throw new Error(`${each.path} has no place in the portal`)
    const { path, operationId, tag } = place
    return { ...each, path, docs: { ...each.docs, operationId, tag }, handle: notStored(each.handle) }
  })
}

/**
 * Payments as members make them. A member who sees no payments but their own is not told about those of others, and one
 * who needs a shift makes no new payment without it; an existing one is answered all the same.
 */
export function memberPayments(
  payments: Payments,
  { database, vault }: Pick<PortalSettings, 'database' | 'vault'>,
): Payments {
  return {
    ...payments,
    async pay(input) {
      const { caller, request } = input
      const { id } = caller.reseller
      if (
        !(await maySellNow(database, id, BigInt(caller.memberId))) &&
        (await findPayment(database, vault, id, request.refid)) === undefined
      ) {
        throw shiftRequired()
      }
      const result = await payments.pay(input)
      if (result.kind !== 'rejected' && !isFor(caller, result.payment)) throw foreignPayment()
      return result
    },
  }
}

/** Makes operations on one transaction answer 404 where their caller may not see it. */
export function forItsSeller(
  operation: Operation,
  { database, vault }: Pick<PortalSettings, 'database' | 'vault'>,
): Operation {
  return {
    ...operation,
    async handle(input) {
      const { caller, params } = input as OperationInput<
        Caller,
        never,
        never,
        { readonly transaction_id: string }
      >
      const id = parseId(params.transaction_id)
      if (caller.seesOwnAlone === true && id !== undefined) {
        const payment = await findPaymentById(database, vault, caller.reseller.id, id)
        if (payment === undefined || !isFor(caller, payment)) throw notFound('payment')
      }
      return operation.handle(input)
    },
  }
}

function isFor(
  { seesOwnAlone = false, memberId }: Pick<Caller, 'seesOwnAlone' | 'memberId'>,
  payment: Pick<Payment, 'seller' | 'memberId'>,
): boolean {
  return !seesOwnAlone || (payment.seller === 'member' && payment.memberId === memberId)
}

function shiftRequired(): RequestError {
  return new RequestError({
    status: 403,
    code: 'shift_required',
    publicText: 'This shop sells in shifts: open or join one first. Nothing was paid.',
  })
}

function foreignPayment(): RequestError {
  return new RequestError({
    status: 403,
    code: 'foreign_payment',
    publicText: 'Somebody else of the shop has used this reference. This request paid nothing.',
  })
}

/** Forbids storing also what programs may keep: no browser may show one person's prices to the next. */
function notStored(handle: Operation['handle']): Operation['handle'] {
  return async (input) => {
    const output = await handle(input)
    return { ...output, headers: { ...output.headers, [NOT_STORED.name]: NOT_STORED.value } }
  }
}
