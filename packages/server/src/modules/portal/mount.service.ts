import type { Operation } from '../../http/operation.ts'
import { refusal } from '../../http/refusals.ts'
import { NOT_STORED } from '../../http/respond.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import type { Authenticator } from '../auth/service.ts'
import { memberCaller, resellerOf } from './access/access.service.ts'
import type { PortalSettings } from './access/types.ts'

// Operations of the reseller API that the portal offers too (selling, cases). Members use the same operation at a path
// of the portal: there is one behaviour, and the portal's forms show every integrator how to use it.

/** Authenticates a member as a caller of the reseller API: viewers may read, admins may do the rest. */
export function memberAsCaller(settings: Pick<PortalSettings, 'authenticate' | 'directory'>): Authenticator {
  return (scope) => {
    const authenticate = scope === 'read' ? settings.authenticate('viewer') : settings.authenticate('admin')
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

/** Forbids storing also what programs may keep: no browser may show one person's prices to the next. */
function notStored(handle: Operation['handle']): Operation['handle'] {
  return async (input) => {
    const output = await handle(input)
    return { ...output, headers: { ...output.headers, [NOT_STORED.name]: NOT_STORED.value } }
  }
}
