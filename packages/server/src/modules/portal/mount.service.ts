import type { Operation } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import type { DirectoryReseller, Scope } from '../accounts/types.ts'
import { SCOPES } from '../accounts/types.ts'
import type { Authenticator } from '../auth/service.ts'
import { resellerOf } from './access/access.service.ts'
import type { PortalSettings } from './access/types.ts'

// What a member does as any integrator would (selling, cases) is the reseller API's own operation at a place in the
// portal: one behaviour, and the portal's forms are the reference for everybody's.

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)
const VIEWER_SCOPES: ReadonlySet<Scope> = new Set(['read'] as const)

/** A signed-in member as the reseller API knows its callers: viewers read, admins do the rest. */
export function memberAsCaller(settings: Pick<PortalSettings, 'authenticate' | 'directory'>): Authenticator {
  return (scope) => {
    const authenticate = scope === 'read' ? settings.authenticate('viewer') : settings.authenticate('admin')
    return async (request) => {
      const authenticated = await authenticate(request)
      const member = authenticated.caller
      const reseller = resellerOf(settings, member)
      if (scope === 'pay') refuseForeignAddress(reseller, request.address)
      const caller = {
        reseller,
        kind: 'user' as const,
        memberId: String(member.userId),
        scopes: member.role === 'admin' ? ALL_SCOPES : VIEWER_SCOPES,
      }
      return { ...authenticated, caller }
    }
  }
}

/**
 * Money leaves the wallet from allowed addresses alone, whoever asks: a session that was stolen pays no more than a key
 * that was. Everything else is open from everywhere, the allowlist itself too, or a slip would lock its owner out.
 */
function refuseForeignAddress(reseller: DirectoryReseller, address: string): void {
  if (reseller.allowsAddress(address)) return
  throw new RequestError({
    status: 403,
    code: 'ip_not_allowed',
    publicText: `The address ${address} is not on this account's allowlist.`,
  })
}

export type Place = { readonly path: string; readonly operationId: string; readonly tag: string }

/** The operations at their places in the portal, by the path that they have in the reseller API. */
export function mounted(
  operations: readonly Operation[],
  places: Readonly<Record<string, Place>>,
): Operation[] {
  return operations.map((each) => {
    const place = places[each.path]
    if (place === undefined) throw new Error(`${each.path} has no place in the portal`)
    const { path, operationId, tag } = place
    return { ...each, path, docs: { ...each.docs, operationId, tag } }
  })
}
