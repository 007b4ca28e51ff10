import { formatDay } from '../../lib/dates.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import type { Month } from './closings/types.ts'
import { MONTH, parseMonth } from './statement/statement.rules.ts'

/** Reads the month; without one, returns the present month. */
export function readMonth(text: string | undefined, today: number): Month {
  const month = parseMonth(text || formatDay(today).slice(0, 'yyyy-MM'.length))
  if (month === undefined) throw invalidFields({ month: [MONTH.message] })
  return month
}

/** Types that browsers send for CSV files on different systems. */
const CSV_TYPES =
  /^(?:text\/(?:csv|plain|tab-separated-values|x-csv)|application\/(?:csv|octet-stream|vnd\.ms-excel))\s*(?:;|$)/i

export function mustBeCsv(contentType: string | string[] | undefined): void {
  const [type] = Array.isArray(contentType) ? contentType : [contentType]
  if (type === undefined || CSV_TYPES.test(type)) return
  throw new RequestError({
    status: 415,
    code: 'unsupported_media_type',
    publicText: 'The body must be the CSV file itself: send Content-Type: text/csv.',
  })
}
