import { idRule } from '../../../lib/input/ids.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { resolvePayment } from '../../../modules/operator/payments/acts.ts'
import { ATTEMPT_HISTORY } from '../../../modules/operator/payments/payments.codec.ts'
import { getForOperators } from '../../../modules/operator/payments/payments.service.ts'
import { statusOf } from '../../../modules/payments/core/view.ts'
import { getAttemptHistory } from '../../../modules/payments/read/attempt-history.service.ts'
import type {
  PaymentName,
  PaymentReport,
  StuckPayment,
} from '../../../modules/payments/support/support.service.ts'
import { getPaymentReport, listStuckPayments } from '../../../modules/payments/support/support.service.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { EXIT_CODES, REFERENCE_OPTION } from '../../money.ts'
import { openReseller, readLimit, readOption } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

export const paymentCommands: readonly Command[] = [
  {
    name: 'payment show',
    summary:
      'show a payment, its attempts and the data for the supplier; PIN, link and identity number are masked',
    options: {
      reseller: RESELLER_OPTION,
      refid: { value: 'TEXT', help: "the reseller's reference" },
      id: { value: 'NUMBER', help: 'the transaction id' },
    },
    async run(call) {
      const name = readName(call)
      const { reseller } = await openReseller(call)
      const runtime = await call.runtime()
      const report = await getPaymentReport(runtime, reseller.id, name)
      return withAttempts(
        showReport(reseller.account, report),
        ATTEMPT_HISTORY.encode({
          ...report,
          history: await getAttemptHistory(runtime.database, report.payment),
        }),
      )
    },
  },
  {
    name: 'payment stuck',
    isLong: true,
    summary: 'list payments that are past their due time, longest overdue first',
    options: { limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' } },
    async run(call) {
      const limit = readLimit(call, 100)
      const { database } = await call.runtime()
      return showStuck(await listStuckPayments(database, { limit }))
    },
  },
  actCommand({
    name: 'payment resolve',
    summary: 'end a payment that is past its due time, after an operator asked the provider',
    details:
      'The reason is on the timeline. A failure gives the money back. If the provider contradicts it later, an ' +
      `alert is raised and no money moves: be certain.\n${EXIT_CODES}`,
    act: resolvePayment,
    without: ['paymentId', 'evidence', 'pin'],
    options: {
      reseller: RESELLER_OPTION,
      refid: { value: 'TEXT', help: "the reseller's reference" },
      id: { value: 'NUMBER', help: 'the transaction id' },
      reason: { value: 'TEXT', help: 'how you know', required: true },
      'pin-stdin': { help: 'succeeded: read the PIN that the provider gave from standard input' },
      reference: REFERENCE_OPTION,
    },
    async input(call) {
      const name = readName(call)
      const { reseller } = await openReseller(call)
      const { payment } = await getPaymentReport(await call.runtime(), reseller.id, name)
      return {
        payment_id: String(payment.id),
        evidence: call.text('reason'),
        ...(call.has('pin-stdin') && { pin: (await call.readInput()).trim() }),
      }
    },
    optionNames: () => ({ evidence: 'reason' }),
    reason: (call) => call.text('reason'),
    world: ({ vault }) => ({ vault }),
    once: ({ payment_id: id }, runtime) => ({
      target: { kind: 'payment', id: String(id) },
      show: () => getForOperators(runtime, String(id)),
    }),
    show: (report) => showReport(report.account, report),
  }),
]

const PAYMENT_ID = idRule('must be a transaction id')

function readName(call: Call): PaymentName {
  const refid = call.find('refid')
  const id = call.find('id')
  if (refid !== undefined && id === undefined) return { refid }
  if (id === undefined || refid !== undefined) throw new UsageError('give one of --refid, --id')
  return { id: readOption('id', PAYMENT_ID, id) }
}

function showReport(account: string, { payment, timeline }: PaymentReport): Output {
  const { extras, output } = payment
  const view = {
    reseller: account,
    transaction_id: String(payment.id),
    refid: payment.refid,
    status: statusOf(payment.code),
    status_code: payment.code,
    product: payment.productCode,
    product_name: payment.productName,
    account: payment.account,
    amount: moneyToNumber(payment.amount),
    face_value: moneyToNumber(payment.faceValue),
    cost: moneyToNumber(payment.cost),
    balance: moneyToNumber(payment.balanceAfter),
    remarks: payment.remarks,
    subproduct_code: extras.subproductCode,
    biller_code: extras.billerCode,
    ref2: extras.ref2,
    ic_number: extras.icNumber,
    sn: output.serialNumber,
    pin: output.pin,
    expiry: output.expiry,
    voucherlink: output.voucherLink,
    note: output.note,
    sender: payment.sender,
    member_id: payment.memberId,
    created_at: payment.createdAt.toISOString(),
    changed_at: payment.changedAt.toISOString(),
  }
  const steps = timeline.map(({ at, kind, code, detail, balance }) => ({
    at: at.toISOString(),
    kind,
    status: statusOf(code),
    status_code: code,
    detail,
    balance: balance === null ? null : moneyToNumber(balance),
  }))
  const money = {
    amount: formatMoney(payment.amount),
    face_value: formatMoney(payment.faceValue),
    cost: formatMoney(payment.cost),
    balance: formatMoney(payment.balanceAfter),
  }
  return {
    json: { ...view, timeline: steps },
    text: `${formatFields({ ...view, ...money })}\n\n${formatTable(steps, '')}`,
  }
}

type HistoryView = ReturnType<typeof ATTEMPT_HISTORY.encode>

function withAttempts(report: Output, history: HistoryView): Output {
  const attempts = history.attempts.map(({ answers, ...attempt }) => attempt)
  const answers = history.attempts.flatMap(({ our_reference, answers: heard }) =>
    heard.map(({ at, kind, code, text }) => ({ our_reference, at, kind, code, text })),
  )
  return {
    json: { ...(report.json as Readonly<Record<string, unknown>>), ...history },
    text: [
      report.text,
      `Attempts\n${formatTable(attempts, '')}`,
      `Answers\n${formatTable(answers, 'No answer was recorded.')}`,
      `Data for the supplier\n${formatFields(history.quote_to_supplier)}`,
    ].join('\n\n'),
  }
}

function showStuck(payments: readonly StuckPayment[]): Output {
  const views = payments.map((payment) => ({
    reseller: payment.account,
    transaction_id: String(payment.id),
    refid: payment.refid,
    product: payment.productCode,
    cost: moneyToNumber(payment.cost),
    status: statusOf(payment.code),
    status_code: payment.code,
    provider: payment.provider,
    attempt: payment.attempt,
    questions: payment.questions,
    created_at: payment.createdAt.toISOString(),
    due_at: payment.dueAt.toISOString(),
    next_at: payment.nextAt.toISOString(),
  }))
  return { json: { payments: views }, text: formatTable(views, 'No payment is past its due time.') }
}
