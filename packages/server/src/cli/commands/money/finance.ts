import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DayRange } from '../../../lib/dates.ts'
import { DAY, dayOf, formatDay } from '../../../lib/dates.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { unwritable } from '../../../lib/replace-file.ts'
import { getReseller } from '../../../modules/accounts/service.ts'
import { closeDays } from '../../../modules/finance/closings/closings.jobs.ts'
import { KINDS, sumOf } from '../../../modules/finance/closings/closings.rules.ts'
import type { ClosingReport } from '../../../modules/finance/closings/closings.service.ts'
import { getDay, listDays, verifyClosings } from '../../../modules/finance/closings/closings.service.ts'
import type { ShownDay } from '../../../modules/finance/closings/types.ts'
import { STATEMENT_FORMATS } from '../../../modules/finance/closings/types.ts'
import {
  printMismatches,
  printMismatchHeadings,
  reconcile,
} from '../../../modules/finance/reconcile/reconcile.service.ts'
import { MISMATCH_KINDS } from '../../../modules/finance/reconcile/reconcile.types.ts'
import { openMonthStatement, printStatement } from '../../../modules/finance/statement/statement.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { openReseller, readDays, readOption } from '../../options.ts'
import { openProgress } from '../../progress.ts'
import { formatFields, formatTable } from '../../text.ts'

const OUTPUT: Option = {
  value: 'FILE',
  help: 'the file to write; an existing file is replaced',
  required: true,
}
/** Days listed without --from: about a month up to --to. */
const DAYS_SHOWN = 31

export const financeCommands: readonly Command[] = [
  {
    name: 'closing list',
    isLong: true,
    summary: "list a reseller's days (GMT+8): opening, movements by type, closing",
    details:
      'Days without movements are left out. A day is closed some minutes after its end and never changes any more; ' +
      'one that is not closed yet is shown as the ledger has it now.',
    options: {
      reseller: RESELLER_OPTION,
      from: { value: 'DAY', help: 'the first day, yyyy-MM-dd (default: 30 days before the last)' },
      to: { value: 'DAY', help: 'the last day, yyyy-MM-dd (default: today)' },
    },
    async run(call) {
      const range = readShownDays(call, dayOf(Date.now()))
      const { accounts, reseller } = await openReseller(call)
      const days = await listDays(accounts.database, reseller.id, range)
      return {
        json: { account: reseller.account, days: days.map(dayView) },
        text: formatTable(days.map(dayRow), 'Nothing moved on these days.'),
      }
    },
  },
  {
    name: 'closing show',
    isLong: true,
    summary: "show one of a reseller's days; a day without movements has the balance before it",
    options: {
      reseller: RESELLER_OPTION,
      day: { value: 'DAY', help: 'yyyy-MM-dd, GMT+8', required: true },
    },
    async run(call) {
      const { day } = readFields({ day: DAY }, { day: call.text('day') })
      const { accounts, reseller } = await openReseller(call)
      const shown = await getDay(accounts.database, reseller.id, day)
      return {
        json: { account: reseller.account, ...dayView(shown) },
        text: formatFields({ account: reseller.account, ...dayRow(shown) }),
      }
    },
  },
  {
    name: 'closing run',
    isLong: true,
    summary:
      'close at once the days that the service would close within minutes, such as before `closing verify`',
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const { closings, isComplete } = await closeDays({ database })
      const rest = isComplete ? '' : ' The service is closing days too, and goes on.'
      return { json: { closings, complete: isComplete }, text: `Closed ${closings} days.${rest}` }
    },
  },
  {
    name: 'closing verify',
    isLong: true,
    summary: 'prove that the closings agree with the ledger; ends with 1 if they do not',
    details:
      "Each closing is compared with its entries, with the closing before it and with the wallet's balance at the " +
      "day's end. Names the first break of each wallet, and days that should be closed by now and are not.",
    options: { reseller: { value: 'ACCOUNT', help: 'one reseller alone', names: 'reseller' } },
    async run(call) {
      const { database } = await call.runtime()
      const account = call.find('reseller')
      const only = account === undefined ? undefined : await getReseller(database, account)
      return showReport(await verifyClosings(database, only))
    },
  },
  {
    name: 'statement',
    isLong: true,
    summary: "write a reseller's statement of a month (GMT+8) to a file",
    details:
      'csv: opening, sums of each day and of the month by type, closing, then every entry. pdf: the same without ' +
      'the entries. A large month needs no more memory.',
    options: {
      reseller: RESELLER_OPTION,
      month: { value: 'MONTH', help: 'yyyy-MM', required: true },
      format: { value: 'FORMAT', help: `one of ${STATEMENT_FORMATS.join(', ')}`, required: true },
      output: OUTPUT,
    },
    run: runStatement,
  },
  {
    name: 'reconcile',
    isLong: true,
    summary: "compare a reseller's own CSV of refids with our payments of some days",
    details:
      'The file has the column refid, and perhaps amount, status and date, in any order. Differences are written to ' +
      '--output as CSV, each line with its cause; docs/guides/finance.md lists them.',
    options: {
      reseller: RESELLER_OPTION,
      from: { value: 'DAY', help: 'the first day, yyyy-MM-dd by GMT+8', required: true },
      to: { value: 'DAY', help: 'the last day', required: true },
      file: { value: 'PATH', help: "the reseller's file", required: true },
      output: OUTPUT,
    },
    run: runReconcile,
  },
]

