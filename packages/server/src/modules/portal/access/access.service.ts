import { RequestError, unavailable } from '../../../lib/errors.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import { DIRECTORY_STALE_MS } from '../../accounts/directory.ts'
import type { DirectoryReseller, Scope } from '../../accounts/types.ts'
import { SCOPES } from '../../accounts/types.ts'
import type { Caller } from '../../auth/types.ts'
import { MASKS } from '../../payments/core/masks.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { PortalSettings } from './types.ts'

/** Caller's account from this node's directory, for decisions in memory. */
export function resellerOf(
  { directory }: Pick<PortalSettings, 'directory'>,
  { reseller }: { readonly reseller: Pick<MemberCaller['reseller'], 'id'> },
): DirectoryReseller {
  // The reseller API refuses in the same way: a stale node may have missed a suspension or a smaller allowlist.
  if (directory.ageMs() > DIRECTORY_STALE_MS) {
    throw unavailable('directory_stale', `the directory is ${Math.round(directory.ageMs())} ms old`)
  }
  const known = directory.findReseller(reseller.id)
  if (known === undefined) throw unavailable('directory_stale', 'the directory does not have the account yet')
  return known
}

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)
const VIEWER_SCOPES: ReadonlySet<Scope> = new Set(['read'] as const)

/** Makes a member a caller of the reseller API. */
export function memberCaller(reseller: DirectoryReseller, member: MemberCaller): Caller {
  return {
    reseller,
    kind: 'user',
    memberId: String(member.userId),
    scopes: member.role === 'admin' ? ALL_SCOPES : VIEWER_SCOPES,
  }
}

/** Allows admins only to see secrets. Viewers see everything except data that one could pay or sign with. */
export function seesSecrets({ role }: Pick<MemberCaller, 'role'>): boolean {
  return role === 'admin'
}

export function masksFor(caller: Pick<MemberCaller, 'role'>): Masks {
  return seesSecrets(caller) ? NO_MASKS : MASKS
}

export function urlsFor(caller: Pick<MemberCaller, 'role'>): (url: string) => string {
  return masksFor(caller).url
}

export function notFound(what: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}
