import type { BatchRequest, KeptBatchLine, PortalPayment } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { csvText } from '../../text/csv.ts'
import { COLUMNS, PART_LINES_MAX } from './lines.ts'
import type { Row } from './outcomes.ts'
import { resultFile } from './outcomes.ts'

// Files that were paid, as the service keeps them.

/** Keeps the lines that are about to be paid, in parts. Identity numbers stay here. */
export async function keepRows(rows: readonly Row[], name: string): Promise<void> {
  let batch: string | undefined
  for (let at = 0; at < rows.length; at += PART_LINES_MAX) {
    const body: BatchRequest = {
      name,
      lines: rows.slice(at, at + PART_LINES_MAX).map(keptLine),
      ...(batch === undefined ? {} : { batch }),
    }
    const { data } = await portal.call('portalKeepBatch', { body })
    batch = data.id
  }
}

function keptLine({ line, preview }: Row): BatchRequest['lines'][number] {
  const { product, account, amount, extras = {}, remarks, reference } = line
  return {
    line: line.line,
    refid: preview.refid,
    product,
    account,
    amount,
    subproduct_code: extras.subproduct_code ?? null,
    biller_code: extras.biller_code ?? null,
    ref2: extras.ref2 ?? null,
    remarks: remarks ?? null,
    reference: reference ?? null,
  }
}

/** Reads all lines of a kept file. */
export async function readKept(id: string): Promise<readonly KeptBatchLine[]> {
  const lines: KeptBatchLine[] = []
  for (;;) {
    const last = lines.at(-1)
    const query = last === undefined ? {} : { after: last.line }
    const { data } = await portal.call('portalListBatchLines', { params: { id }, query })
    lines.push(...data)
    if (data.length < PART_LINES_MAX) return lines
  }
}

/** File of the same lines, to be paid again. */
export function fileOf(lines: readonly KeptBatchLine[]): string {
  const values = (line: KeptBatchLine): Record<(typeof COLUMNS)[number], string> => ({
    product: line.product,
    account: line.account,
    amount: line.amount,
    subproduct_code: line.subproduct_code ?? '',
    biller_code: line.biller_code ?? '',
    ref2: line.ref2 ?? '',
    ic_number: '',
    remarks: line.remarks ?? '',
    reference: line.reference ?? '',
  })
  return csvText([
    COLUMNS,
    ...lines.map((line) => {
      const cells = values(line)
      return COLUMNS.map((name) => cells[name])
    }),
  ])
}

/** Result of a kept file, without PINs and links. A line without a payment has no status. */
export function keptResult(
  lines: readonly KeptBatchLine[],
  payments: ReadonlyMap<string, PortalPayment>,
): string {
  const rows = lines.map(({ line, refid, product, account, amount, reference, refusal }) => ({
    line: { line, product, account, amount, ...(reference === null ? {} : { reference }) },
    preview: { refid, cost: null },
    state: '',
    message: refusal ?? '',
    paymentId: undefined,
  }))
  return resultFile(rows, payments, false)
}