async function runStatement(call: Call): Promise<Output> {
  const { format } = readFields({ format: oneOf(STATEMENT_FORMATS) }, { format: call.text('format') })
  const { accounts, reseller } = await openReseller(call)
  const statement = await openMonthStatement(accounts.database, reseller, call.text('month'))
  const file = call.text('output')
  const bytes = await writeWhole(file, printStatement(statement, format, call.config().issuer))
  const view = {
    account: statement.account,
    month: statement.month.name,
    format,
    file,
    bytes,
    opening: moneyToNumber(statement.opening),
    entries: Number(sumOf(statement.totals).count),
    closing: moneyToNumber(statement.closing),
  }
  const amounts = { opening: formatMoney(statement.opening), closing: formatMoney(statement.closing) }
  return { json: view, text: formatFields({ ...view, ...amounts }) }
}

/** Reads the days of a list. Without --to the last is today, or the first day if that one is later. */
function readShownDays(call: Call, today: number): DayRange {
  const first = call.find('from')
  const from = first === undefined ? undefined : readOption('from', DAY, first)
  const last = call.find('to') ?? formatDay(Math.max(today, from ?? today))
  return readDays(first ?? formatDay(readOption('to', DAY, last) - DAYS_SHOWN + 1), last)
}

async function runReconcile(call: Call): Promise<Output> {
  readDays(call.text('from'), call.text('to'))
  const path = call.text('file')
  const { size } = await stat(path).catch((error: unknown) => {
    throw new Error(`${path} cannot be read`, { cause: error })
  })
  const { database } = await call.runtime()
  const reseller = await getReseller(database, call.text('reseller'))
  // Most lines are about this long; the progress bar is an estimate.
  const progress = openProgress(call, Math.ceil(size / 40))
  const sink = await openSink(call.text('output'))
  try {
    await sink.write(printMismatchHeadings())
    const summary = await reconcile(database, {
      resellerId: reseller.id,
      from: call.text('from'),
      to: call.text('to'),
      open: () => createReadStream(path),
      onMismatches: (page) => sink.write(printMismatches(page)),
      onLines: progress.rows,
    })
    await sink.finish()
    const { kinds, ...counts } = summary
    const table = MISMATCH_KINDS.map((kind) => ({ kind, count: kinds[kind] })).filter(
      ({ count }) => count > 0,
    )
    const view = { account: reseller.account, ...counts, file: call.text('output') }
    return { json: { ...view, kinds }, text: `${formatFields(view)}\n\n${formatTable(table, 'They agree.')}` }
  } finally {
    await sink.discard()
  }
}

// ── Files: a reader sees the old one or the new one, never half of one ──

async function writeWhole(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<number> {
  const sink = await openSink(path)
  try {
    for await (const piece of pieces) await sink.write(piece)
    return await sink.finish()
  } finally {
    await sink.discard()
  }
}

type Sink = {
  /** Resolves when the piece is written, so that the writer does not run ahead of the disk. */
  write(piece: string | Uint8Array): Promise<void>
  /** Moves the file to its final path. Returns its number of bytes. */
  finish(): Promise<number>
  /** Deletes the file if it is not at its final path yet. */
  discard(): Promise<void>
}

/** Opens the file. Only its owner may read it, because it has money and customers' numbers. */
async function openSink(path: string): Promise<Sink> {
  const fresh = `${path}.${process.pid}.tmp`
  await mkdir(dirname(path), { recursive: true })
  // A file left by a crash, or planted by somebody, is removed: nothing must be written through a link.
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'wx', 0o600)
  let bytes = 0
  let isOpen = true
  const close = async () => {
    if (isOpen) await handle.close()
    isOpen = false
  }
  return {
    async write(piece) {
      const data = typeof piece === 'string' ? Buffer.from(piece) : piece
      await handle.writeFile(data).catch((error: unknown) => unwritable(path, error))
      bytes += data.byteLength
    },
    async finish() {
      await handle.sync().catch((error: unknown) => unwritable(path, error))
      await close()
      await rename(fresh, path)
      return bytes
    },
    async discard() {
      await close()
      await rm(fresh, { force: true })
    },
  }
}

// ── Output ──

function dayView(day: ShownDay) {
  const kinds = KINDS.map((kind) => {
    const { count, amount } = day.movements[kind]
    return [kind, { count: Number(count), amount: moneyToNumber(amount) }] as const
  })
  return {
    day: formatDay(day.day),
    opening: moneyToNumber(day.opening),
    movements: Object.fromEntries(kinds),
    closing: moneyToNumber(day.closing),
    first_sequence: Number(day.firstSequence),
    last_sequence: Number(day.lastSequence),
    closed_at: day.closedAt?.toISOString() ?? null,
  }
}

function dayRow(day: ShownDay) {
  const kinds = KINDS.map((kind) => {
    const { count, amount } = day.movements[kind]
    return [`${kind}s`, count === 0n ? '-' : `${formatMoney(amount)} (${count})`] as const
  })
  const { firstSequence: first, lastSequence: last } = day
  return {
    day: formatDay(day.day),
    opening: formatMoney(day.opening),
    ...Object.fromEntries(kinds),
    closing: formatMoney(day.closing),
    entries: last < first ? '-' : `${first}-${last}`,
    closed: day.closedAt === null ? 'not yet' : day.closedAt.toISOString(),
  }
}

function showReport({ wallets, closings, breaks }: ClosingReport): Output {
  const views = breaks.map((each) => ({ ...each, day: formatDay(each.day) }))
  const isWhole = breaks.length === 0
  const counts = { ok: isWhole, wallets, closings }
  return {
    json: { ...counts, breaks: views },
    text: `${formatFields(counts)}${isWhole ? '' : `\n\n${formatTable(views, '')}`}`,
    code: isWhole ? 0 : 1,
  }
}
