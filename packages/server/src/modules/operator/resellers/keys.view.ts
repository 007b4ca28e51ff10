import type { ApiKey } from '../../accounts/types.ts'
import { keyFieldsView } from '../../accounts/view.ts'

const ENDING = 4
const BEGINNING = /^(?:wk_[a-z]+_)?.{0,4}/

/** Shows only the part of the key that tells it from others: operators may read about a key, but not use it. */
export function keyView(key: ApiKey) {
  return {
    id: String(key.id),
    hint: `${BEGINNING.exec(key.key)?.[0] ?? ''}…${key.key.slice(-ENDING)}`,
    ...keyFieldsView(key),
  }
}
