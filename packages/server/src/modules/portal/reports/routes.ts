import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { csvCells, printXlsx } from '../../../http/streams/tables.ts'
import { dayOf, formatDay } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { MonthParameters } from '../../finance/finance.codec.ts'
import { MONTH, parseMonth } from '../../finance/statement/statement.rules.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { resellerOf } from '../access/access.service.ts'
import { readDays } from '../access/parameters.rules.ts'
import { CsvFile } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { packMonth } from './month-pack.service.ts'
import { REPORT_RULES } from './rules.ts'
import { PdfFile, ReportParameters, ReportResponse, XlsxFile, ZipFile } from './schemas.ts'
import type { Report } from './service.ts'
import { readReport } from './service.ts'
import { reportsPdf, reportTable, reportView } from './view.ts'

const TAG = 'Reports'
const PATH = '/portal/v1/reports/sales'

export function portalReportOperations(settings: PortalSettings): Operation[] {
  const { authenticate, exports, issuer, now } = settings
  const read = (caller: MemberCaller, query: QueryParameters): Promise<Report> => {
    const { by } = readFields(REPORT_RULES, { by: query.by })
    const days = readDays(query, dayOf(now().getTime()))
    return readReport(settings, resellerOf(settings, caller), by, days)
  }
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalGetReport',
        summary: 'Sales by day, hour, product, seller or till',
        description:
          'Compared with as many days whole weeks earlier. Payments count in the day in which they were taken, and `sales`, ' +
          '`cost` and `margin` are of those that succeeded or still may.',
        tag: TAG,
      },
      schemas: { query: ReportParameters, responses: { 200: ReportResponse } },
      authenticate: authenticate('reports.read'),
      async handle({ caller, query }) {
        return { status: 200, body: { data: reportView(await read(caller, query)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}.csv`,
      docs: { operationId: 'portalExportReport', summary: 'The same as a CSV file', tag: TAG },
      schemas: { query: ReportParameters, responses: { 200: CsvFile } },
      also: [429],
      authenticate: authenticate('reports.read'),
      async handle({ caller, query, request }) {
        const { by } = readFields(REPORT_RULES, { by: query.by })
        const days = readDays(query, dayOf(now().getTime()))
        const reseller = resellerOf(settings, caller)
        const { columns } = reportTable({ by, days, before: days, lines: [] }, false)
        const file = {
          name: `sales-by-${by}`,
          days,
          columns: columns.map(({ name }) => name),
          async *pages() {
            yield csvCells(reportTable(await readReport(settings, reseller, by, days), false))
          },
          cells: (row: readonly string[]) => row,
        }
        return exports.begin(caller.reseller, file, request.isAwaited)
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}.xlsx`,
      docs: { operationId: 'portalExportReportSheet', summary: 'The same as an XLSX file', tag: TAG },
      schemas: { query: ReportParameters, responses: { 200: XlsxFile } },
      authenticate: authenticate('reports.read'),
      async handle({ caller, query }) {
        const report = await read(caller, query)
        return {
          status: 200,
          body: await printXlsx([reportTable(report, true)]),
          headers: fileHeaders(caller, report, 'xlsx'),
        }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}.pdf`,
      docs: { operationId: 'portalPrintReport', summary: 'The same as a PDF file', tag: TAG },
      schemas: { query: ReportParameters, responses: { 200: PdfFile } },
      authenticate: authenticate('reports.read'),
      async handle({ caller, query }) {
        const report = await read(caller, query)
        const pieces: Uint8Array[] = []
        for await (const piece of reportsPdf(caller.reseller, issuer, [report])) pieces.push(piece)
        return { status: 200, body: Buffer.concat(pieces), headers: fileHeaders(caller, report, 'pdf') }
      },
    }),
    operation({
      method: 'GET',
      path: '/portal/v1/reports/month.zip',
      docs: {
        operationId: 'portalPackMonth',
        summary: 'Everything that closes a month, in one ZIP file',
        description:
          'The statement as PDF and CSV with every entry, sales by day and product as PDF and CSV, all reports as XLSX, ' +
          'and the totals of wallet and receipts. Sent as it is read.',
        tag: TAG,
      },
      schemas: { query: MonthParameters, responses: { 200: ZipFile } },
      also: [429],
      authenticate: authenticate('statement.read'),
      async handle({ caller, query, request }) {
        const today = formatDay(dayOf(now().getTime()))
        const month = parseMonth(query.month || today.slice(0, 'yyyy-MM'.length))
        if (month === undefined) throw invalidFields({ month: [MONTH.message] })
        const reseller = resellerOf(settings, caller)
        const file = {
          name: `month-${caller.reseller.account}-${month.name}.zip`,
          contentType: 'application/zip',
          pages: () => packMonth(settings, caller.reseller, reseller, month.name),
        }
        return exports.beginPieces(caller.reseller, file, request.isAwaited)
      },
    }),
  ]
}

const TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

function fileHeaders({ reseller }: MemberCaller, { by, days }: Report, extension: keyof typeof TYPES) {
  const name = `sales-by-${by}-${reseller.account}-${formatDay(days.from)}-${formatDay(days.to)}.${extension}`
  return { 'Content-Type': TYPES[extension], 'Content-Disposition': `attachment; filename="${name}"` }
}
