import { RequestError, unavailable } from '../../../lib/errors.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import { DIRECTORY_STALE_MS } from '../../accounts/directory.ts'
import { memberMay, scopesOf } from '../../accounts/members.rules.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { Caller } from '../../auth/types.ts'
import { MASKS } from '../../payments/core/masks.service.ts'
import type { Payment } from '../../payments/core/types.ts'
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

/** Makes a member a caller of the reseller API. */
export function memberCaller(reseller: DirectoryReseller, member: MemberCaller): Caller {
  return {
    reseller,
    kind: 'user',
    memberId: String(member.userId),
    scopes: scopesOf(member.role),
    ...(sellerFor(member) !== null && { seesOwnAlone: true }),
  }
}

/** Allows people only who sign requests and set receivers to see what one could do that with. */
export function seesSecrets(caller: Pick<MemberCaller, 'role'>): boolean {
  return memberMay(caller, 'developers.write')
}

/** Masks of PINs and links, which are worth money. */
export function masksFor(caller: Pick<MemberCaller, 'role'>): Masks {
  return memberMay(caller, 'pins.read') ? NO_MASKS : MASKS
}

export function urlsFor(caller: Pick<MemberCaller, 'role'>): (url: string) => string {
  return seesSecrets(caller) ? NO_MASKS.url : MASKS.url
}

/** Tells whether a caller may see a payment. */
export function maySee(
  caller: Pick<MemberCaller, 'role' | 'userId'>,
  { seller, memberId }: Pick<Payment, 'seller' | 'memberId'>,
): boolean {
  const only = sellerFor(caller)
  return only === null || (seller === 'member' && memberId === String(only))
}

/** Member whose payments alone a caller may see; null: all of the shop's. */
export function sellerFor(caller: Pick<MemberCaller, 'role' | 'userId'>): bigint | null {
  return memberMay(caller, 'payments.read') ? null : caller.userId
}

export function notFound(what: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}
