import type { Masks } from '../../../lib/secrets/masks.ts'
import { NO_MASKS, urlWithoutQuery } from '../../../lib/secrets/masks.ts'
import { seesSecrets } from '../../auth/service.ts'
import type { Caller } from '../../auth/types.ts'
import { maskLink, maskSecret } from './masking.rules.ts'

/** How what is worth money is shown to those who may not use it; rules of other modules take it as a parameter. */
export const MASKS: Masks = { secret: maskSecret, link: maskLink, url: urlWithoutQuery }

/** How a caller of the reseller API sees PINs and links of payments, and where its receivers are. */
export function masksFor(caller: Caller): Masks {
  return seesSecrets(caller) ? NO_MASKS : MASKS
}
