import type { Masks } from '../../../lib/secrets/masks.ts'
import { NO_MASKS, urlWithoutQuery } from '../../../lib/secrets/masks.ts'
import { seesSecrets } from '../../auth/service.ts'
import type { Caller } from '../../auth/types.ts'
import { maskLink, maskSecret } from './masking.rules.ts'

/**
 * Masks for values that are worth money, for readers who may not use them. Rules of other modules take them as a
 * parameter.
 */
export const MASKS: Masks = { secret: maskSecret, link: maskLink, url: urlWithoutQuery }

/**
 * Selects the masks for PINs, links of payments and addresses of receivers, as a caller of the reseller API sees them.
 */
export function masksFor(caller: Caller): Masks {
  return seesSecrets(caller) ? NO_MASKS : MASKS
}
