import { Type } from 'typebox'
import { readWithin } from '../../db/bounded.ts'
import { BODY_BYTES_MAX } from '../../http/body.ts'
import type { IncomingRequest, Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { dayOf, formatDay } from '../../lib/dates.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { createTurns, READ_TURNS } from '../../lib/turns.ts'
import type { FinanceApi, Owner } from './apis.types.ts'
import type { Month, MonthStatement } from './closings/types.ts'
import {
  COMPARISON,
  CompareParameters,
  MonthParameters,
  OwnerParameters,
  StatementCsv,
  StatementPdf,
  TheirFile,
  WALLET_MONTH,
} from './finance.codec.ts'
import { readReconcileDays } from './reconcile/reconcile.service.ts'
import { MONTH, parseMonth } from './statement/statement.rules.ts'
import type { ReadEntries } from './statement/statement.service.ts'
import { openMonthStatement, printStatement, statementTable } from './statement/statement.service.ts'

const STATEMENT_TIMEOUT_MS = 8_000

export function financeOperations<Caller>(api: FinanceApi<Caller>): Operation[] {
  const open = opener(api)
  return [monthOperation(api, open), csvOperation(api, open), pdfOperation(api, open), compareOperation(api)]
}

type Asked<Caller> = {
  readonly caller: Caller
  readonly params: { readonly account?: string | undefined }
  readonly query: { readonly month?: string | undefined }
  readonly request: Pick<IncomingRequest, 'isAwaited'>
}

type Opened = { readonly owner: Owner; readonly statement: MonthStatement; readonly today: number }

/** Opens the requested statement and makes the answer from it, in a turn of its owner. */
type Open<Caller> = <T>(asked: Asked<Caller>, make: (opened: Opened) => T | Promise<T>) => Promise<T>

function opener<Caller>({ ownerOf, database, now, reads }: FinanceApi<Caller>): Open<Caller> {
  const turns = reads ?? createTurns(READ_TURNS)
  return async ({ caller, params, query, request }, make) => {
    const today = dayOf(now().getTime())
    const month = readMonth(query.month, today)
    const owner = await ownerOf(caller, params.account)
    const read: ReadEntries = (work) => readWithin(database, STATEMENT_TIMEOUT_MS, work)
    return turns.take(
      owner.id,
      async () => {
        const statement = await read((tx) => openMonthStatement(tx, owner, month.name, read))
        return make({ owner, statement, today })
      },
      request.isAwaited,
    )
  }
}

function monthOperation<Caller>(api: FinanceApi<Caller>, open: Open<Caller>): Operation {
  return operation({
    method: 'GET',
    path: `${api.prefix}/statement/days`,
    docs: {
      operationId: api.operationIds.month,
      summary: 'A month day by day: opening, movements by type, closing',
      description:
        'A day is closed some minutes after its end and never changes any more. Days without movements are left out.',
      tag: api.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: MonthParameters,
      responses: { 200: Type.Object({ data: WALLET_MONTH.schema }) },
    },
    also: [404, 429],
    authenticate: api.mayRead,
    async handle(asked) {
      const data = await open(asked, ({ statement, today }) => WALLET_MONTH.encode(statement, today))
      return { status: 200, body: { data } }
    },
  })
}

function csvOperation<Caller>(api: FinanceApi<Caller>, open: Open<Caller>): Operation {
  return operation({
    method: 'GET',
    path: `${api.prefix}/statement/month.csv`,
    docs: {
      operationId: api.operationIds.csv,
      summary: 'The statement of a month as a CSV file',
      description: 'Sent as it is read, however long it is. Times are GMT+8.',
      tag: api.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: MonthParameters,
      responses: { 200: StatementCsv },
    },
    also: [404, 429],
    authenticate: api.mayRead,
    async handle(asked) {
      const { owner, statement } = await open(asked, (opened) => opened)
      const table = statementTable(statement)
      const file = { name: 'month', days: statement.month, ...table, cells: (row: readonly string[]) => row }
      // Each page of the file takes its own turn.
      return api.send(owner, file, asked.request.isAwaited)
    },
  })
}

function pdfOperation<Caller>(api: FinanceApi<Caller>, open: Open<Caller>): Operation {
  return operation({
    method: 'GET',
    path: `${api.prefix}/statement/month.pdf`,
    docs: {
      operationId: api.operationIds.pdf,
      summary: 'The statement of a month as a PDF file: summary and days',
      tag: api.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: MonthParameters,
      responses: { 200: StatementPdf },
    },
    also: [404, 429],
    authenticate: api.mayRead,
    async handle(asked) {
      // The document has at most two pages, because it has no entries.
      const pieces: Uint8Array[] = []
      const name = await open(asked, async ({ owner, statement }) => {
        for await (const piece of printStatement(statement, 'pdf', api.issuer))
          pieces.push(Buffer.from(piece))
        return `month-${owner.account}-${statement.month.name}.pdf`
      })
      const headers = {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${name}"`,
      }
      return { status: 200, body: Buffer.concat(pieces), headers }
    },
  })
}

function compareOperation<Caller>(api: FinanceApi<Caller>): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/reconciliations`,
    docs: {
      operationId: api.operationIds.compare,
      summary: 'Compare a CSV of refids with our payments',
      description:
        'Both ways: its lines with our payments, and our payments with its lines. Each difference has its cause. ' +
        'Nothing is changed or kept.',
      tag: api.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: CompareParameters,
      body: TheirFile,
      responses: { 200: Type.Object({ data: COMPARISON.schema }) },
    },
    also: [404, 429],
    ownBody: 'csv',
    bodyLimits: { bytesMax: BODY_BYTES_MAX },
    authenticate: api.mayCompare,
    async handle({ caller, params, query, request }) {
      const owner = await api.ownerOf(caller, params.account)
      const days = { from: query.from ?? '', to: query.to ?? '' }
      readReconcileDays(days)
      const { body: file, deadlineMs, headers } = request
      mustBeCsv(headers['content-type'])
      const compared = await api.comparisons.compare({ resellerId: owner.id, ...days, file, deadlineMs })
      return { status: 200, body: { data: COMPARISON.encode(compared, owner.account) } }
    },
  })
}

/** Reads the month; without one, returns the present month. */
function readMonth(text: string | undefined, today: number): Month {
  const month = parseMonth(text || formatDay(today).slice(0, 'yyyy-MM'.length))
  if (month === undefined) throw invalidFields({ month: [MONTH.message] })
  return month
}

/** Types that browsers send for CSV files on different systems. */
const CSV_TYPES =
  /^(?:text\/(?:csv|plain|tab-separated-values|x-csv)|application\/(?:csv|octet-stream|vnd\.ms-excel))\s*(?:;|$)/i

function mustBeCsv(contentType: string | string[] | undefined): void {
  const [type] = Array.isArray(contentType) ? contentType : [contentType]
  if (type === undefined || CSV_TYPES.test(type)) return
  throw new RequestError({
    status: 415,
    code: 'unsupported_media_type',
    publicText: 'The body must be the CSV file itself: send Content-Type: text/csv.',
  })
}
