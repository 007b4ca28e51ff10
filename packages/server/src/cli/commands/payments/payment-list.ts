import { invalidFields } from '../../../lib/errors.ts'
import { describeRule } from '../../../lib/input/fields.ts'
import { readNumbers } from '../../../modules/numbers/plans.service.ts'
import { PAGE_RULES, PAGE_USUAL } from '../../../modules/operator/kit/pages.rules.ts'
import { FOUND_PAYMENT, STUCK_PAYMENT } from '../../../modules/operator/payments/payments.codec.ts'
import { DAYS_MAX } from '../../../modules/operator/payments/payments.rules.ts'
import { searchForOperators } from '../../../modules/operator/payments/payments.service.ts'
import { listStuckPayments } from '../../../modules/payments/support/support.service.ts'
import type { Call, Command, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { readDays, readLimit } from '../../options.ts'
import { formatTable } from '../../text.ts'

/** Filters that the list of overdue payments accepts. */
const STUCK_FILTERS = ['reseller', 'product', 'refid'] as const
const OTHER_FILTERS = ['status', 'account', 'from', 'to', 'cursor'] as const
const STUCK_MAX = 1_000
const LIMIT = PAGE_RULES.limit

export const paymentListCommand: Command = {
  name: 'payment list',
  isLong: true,
  summary: 'list payments of all resellers or of one, newest first',
  details:
    'Without --account and --refid it looks at the last 31 days, or at the days from --from to --to, at most 31.\n' +
    '--stuck lists payments past their due time, longest overdue first; it goes with --reseller, --product and --refid.',
  options: {
    reseller: { value: 'ACCOUNT', help: 'of this reseller alone', names: 'reseller' },
    status: { value: 'STATE', help: 'pending, succeeded, failed or voided' },
    product: { value: 'CODE', help: 'of this product alone', names: 'product' },
    account: { value: 'TEXT', help: 'the customer account, exactly: a phone number, a bill’s account' },
    refid: { value: 'TEXT', help: "the reseller's reference, exactly" },
    from: { value: 'DAY', help: 'yyyy-MM-dd (GMT+8), the first day' },
    to: { value: 'DAY', help: 'yyyy-MM-dd (GMT+8), the last day (default: --from)' },
    stuck: { help: 'only payments past their due time' },
    cursor: { value: 'NUMBER', help: 'go on after this payment: the cursor of the page before' },
    limit: { value: 'NUMBER', help: `at most this many, ${describeRule(LIMIT)} (default 50)` },
  },
  run: (call) => (call.has('stuck') ? listStuck(call) : listFound(call)),
}

async function listFound(call: Call): Promise<Output> {
  const days = findDays(call)
  const limit = readLimit(call, PAGE_USUAL, LIMIT)
  const { database } = await call.runtime()
  const { items, cursor } = await searchForOperators(
    { database, nowMs: Date.now, numbers: { current: await readNumbers(database) } },
    {
      account: call.find('reseller'),
      state: call.find('status'),
      product: call.find('product'),
      customer: call.find('account'),
      refid: call.find('refid'),
      days,
      cursor: call.find('cursor'),
      limit: String(limit),
    },
  )
  const payments = items.map((each) => FOUND_PAYMENT.encode(each))
  const rows = payments.map(({ product_name: _name, face_value: _face, remarks: _remarks, ...row }) => row)
  const more = cursor === null ? '' : `\n\nThere are more: --cursor ${cursor}`
  return { json: { payments, cursor }, text: `${formatTable(rows, 'There is no such payment.')}${more}` }
}

function findDays(call: Call): string | undefined {
  const from = call.find('from')
  const to = call.find('to')
  if (from === undefined && to !== undefined) throw new UsageError('--to needs --from')
  if (from === undefined) return undefined
  const days = readDays(from, to ?? from)
  if (days.to - days.from >= DAYS_MAX) {
    throw invalidFields({ to: [`must be at most ${DAYS_MAX} days from the first`] })
  }
  return `${from} - ${to ?? from}`
}

async function listStuck(call: Call): Promise<Output> {
  const other = OTHER_FILTERS.find((name) => call.has(name))
  if (other !== undefined) throw new UsageError(`--stuck does not go with --${other}`)
  const limit = readLimit(call, PAGE_USUAL, LIMIT)
  const { database } = await call.runtime()
  const wanted = Object.fromEntries(STUCK_FILTERS.map((name) => [name, call.find(name)]))
  const stuck = (await listStuckPayments(database, { limit: STUCK_MAX })).map((each) =>
    STUCK_PAYMENT.encode(each),
  )
  const payments = stuck
    .filter((payment) => STUCK_FILTERS.every((name) => (wanted[name] ?? payment[name]) === payment[name]))
    .slice(0, limit)
  return {
    json: { payments, cursor: null },
    text: formatTable(payments, 'No such payment is past its due time.'),
  }
}
