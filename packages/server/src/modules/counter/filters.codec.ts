import { Type } from 'typebox'
import { input, member, resource } from '../../http/codec.ts'
import { BOOLEAN, text, textRule } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { OF_RESELLER } from '../accounts/resellers.codec.ts'
import type { SavedFilter } from './types.ts'

/** Filters of the list of payments that a view may have. */
const NAMES = new Set(['status', 'product', 'account', 'refid', 'q', 'from', 'to'])
const QUERY_LENGTH_MAX = 500

const FILTER_QUERY = textRule<string>({
  message: `must be a query of the list of payments, such as status=failed&product=NOVA, of at most ${QUERY_LENGTH_MAX} characters`,
  schema: { minLength: 1, maxLength: QUERY_LENGTH_MAX },
  parse(given) {
    if (given.length > QUERY_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(given)) return undefined
    const entries = [...new URLSearchParams(given)]
    if (entries.length === 0 || !entries.every(([name, value]) => NAMES.has(name) && value !== ''))
      return undefined
    return new URLSearchParams(entries).toString()
  },
})

export const SAVED_FILTER_INPUT = input({
  account: OF_RESELLER,
  name: member(text(1, 40), { description: 'Name of the view' }),
  isShared: member(BOOLEAN, { description: 'true: for everybody of the shop; false: for oneself' }),
  query: member(FILTER_QUERY, { description: 'Filters of the list of payments, as its address has them' }),
})

export const SAVED_FILTER_KEY = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'filter' }),
})

export const SAVED_FILTER = resource<SavedFilter>()('Saved filter', {
  id: [Type.String(), ({ id }) => String(id)],
  name: [Type.String(), ({ name }) => name],
  is_shared: [
    Type.Boolean({ description: 'true: for everybody of the shop; false: for oneself' }),
    ({ memberId }) => memberId === null,
  ],
  query: [Type.String({ description: 'Filters of the list of payments' }), ({ query }) => query],
})
