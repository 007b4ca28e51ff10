import { readWithin } from '../../../db/bounded.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { traceOfPayment } from '../../../lib/observing/traces.ts'
import { getReseller } from '../../../modules/accounts/service.ts'
import { tracePayment } from '../../../modules/operator/payments/trace.service.ts'
import type { TraceStep } from '../../../modules/operator/payments/trace.types.ts'
import { parseReference } from '../../../modules/payments/core/schedule.rules.ts'
import { statusOf } from '../../../modules/payments/core/view.ts'
import type { AnyPaymentReport, FoundPayment } from '../../../modules/payments/read/search.service.ts'
import { findAnyPayment, findPayments } from '../../../modules/payments/read/search.service.ts'
import { findRejection } from '../../../modules/payments/take/rejections.service.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Call, Command, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { formatFields, formatTable } from '../../text.ts'

export const paymentTraceCommand: Command = {
  name: 'payment trace',
  isLong: true,
  summary:
    'follow one payment in the order of time: request, judgement, attempts, answers, entries, events, deliveries',
  details:
    'A refid is looked for in all accounts, or in one with --reseller. The request log keeps a sample of the requests ' +
    'for a week; the log of the nodes has a line of every request, with the same request_id, refid and payment_id.',
  places: [
    {
      value: 'REFID|ID',
      name: 'payment',
      help: "the reseller's reference, the transaction id, or our reference as suppliers quote it (W…-1)",
    },
  ],
  options: {
    reseller: { value: 'ACCOUNT', help: 'of this reseller alone', names: 'reseller' },
    refid: { value: 'TEXT', help: "the reseller's reference, and never an id" },
    id: { value: 'NUMBER', help: 'the transaction id, and never a refid' },
  },
  async run(call) {
    const runtime = await call.runtime()
    const report = await findOne(call, runtime)
    return showTrace(report, await tracePayment(runtime, report))
  },
}

type Name = { readonly refid: string | undefined; readonly id: bigint | undefined }

function readName(call: Call): Name {
  const given = ['payment', 'refid', 'id'].filter((name) => call.has(name))
  if (given.length !== 1) throw new UsageError('give one of REFID|ID, --refid, --id')
  const text = call.find(given[0] ?? '') ?? ''
  const id = call.has('refid') ? undefined : (parseId(text) ?? parseReference(text)?.paymentId)
  if (call.has('id') && id === undefined) throw new UsageError('--id: must be a transaction id')
  return { refid: call.has('id') ? undefined : text, id }
}

async function findOne(call: Call, runtime: Runtime): Promise<AnyPaymentReport> {
  const name = readName(call)
  const account = call.find('reseller') ?? null
  const found = await findNamed(runtime, name, account)
  const [first, second] = found
  if (second !== undefined) {
    const those = found.map(({ account: each, id }) => `--reseller ${each} --id ${id}`).join(', ')
    throw new UsageError(`several payments have this name; choose one: ${those}`)
  }
  const report = first && (await findAnyPayment(runtime, first.id))
  if (report !== undefined) return report
  throw new RequestError({
    status: 404,
    code: 'not_found',
    publicText: await explainAbsence(runtime, name, account),
  })
}

const FOUND_MAX = 10
/** Limit of the search: it looks up one index entry per reseller. */
const SEARCH_TIMEOUT_MS = 60_000

async function findNamed(
  { database }: Runtime,
  { refid, id }: Name,
  account: string | null,
): Promise<FoundPayment[]> {
  const any = {
    customer: null,
    product: null,
    provider: null,
    serialNumber: null,
    state: null,
    days: null,
    beforeId: null,
    limit: FOUND_MAX,
  }
  return readWithin(database, SEARCH_TIMEOUT_MS, async (tx) => {
    const byRefid = refid === undefined ? [] : await findPayments(tx, { ...any, account, refid, id: null })
    const byId = id === undefined ? [] : await findPayments(tx, { ...any, account, refid: null, id })
    const others = byId.filter((each) => byRefid.every((known) => known.id !== each.id))
    return [...byRefid, ...others]
  })
}

async function explainAbsence(
  { database }: Runtime,
  { refid }: Name,
  account: string | null,
): Promise<string> {
  if (refid === undefined || account === null) return 'There is no such payment.'
  const { id } = await getReseller(database, account)
  const rejectedAt = await findRejection(database, id, refid)
  if (rejectedAt === undefined) return 'There is no such payment.'
  return `There is no such payment: the refid was rejected at ${rejectedAt.toISOString()}, and nothing was created.`
}

function showTrace(report: AnyPaymentReport, steps: readonly TraceStep[]): Output {
  const { payment } = report
  const view = {
    reseller: report.account,
    reseller_name: report.resellerName,
    transaction_id: String(payment.id),
    refid: payment.refid,
    status: statusOf(payment.code),
    status_code: payment.code,
    product: payment.productCode,
    provider: report.provider,
    stuck_since: report.stuckSince?.toISOString() ?? null,
    trace_id: traceOfPayment(payment.id).traceId,
  }
  const startMs = steps[0]?.at.getTime() ?? 0
  const views = steps.map(({ at, kind, text, ids }) => ({ at: at.toISOString(), kind, text, ...ids }))
  const rows = steps.map(({ at, kind, text, ids }) => ({
    at: at.toISOString(),
    after_ms: at.getTime() - startMs,
    kind,
    text,
    ids: Object.entries(ids).map(([name, value]) => `${name}=${value}`),
  }))
  return { json: { ...view, steps: views }, text: `${formatFields(view)}\n\n${formatTable(rows, '')}` }
}
