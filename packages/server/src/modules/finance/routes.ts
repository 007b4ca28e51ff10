import type { Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { errorResponses } from '../../http/schemas.ts'
import { dayOf } from '../../lib/dates.ts'
import type { FinanceFace, Owner } from './face.types.ts'
import { readReconcileDays } from './reconcile.service.ts'
import { mustBeCsv, readMonth } from './routes.rules.ts'
import {
  CompareParameters,
  CompareResponse,
  MonthParameters,
  MonthResponse,
  OwnerParameters,
  StatementCsv,
  StatementPdf,
  TheirFile,
} from './schemas.ts'
import { openMonthStatement, printStatement, statementTable } from './statement.service.ts'
import type { MonthStatement } from './types.ts'
import { comparisonView, monthView } from './view.ts'

const READ_ERRORS = errorResponses(400, 401, 403, 404, 503, 504)

export function financeOperations<Caller>(face: FinanceFace<Caller>): Operation[] {
  return [monthOperation(face), csvOperation(face), pdfOperation(face), compareOperation(face)]
}

type Asked = { readonly account?: string | undefined }

async function open<Caller>(
  { ownerOf, database, now }: FinanceFace<Caller>,
  caller: Caller,
  { account }: Asked,
  asked: string | undefined,
): Promise<{ owner: Owner; statement: MonthStatement; today: number }> {
  const today = dayOf(now().getTime())
  const month = readMonth(asked, today)
  const owner = await ownerOf(caller, account)
  return { owner, statement: await openMonthStatement(database, owner, month.name), today }
}

function monthOperation<Caller>(face: FinanceFace<Caller>): Operation {
  return operation({
    method: 'GET',
    path: `${face.prefix}/statement/days`,
    dialect: 'common',
    docs: {
      operationId: face.operationIds.month,
      summary: 'A month day by day: opening, movements by type, closing',
      description:
        'A day is closed some minutes after its end and never changes any more. Days without movements are left out.',
      tag: face.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: MonthParameters,
      responses: { 200: MonthResponse, ...READ_ERRORS },
    },
    authenticate: face.mayRead,
    async handle({ caller, params, query }) {
      const { statement, today } = await open(face, caller, params, query.month)
      return { status: 200, body: { data: monthView(statement, today) } }
    },
  })
}

function csvOperation<Caller>(face: FinanceFace<Caller>): Operation {
  return operation({
    method: 'GET',
    path: `${face.prefix}/statement/month.csv`,
    dialect: 'common',
    docs: {
      operationId: face.operationIds.csv,
      summary: 'The statement of a month as a CSV file: sums of each day, then every entry',
      description: 'Sent as it is read, however long it is. Times are GMT+8.',
      tag: face.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: MonthParameters,
      responses: { 200: StatementCsv, ...READ_ERRORS, ...errorResponses(429) },
    },
    authenticate: face.mayRead,
    async handle({ caller, params, query }) {
      const { owner, statement } = await open(face, caller, params, query.month)
      const table = statementTable(statement)
      return face.send(owner, { name: 'month', days: statement.month, ...table, cells: (row) => row })
    },
  })
}

function pdfOperation<Caller>(face: FinanceFace<Caller>): Operation {
  return operation({
    method: 'GET',
    path: `${face.prefix}/statement/month.pdf`,
    dialect: 'common',
    docs: {
      operationId: face.operationIds.pdf,
      summary: 'The statement of a month as a PDF file: summary and days',
      tag: face.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: MonthParameters,
      responses: { 200: StatementPdf, ...READ_ERRORS },
    },
    authenticate: face.mayRead,
    async handle({ caller, params, query }) {
      const { owner, statement } = await open(face, caller, params, query.month)
      // Two pages at most: it has no entries.
      const pieces: Uint8Array[] = []
      for await (const piece of printStatement(statement, 'pdf')) pieces.push(Buffer.from(piece))
      const name = `month-${owner.account}-${statement.month.name}.pdf`
      const headers = {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${name}"`,
      }
      return { status: 200, body: Buffer.concat(pieces), headers }
    },
  })
}

function compareOperation<Caller>(face: FinanceFace<Caller>): Operation {
  return operation({
    method: 'POST',
    path: `${face.prefix}/reconciliations`,
    dialect: 'common',
    docs: {
      operationId: face.operationIds.compare,
      summary: "Compare the reseller's own CSV of refids with our payments of some days",
      description:
        'Both ways: its lines with our payments, and our payments with its lines. Each difference has its cause. ' +
        'Nothing is changed or kept.',
      tag: face.tag,
    },
    schemas: {
      params: OwnerParameters,
      query: CompareParameters,
      body: TheirFile,
      responses: { 200: CompareResponse, ...READ_ERRORS, ...errorResponses(413, 415, 429) },
    },
    ownBody: 'csv',
    authenticate: face.mayCompare,
    async handle({ caller, params, query, request }) {
      const owner = await face.ownerOf(caller, params.account)
      const days = { from: query.from ?? '', to: query.to ?? '' }
      readReconcileDays(days)
      const { body: file, deadlineMs, headers } = request
      mustBeCsv(headers['content-type'])
      const compared = await face.comparisons.compare({ resellerId: owner.id, ...days, file, deadlineMs })
      return { status: 200, body: { data: comparisonView(owner.account, compared) } }
    },
  })
}
