import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { dayOf } from '../../../lib/dates.ts'
import { walletEntryView } from '../../wallet/statement/entries.view.ts'
import { CsvFile } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { ENTRY_COLUMNS, entryCells } from '../payments/exports.view.ts'
import { lastMonths, readMonths, readStatementQuery } from './statement.rules.ts'
import {
  MonthsParameters,
  MonthsResponse,
  StatementFileParameters,
  StatementParameters,
  StatementResponse,
} from './statement.schemas.ts'
import { monthView, spanView } from './statement.view.ts'

const TAG = 'Statement'

export function portalStatementOperations(settings: PortalSettings): Operation[] {
  const { authenticate, now } = settings
  const today = () => dayOf(now().getTime())
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/statement',
      docs: { operationId: 'portalGetStatement', summary: "The wallet's entries, newest first", tag: TAG },
      schemas: { query: StatementParameters, responses: { 200: StatementResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller, query }) {
        const { filter, page } = readStatementQuery(query, today())
        const { id } = caller.reseller
        const { entries, hasMore, span } = await settings.entries.listWithSum(id, filter, page)
        const summary = spanView(span)
        const data = entries.map(walletEntryView)
        const cursor = hasMore ? (data.at(-1)?.number ?? null) : null
        return { status: 200, body: { data, cursor, has_more: hasMore, summary } }
      },
    }),
    operation({
      method: 'GET',
      path: '/portal/v1/statement.csv',
      docs: {
        operationId: 'portalExportStatement',
        summary: "The wallet's entries as a CSV file, newest first",
        description: 'Sent as it is read, however long it is. Times are GMT+8.',
        tag: TAG,
      },
      schemas: {
        query: StatementFileParameters,
        responses: { 200: CsvFile },
      },
      also: [429],
      authenticate: authenticate('viewer'),
      async handle({ caller, query, request }) {
        const { filter } = readStatementQuery(query, today())
        const file = {
          name: 'statement',
          days: filter.days,
          columns: ENTRY_COLUMNS,
          pages: () => settings.entries.pages(caller.reseller.id, filter),
          cells: entryCells,
        }
        return settings.exports.begin(caller.reseller, file, request.isAwaited)
      },
    }),
    operation({
      method: 'GET',
      path: '/portal/v1/statement/months',
      docs: { operationId: 'portalListMonths', summary: 'List the sums of each month', tag: TAG },
      schemas: { query: MonthsParameters, responses: { 200: MonthsResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller, query }) {
        const months = lastMonths(today(), readMonths(query))
        const data: ReturnType<typeof monthView>[] = []
        for (const days of months) data.push(monthView(await settings.entries.sum(caller.reseller.id, days)))
        return { status: 200, body: { data } }
      },
    }),
  ]
}
