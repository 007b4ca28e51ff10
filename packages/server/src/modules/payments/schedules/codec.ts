import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { input, member, resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { INSTANT } from '../../../lib/dates.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { oneOf, text } from '../../../lib/input/fields.ts'
import { ID } from '../../../lib/input/ids.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, isEnterable, MONEY, MONEY_PATTERN, parseMoney } from '../../../lib/money.ts'
import { OF_RESELLER } from '../../accounts/resellers.codec.ts'
import { BATCH_NAME_LENGTH_MAX, LINE_CELLS } from '../batches/codec.ts'
import { LINES_MAX } from '../batches/types.ts'
import type { Schedule, ScheduledLine } from './types.ts'
import { INTERVALS, REPEATS, SCHEDULE_STATES, STOP_REASONS } from './types.ts'

const GIVEN_LINE = Type.Object(
  {
    ...LINE_CELLS,
    ic_number: Type.Optional(
      orNull(
        Type.String({ maxLength: 500, description: 'Identity number; null: none. It is never shown again' }),
      ),
    ),
    cost: Type.String({
      pattern: MONEY_PATTERN,
      description: 'As the preview named it: a higher cost stops the run before the line is paid',
    }),
  },
  // A misspelt member must not be left out in silence.
  { title: 'Scheduled line', additionalProperties: false },
)
const GIVEN_LINES = Type.Array(GIVEN_LINE, { minItems: 1, maxItems: LINES_MAX })

const LINES: Rule<readonly ScheduledLine[]> = {
  message: `must be 1 to ${LINES_MAX} lines of the documented form, each with its cost and a number of its own, without NUL`,
  schema: { type: 'array' },
  read(value) {
    if (!Check(GIVEN_LINES, value) || JSON.stringify(value).includes('\\u0000')) return undefined
    if (new Set(value.map(({ line }) => line)).size < value.length) return undefined
    const lines = value.map((line) => {
      const cost = parseMoney(line.cost)
      if (cost === undefined || !isEnterable(cost)) return undefined
      const { subproduct_code, biller_code, ref2, remarks, reference, ic_number: icNumber } = line
      return {
        line: line.line,
        product: line.product,
        account: line.account,
        amount: line.amount,
        subproductCode: subproduct_code ?? null,
        billerCode: biller_code ?? null,
        ref2: ref2 ?? null,
        remarks: remarks ?? null,
        reference: reference ?? null,
        icNumber: icNumber || null,
        cost,
      }
    })
    return lines.every((line) => line !== undefined) ? lines : undefined
  },
}

const MAX_COST: Rule<Amount> = {
  ...MONEY,
  message: 'must be an amount greater than 0, such as 250.00',
  read(value) {
    const amount = MONEY.read(value)
    return amount !== undefined && isEnterable(amount) ? amount : undefined
  },
}

export const SCHEDULE_INPUT = input({
  account: OF_RESELLER,
  name: member(text(0, BATCH_NAME_LENGTH_MAX), { description: 'Name of the batches; empty: none' }),
  every: member(oneOf(INTERVALS), {
    description:
      'week and month: again at the same hour of that day; a month without the day is paid on its last one',
  }),
  firstAt: member(INSTANT, { description: 'Time of the first run, within a year from now' }),
  repeats: member(oneOf(REPEATS), {
    description:
      'Whether lines are paid that repeat a payment of a moment before: your duplicate window, or 120 s',
  }),
  maxCost: member(MAX_COST, {
    description:
      'Most that a run may cost, as the person has confirmed it: no less than its lines cost together',
  }),
  lines: member(LINES, { schema: GIVEN_LINES }),
})

export const SCHEDULE_KEY = input({ account: OF_RESELLER, id: member(ID, { identifies: 'schedule' }) })

/** Ways to go on with a schedule that was stopped. */
export const FROM = ['here', 'next'] as const

export const RESUME_INPUT = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'schedule' }),
  from: member(oneOf(FROM), {
    description:
      'here: with the line at which it was stopped, now; next: at its next time, without the rest of this run',
  }),
})

export const SCHEDULE = resource<Schedule>()('Schedule', {
  id: [Type.String(), ({ id }) => String(id)],
  name: [Type.String({ description: 'Empty: none' }), ({ name }) => name],
  member_id: [
    Type.String({ description: 'Member in whose name, and within whose right and limits, it pays' }),
    ({ memberId }) => String(memberId),
  ],
  every: [enumOf(INTERVALS, 'How often it is paid'), ({ every }) => every],
  first_at: [Instant, ({ firstAt }) => firstAt.toISOString()],
  repeats: [
    enumOf(REPEATS, 'Whether lines that repeat a payment of a moment before are paid'),
    ({ repeats }) => repeats,
  ],
  max_cost: [
    Type.String({ pattern: MONEY_PATTERN, description: 'Most that a run may cost' }),
    ({ maxCost }) => formatMoney(maxCost),
  ],
  lines: [Type.Integer({ description: 'Lines of each run' }), ({ lines }) => lines],
  state: [
    enumOf(SCHEDULE_STATES, 'stopped: it pays nothing until somebody goes on with it; ended: it was paid'),
    ({ state }) => state,
  ],
  reason: [orNull(enumOf(STOP_REASONS), 'Why it was stopped; null: it was not'), ({ reason }) => reason],
  run_at: [
    orNull(Instant, 'Time of the next run, or of the one under way; null: it has ended'),
    ({ state, runAt }) => (state === 'ended' ? null : runAt.toISOString()),
  ],
  runs: [Type.Integer({ description: 'Runs that have ended' }), ({ runs }) => runs],
  batch_id: [
    orNull(Type.String(), 'Batch of the run under way; null: none is'),
    ({ batchId }) => (batchId === null ? null : String(batchId)),
  ],
})
