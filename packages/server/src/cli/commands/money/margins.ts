import { dayOf, dayRange } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { listRealised } from '../../../modules/margins/realised/service.ts'
import { REALISED_MARGIN } from '../../../modules/operator/catalog/margins.codec.ts'
import type { Command } from '../../command.ts'
import { formatTable } from '../../text.ts'

const DAYS_MAX = 31
const DAYS_USUAL = 7
const RULES = { days: optional(dayRange(DAYS_MAX), null) }

export const marginCommands: readonly Command[] = [
  {
    name: 'margin realised',
    summary: 'show what suppliers took for payments, beside the cost of their routes',
    isLong: true,
    options: {
      days: {
        value: 'DAYS',
        help: `a day, or two of them around " - ", at most ${DAYS_MAX}; default: the last 7`,
      },
    },
    async run(call) {
      const { days } = readFields(RULES, { days: call.find('days') })
      const { database } = await call.runtime()
      const today = dayOf(Date.now())
      const realised = await listRealised(database, days ?? { from: today - DAYS_USUAL + 1, to: today })
      const views = realised.map((each) => REALISED_MARGIN.encode(each))
      return {
        json: { margins: views },
        text: formatTable(views, 'No supplier has said what it took for the payments of these days.'),
      }
    },
  },
]
