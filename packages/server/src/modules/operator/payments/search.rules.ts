import { SEARCH_TEXT } from '../../../lib/input/named.ts'
import { required } from '../../../lib/input/parameters.ts'

export const EVERYTHING_RULES = { q: required('q', SEARCH_TEXT) }
