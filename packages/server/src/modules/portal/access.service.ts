import { RequestError, unavailable } from '../../lib/errors.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import { MASKS } from '../payments/listing.service.ts'
import type { MemberCaller } from '../sessions/types.ts'
import { urlWithoutQuery } from './endpoints.rules.ts'
import type { Masks } from './payments.rules.ts'
import { NO_MASKS } from './payments.rules.ts'
import type { PortalSettings } from './types.ts'

/** The caller's account as this node's directory has it, for what is decided in memory. */
export function resellerOf(
  { directory }: Pick<PortalSettings, 'directory'>,
  { reseller }: MemberCaller,
): DirectoryReseller {
  const known = directory.findReseller(reseller.id)
  if (known === undefined) throw unavailable('directory_stale', 'the directory does not have the account yet')
  return known
}

/** Viewers look at everything but what could be spent or signed with. */
export function seesSecrets({ role }: Pick<MemberCaller, 'role'>): boolean {
  return role === 'admin'
}

export function masksFor(caller: Pick<MemberCaller, 'role'>): Masks {
  return seesSecrets(caller) ? NO_MASKS : MASKS
}

export function urlsFor(caller: Pick<MemberCaller, 'role'>): (url: string) => string {
  return seesSecrets(caller) ? (url) => url : urlWithoutQuery
}

export function notFound(what: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}
