import type { IncomingRequest } from '../../../http/operation.ts'
import { findCookie } from '../../sessions/people/rules.ts'
import { headerOf, isSecure } from '../../sessions/session/authentication.service.ts'
import { tillCookieName } from '../../tills/rules.ts'
import { findTillOfBrowser } from '../../tills/service.ts'
import type { PlacedTill } from '../../tills/types.ts'
import type { PortalSettings } from '../access/types.ts'

/** Secret by which the browser of a request is a till; undefined: it is none. */
export function tillSecretOf(
  { sessions }: Pick<PortalSettings, 'sessions'>,
  request: IncomingRequest,
): string | undefined {
  return findCookie(headerOf(request, 'cookie'), tillCookieName(isSecure(sessions.config)))
}

/** Finds the till from which a request comes; undefined: from none of the shop's. */
export function tillOf(
  settings: Pick<PortalSettings, 'sessions' | 'database'>,
  request: IncomingRequest,
  resellerId: bigint,
): Promise<PlacedTill | undefined> {
  return findTillOfBrowser(settings.database, resellerId, tillSecretOf(settings, request))
}
