import type { Static } from 'typebox'
import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { dayOf, formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import { walletEntry } from '../../wallet/statement/entries.codec.ts'
import type { Span } from '../../wallet/statement/listing.service.ts'
import { CsvFile, DAYS, Day, listOf, Money, PAGE, pageOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { ENTRY_COLUMNS, entryCells } from '../payments/exports.view.ts'
import {
  lastMonths,
  MONTHS_RULES,
  readMonths,
  readStatementQuery,
  STATEMENT_RULES,
} from './statement.rules.ts'

const TAG = 'Statement'

const FILTERS = { ...DAYS, type: parameter(STATEMENT_RULES.type, 'Left out: all') }

const ENTRY = walletEntry('Portal entry', {
  amount: Money,
  balance: Money,
  refid: 'Your reference of the payment; null: the entry has none',
})

const TOTAL = resource<{ readonly amount: bigint; readonly count: bigint }>()(undefined, {
  amount: [Money, ({ amount }) => formatMoney(amount)],
  count: [Type.Integer(), ({ count }) => Number(count)],
})

const SUMMARY = resource<Span>()(undefined, {
  from: [Day, ({ days }) => formatDay(days.from)],
  to: [Day, ({ days }) => formatDay(days.to)],
  opening: [Money, ({ opening }) => formatMoney(opening)],
  closing: [Money, ({ closing }) => formatMoney(closing)],
  deposits: [TOTAL.schema, ({ totals }) => TOTAL.encode(totals.DEPOSIT)],
  payments: [TOTAL.schema, ({ totals }) => TOTAL.encode(totals.TRANSACTION)],
  refunds: [TOTAL.schema, ({ totals }) => TOTAL.encode(totals.REFUND)],
  commissions: [TOTAL.schema, ({ totals }) => TOTAL.encode(totals.COMMISSION)],
})

const Statement = Type.Object({
  ...pageOf(ENTRY.schema).properties,
  summary: { ...SUMMARY.schema, description: 'Over the days, for all types' },
})
const Month = Type.Object({ month: Type.String(), ...SUMMARY.schema.properties })

export function portalStatementOperations(settings: PortalSettings): Operation[] {
  const { authenticate, now } = settings
  const today = () => dayOf(now().getTime())
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/statement',
      docs: { operationId: 'portalGetStatement', summary: "The wallet's entries, newest first", tag: TAG },
      schemas: { query: Type.Object({ ...FILTERS, ...PAGE }), responses: { 200: Statement } },
      authenticate: authenticate('statement.read'),
      async handle({ caller, query }) {
        const { filter, page } = readStatementQuery(query, today())
        const { id } = caller.reseller
        const { entries, hasMore, span } = await settings.entries.listWithSum(id, filter, page)
        const summary = SUMMARY.encode(span)
        const data = entries.map((entry) => ENTRY.encode(entry))
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
        query: Type.Object(FILTERS),
        responses: { 200: CsvFile },
      },
      also: [429],
      authenticate: authenticate('statement.read'),
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
      schemas: {
        query: Type.Object({ months: parameter(MONTHS_RULES.months, 'How many') }),
        responses: { 200: listOf(Month) },
      },
      authenticate: authenticate('statement.read'),
      async handle({ caller, query }) {
        const months = lastMonths(today(), readMonths(query))
        const data: Static<typeof Month>[] = []
        for (const days of months) {
          const month = formatDay(days.from).slice(0, 'yyyy-MM'.length)
          data.push({ month, ...SUMMARY.encode(await settings.entries.sum(caller.reseller.id, days)) })
        }
        return { status: 200, body: { data } }
      },
    }),
  ]
}
