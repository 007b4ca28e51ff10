import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { BulkPreview, PaymentRequest, PortalPayment } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { keepRows } from './kept.ts'
import type { FileProblem, Line } from './lines.ts'
import { PART_LINES_MAX, partsOf, readFile } from './lines.ts'
import type { LineState, PreviewLine, Row } from './outcomes.ts'
import { isPayable, paidOf, refusedOf, repeatOf, rowsOf } from './outcomes.ts'
import { createRunner } from './runner.ts'

const CONCURRENCY = 4
const ASK_EVERY_MS = 8_000

export type Preview = {
  /** Totals of the whole file, however many requests it took to judge it. */
  readonly totals: BulkPreview['totals']
  readonly blocked: BulkPreview['blocked']
}

export type Reading =
  | { readonly kind: 'none' }
  | { readonly kind: 'problem'; readonly problem: FileProblem }
  | { readonly kind: 'reading'; readonly share: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'read'; readonly preview: Preview }

/** File of payments: its preview, its run, and what became of each line. */
export function useBulk(
  sameRefid: (line: number) => string,
  reasonOf: (problem: PreviewLine['problems'][number]) => string,
) {
  const [reading, setReading] = useState<Reading>({ kind: 'none' })
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const rows = useRef(new Map<string, Row>())
  const name = useRef('')
  /** Lines that repeat something, and those that they repeat: any of them may be paid first. */
  const meant = useRef<ReadonlySet<number>>(new Set())
  const change = useCallback((key: string, changes: Partial<Row>) => {
    const row = rows.current.get(key)
    if (row !== undefined) rows.current.set(key, { ...row, ...changes })
  }, [])
  const runner = useMemo(() => {
    const pay = async (key: string) => {
      const row = rows.current.get(key)
      if (row === undefined) return { kind: 'answered', isHalting: false } as const
      change(key, { state: 'sent' })
      const { outcome, ...paid } = await payLine(row, meant.current.has(row.line.line))
      change(key, paid)
      return outcome
    }
    return createRunner<string>({ pay, onChange: redraw, concurrency: CONCURRENCY })
  }, [change])
  useEffect(() => () => runner.stop(), [runner])
  useOpenPayments(rows, change, redraw)
  return {
    reading,
    run: runner.view(),
    /** Name of the batch. */
    name: name.current,
    rows: [...rows.current.values()],
    async preview(text: string, batch: string) {
      const file = readFile(text)
      if (file.kind === 'problem') return setReading(file)
      rows.current = new Map()
      name.current = batch
      await readPreview(file.lines, batch, setReading, (previews) => {
        const made = rowsOf(file.lines, previews, sameRefid, reasonOf)
        rows.current = new Map(made.map((row) => [keyOf(row), row]))
      })
    },
    /** Keeps the lines that `pay` pays, before it does. */
    keep: (withRepeats: boolean) => keepRows(wantedOf(rows.current, withRepeats), name.current),
    /** Pays the lines that may be paid; those that repeat a payment or another line, only if a person wants them too. */
    pay(withRepeats: boolean) {
      const wanted = wantedOf(rows.current, withRepeats)
      const repeated = wanted.flatMap((row) => {
        const repeat = repeatOf(row)
        return repeat === undefined ? [] : [row.line.line, repeat.line ?? row.line.line]
      })
      meant.current = new Set(repeated)
      runner.start(wanted.map(keyOf))
    },
    pause: runner.pause,
    resume: runner.resume,
    stop: runner.stop,
    forget() {
      runner.stop()
      rows.current = new Map()
      setReading({ kind: 'none' })
    },
  }
}

export type Bulk = ReturnType<typeof useBulk>

function wantedOf(rows: ReadonlyMap<string, Row>, withRepeats: boolean): Row[] {
  return [...rows.values()].filter((row) => isPayable(row) && (withRepeats || repeatOf(row) === undefined))
}

/** Lines are told apart by their number: two lines of one refid are two rows, of which one is paid. */
function keyOf({ line }: Row): string {
  return String(line.line)
}

async function readPreview(
  lines: readonly Line[],
  batch: string,
  show: (reading: Reading) => void,
  keep: (previews: readonly PreviewLine[]) => void,
): Promise<void> {
  const parts = partsOf(lines)
  if (parts === undefined)
    return show({ kind: 'problem', problem: { kind: 'equal', line: lines[0]?.line ?? 1 } })
  const previews: PreviewLine[] = []
  let totals: BulkPreview['totals'] | undefined
  let blocked: BulkPreview['blocked'] = null
  try {
    for (const [index, part] of parts.entries()) {
      show({ kind: 'reading', share: index / parts.length })
      const body = {
        lines: [...part],
        ...(batch === '' ? {} : { batch }),
        ...(totals === undefined ? {} : { carried: { lines: totals.lines, by_status: totals.by_status } }),
      }
      const { data } = await portal.call('portalPreviewBulk', { body })
      previews.push(...data.lines)
      totals = data.totals
      blocked = data.blocked
    }
  } catch (error) {
    return show({ kind: 'failed', error })
  }
  if (totals === undefined) return show({ kind: 'none' })
  keep(previews)
  show({ kind: 'read', preview: { totals, blocked } })
}

/** Pays one line with the refid of its preview. The same line again is answered with the same payment. */
async function payLine({ line, preview }: Row, isMeant: boolean) {
  const { product, account, amount, remarks, extras } = line
  const body: PaymentRequest = {
    refid: preview.refid,
    product,
    account,
    amount,
    ...(isMeant ? { allow_duplicate: true } : {}),
    ...(remarks === undefined ? {} : { remarks }),
    ...(extras === undefined ? {} : { extras: extras as NonNullable<PaymentRequest['extras']> }),
  }
  try {
    return paidOf(await portal.call('portalPay', { body }))
  } catch (error) {
    return refusedOf(error)
  }
}

/** Follows the lines whose end is not known, by live events and now and then by asking. */
function useOpenPayments(
  rows: React.RefObject<Map<string, Row>>,
  change: (key: string, changes: Partial<Row>) => void,
  redraw: () => void,
): void {
  const isAsking = useRef(false)
  const ask = useCallback(async () => {
    const open = [...rows.current.entries()].filter(
      ([, { state }]) => state === 'pending' || state === 'unknown',
    )
    if (open.length === 0 || isAsking.current || document.hidden) return
    isAsking.current = true
    try {
      const payments = await paymentsOf(open.map(([, { preview }]) => preview.refid))
      for (const [key, { preview }] of open) {
        const payment = payments.get(preview.refid)
        if (payment !== undefined) change(key, endOf(payment))
      }
      redraw()
    } catch {
      // The next event or the next turn of the clock asks again.
    } finally {
      isAsking.current = false
    }
  }, [rows, change, redraw])
  useLive(['payment', 'payments', 'reset'], () => void ask())
  useEffect(() => {
    const timer = window.setInterval(() => void ask(), ASK_EVERY_MS)
    return () => window.clearInterval(timer)
  }, [ask])
}

function endOf({ id, status, remarks }: PortalPayment): Partial<Row> & { state: LineState } {
  return { state: status, message: remarks, paymentId: id }
}

/** Reads the payments of many refids. */
export async function paymentsOf(refids: readonly string[]): Promise<Map<string, PortalPayment>> {
  const found = new Map<string, PortalPayment>()
  for (let at = 0; at < refids.length; at += PART_LINES_MAX) {
    const body = { refids: refids.slice(at, at + PART_LINES_MAX) }
    const { data } = await portal.call('portalListPaymentStatuses', { body })
    for (const { refid, payment } of data) if (payment !== null) found.set(refid, payment)
  }
  return found
}
