import type { Masks } from '../../lib/masks.ts'
import { NO_MASKS } from '../../lib/masks.ts'
import { seesSecrets } from '../auth/service.ts'
import type { Caller } from '../auth/types.ts'
import { maskLink, maskSecret } from './support.rules.ts'

const MASKS: Masks = { secret: maskSecret, link: maskLink }

/** How a caller of the reseller API sees PINs and links of payments. */
export function masksFor(caller: Caller): Masks {
  return seesSecrets(caller) ? NO_MASKS : MASKS
}
