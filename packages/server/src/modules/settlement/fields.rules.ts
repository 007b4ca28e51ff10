import { parseDay } from '../../lib/dates.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { pattern } from '../../lib/input/fields.ts'

export const PROVIDER = pattern(
  'must be the code of a provider: a-z, 0-9, - and _',
  /^[a-z0-9][a-z0-9_-]{0,39}$/,
)

export const day: Rule<string> = {
  words: 'must be a day yyyy-MM-dd',
  read: (value) => (typeof value === 'string' && parseDay(value) !== undefined ? value : undefined),
}
