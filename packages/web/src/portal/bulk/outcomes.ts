import { ApiProblem } from '../../api/errors.ts'
import type { BulkPreview, PaymentResponse, PortalPayment } from '../../api/portal.generated.ts'
import { csvText } from '../../text/csv.ts'
import type { Line } from './lines.ts'
import type { RunOutcome } from './runner.ts'

export type PreviewLine = BulkPreview['lines'][number]

/** State of a line on the page: as previewed, or as paying it was answered. */
export type LineState =
  | 'ready'
  | 'problem'
  | 'unchecked'
  | 'sent'
  | 'unknown'
  | 'rejected'
  | 'pending'
  | 'successful'
  | 'failed'
  | 'refunded'

export type Row = {
  readonly line: Line
  readonly preview: PreviewLine
  readonly state: LineState
  /** Message of a problem or refusal. */
  readonly message: string
  readonly paymentId: string | undefined
  /** True when the payment was there before this run. */
  readonly wasThere: boolean
}

/** Makes the rows of the previews, in the order of the file. A refid that came before is a problem, and is not paid. */
export function rowsOf(
  lines: readonly Line[],
  previews: readonly PreviewLine[],
  sameRefid: (line: number) => string,
  reasonOf: (problem: PreviewLine['problems'][number]) => string,
): Row[] {
  const byNumber = new Map(lines.map((line) => [line.line, line]))
  const owners = new Map<string, number>()
  const rows: Row[] = []
  for (const preview of previews) {
    const line = byNumber.get(preview.line)
    if (line === undefined) continue
    const owner = owners.get(preview.refid)
    owners.set(preview.refid, owner ?? preview.line)
    rows.push(
      owner === undefined ? rowOf(line, preview, reasonOf) : sharedRow(line, preview, sameRefid(owner)),
    )
  }
  return rows.toSorted((a, b) => a.line.line - b.line.line)
}

function rowOf(line: Line, preview: PreviewLine, reasonOf: Parameters<typeof rowsOf>[3]): Row {
  const { payment, problems } = preview
  return {
    line,
    preview,
    state: preview.status === 'exists' ? (payment?.status ?? 'pending') : preview.status,
    message: problems.map(reasonOf).join(' '),
    paymentId: payment?.id,
    wasThere: payment !== null,
  }
}

function sharedRow(line: Line, preview: PreviewLine, message: string): Row {
  return { line, preview, state: 'problem', message, paymentId: undefined, wasThere: false }
}

export type Paid = {
  readonly state: LineState
  readonly message: string
  readonly paymentId: string | undefined
  readonly outcome: RunOutcome
}

const REFUNDED_CODE = 53

/** Reads the answer of a payment. */
export function paidOf({ data }: PaymentResponse): Paid {
  const { status, statusCode, remarks, transaction_id: paymentId } = data
  const state =
    status === 'Succesful'
      ? 'successful'
      : status !== 'Failed'
        ? 'pending'
        : statusCode === REFUNDED_CODE
          ? 'refunded'
          : 'failed'
  return { state, message: remarks, paymentId, outcome: { kind: 'answered', isHalting: false } }
}

/** Reads an error answer. Without a certain refusal the line is not known, and never called failed. */
export function refusedOf(error: unknown): Paid {
  const problem = error instanceof ApiProblem ? error : undefined
  const message = problem?.message ?? ''
  const isCertain = problem !== undefined && [400, 404, 409, 422].includes(problem.status)
  return {
    state: isCertain ? 'rejected' : 'unknown',
    message: message === '' ? (problem?.code ?? '') : message,
    paymentId: undefined,
    outcome: isCertain ? { kind: 'answered', isHalting: false } : { kind: 'unknown', isHalting: true },
  }
}

/** Earlier payment or line that a line repeats; undefined: none is known. */
export function repeatOf({ state, preview }: Row): PreviewLine['warnings'][number] | undefined {
  return state === 'ready' ? preview.warnings[0] : undefined
}

/** States in which a line may be paid. */
export function isPayable({ state }: Row): boolean {
  return state === 'ready' || state === 'unchecked' || state === 'unknown'
}

/** States that need a person. */
export function isProblem({ state }: Row): boolean {
  return state === 'problem' || state === 'rejected' || state === 'failed' || state === 'unknown'
}

const RESULT_COLUMNS = [
  'line',
  'product',
  'account',
  'amount',
  'reference',
  'refid',
  'status',
  'message',
  'transaction_id',
  'cost',
  'serial_number',
]
const SECRET_COLUMNS = ['pin', 'voucher_link', 'expiry']

type ResultRow = Pick<Row, 'message' | 'paymentId'> & {
  readonly line: Pick<Line, 'line' | 'product' | 'account' | 'amount' | 'reference'>
  readonly preview: Pick<PreviewLine, 'refid' | 'cost'>
  readonly state: string
}

/** Result file. PINs and links are written only when they are asked for. */
export function resultFile(
  rows: readonly ResultRow[],
  payments: ReadonlyMap<string, PortalPayment>,
  withSecrets: boolean,
): string {
  const printed = rows.map(({ line, preview, state, message, paymentId }) => {
    const payment = payments.get(preview.refid)
    return [
      String(line.line),
      line.product,
      line.account,
      line.amount,
      line.reference ?? '',
      preview.refid,
      payment?.status ?? state,
      payment?.remarks || message,
      payment?.id ?? paymentId ?? '',
      payment?.cost ?? preview.cost ?? '',
      payment?.serial_number ?? '',
      ...(withSecrets ? [payment?.pin ?? '', payment?.voucher_link ?? '', payment?.expiry ?? ''] : []),
    ]
  })
  return csvText([[...RESULT_COLUMNS, ...(withSecrets ? SECRET_COLUMNS : [])], ...printed])
}
