import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { input, member, optionalMember, resource } from '../../../http/codec.ts'
import { Instant, orNull } from '../../../http/schemas.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { text } from '../../../lib/input/fields.ts'
import { ID } from '../../../lib/input/ids.ts'
import { formatMoney } from '../../../lib/money.ts'
import { OF_RESELLER } from '../../accounts/resellers.codec.ts'
import type { Batch, BatchLine } from './types.ts'
import { LINES_MAX } from './types.ts'

export const BATCH_NAME_LENGTH_MAX = 100
const LINE_NUMBER_MAX = 1_000_000

const cell = (lengthMax: number, description: string) => Type.String({ maxLength: lengthMax, description })
const extra = (lengthMax: number, description: string) => orNull(cell(lengthMax, description))

const LINE_MEMBERS = {
  line: Type.Integer({ minimum: 0, maximum: LINE_NUMBER_MAX, description: 'Number of the line in the file' }),
  refid: Type.String({ pattern: '^bulk-[0-9a-f]{40}$', description: 'As the preview named it' }),
  product: cell(500, 'Code'),
  account: cell(500, 'Account of the customer'),
  amount: cell(500, "In the product's own unit"),
  subproduct_code: extra(500, 'Plan; null: none'),
  biller_code: extra(500, 'Biller; null: none'),
  ref2: extra(500, 'Second reference; null: none'),
  remarks: extra(2_000, 'Remarks; null: none'),
  reference: extra(500, 'Your own; null: none'),
}

const { refid, subproduct_code, biller_code, ref2, remarks, reference, ...needed } = LINE_MEMBERS
/** Members of a line that say what is paid. */
export const LINE_CELLS = {
  ...needed,
  subproduct_code: Type.Optional(subproduct_code),
  biller_code: Type.Optional(biller_code),
  ref2: Type.Optional(ref2),
  remarks: Type.Optional(remarks),
  reference: Type.Optional(reference),
}
const GIVEN_LINE = Type.Object({ ...LINE_CELLS, refid }, { title: 'Batch line', additionalProperties: false })
const GIVEN_LINES = Type.Array(GIVEN_LINE, { minItems: 1, maxItems: LINES_MAX })

const LINES: Rule<readonly BatchLine[]> = {
  message: `must be 1 to ${LINES_MAX} lines of the documented form, without NUL`,
  schema: { type: 'array' },
  read(value) {
    if (!Check(GIVEN_LINES, value) || JSON.stringify(value).includes('\\u0000')) return undefined
    return value.map((line) => ({
      line: line.line,
      refid: line.refid,
      product: line.product,
      account: line.account,
      amount: line.amount,
      subproductCode: line.subproduct_code ?? null,
      billerCode: line.biller_code ?? null,
      ref2: line.ref2 ?? null,
      remarks: line.remarks ?? null,
      reference: line.reference ?? null,
    }))
  },
}

export const BATCH_INPUT = input({
  account: OF_RESELLER,
  name: member(text(0, BATCH_NAME_LENGTH_MAX), { description: 'Name of the batch; empty: none' }),
  batch: optionalMember(ID, {
    identifies: 'batch',
    description: 'Batch of yours that gets further lines; left out: a new one',
  }),
  lines: member(LINES, { schema: GIVEN_LINES }),
})

/** Answer of keeping one: what a file's further lines are kept with. */
export const KEPT_BATCH = resource<{ readonly id: bigint }>()('Kept batch', {
  id: [Type.String(), ({ id }) => String(id)],
})

export const BATCH = resource<Batch>()('Batch', {
  id: [Type.String(), ({ id }) => String(id)],
  name: [Type.String({ description: 'Empty: none' }), ({ name }) => name],
  member_id: [Type.String({ description: 'Member who paid it' }), ({ memberId }) => String(memberId)],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  schedule_id: [
    orNull(Type.String(), 'Schedule whose run it is; null: a member paid it on the page'),
    ({ scheduleId }) => (scheduleId === null ? null : String(scheduleId)),
  ],
  run: [orNull(Type.Integer(), 'Number of the run; null: it is none'), ({ run }) => run],
  cost: [
    Type.String({ description: 'Cost of the lines that are paid or pending' }),
    ({ counts }) => formatMoney(counts.cost),
  ],
  lines: [Type.Integer(), ({ counts }) => counts.lines],
  successful: [Type.Integer(), ({ counts }) => counts.successful],
  pending: [Type.Integer(), ({ counts }) => counts.pending],
  failed: [Type.Integer(), ({ counts }) => counts.failed],
  refunded: [Type.Integer(), ({ counts }) => counts.refunded],
  unpaid: [
    Type.Integer({ description: 'Lines without a payment: refused, or not sent' }),
    ({ counts }) => counts.unpaid,
  ],
})

export const BATCH_LINE = resource<BatchLine>()('Kept batch line', {
  line: [LINE_MEMBERS.line, ({ line }) => line],
  refid: [Type.String({ description: 'Reference of its payment' }), ({ refid }) => refid],
  product: [LINE_MEMBERS.product, ({ product }) => product],
  account: [LINE_MEMBERS.account, ({ account }) => account],
  amount: [LINE_MEMBERS.amount, ({ amount }) => amount],
  subproduct_code: [LINE_MEMBERS.subproduct_code, ({ subproductCode }) => subproductCode],
  biller_code: [LINE_MEMBERS.biller_code, ({ billerCode }) => billerCode],
  ref2: [LINE_MEMBERS.ref2, ({ ref2 }) => ref2],
  remarks: [LINE_MEMBERS.remarks, ({ remarks }) => remarks],
  reference: [LINE_MEMBERS.reference, ({ reference }) => reference],
  refusal: [
    orNull(Type.String(), 'Why a run left the line out, as a payment is refused; null: it did not'),
    ({ refusal }) => refusal ?? null,
  ],
})
