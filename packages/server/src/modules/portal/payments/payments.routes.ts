import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { ExportFile } from '../../../http/streams/exports.ts'
import { dayOf, formatDay } from '../../../lib/dates.ts'
import type { ListedPayment } from '../../payments/read/listing.service.ts'
import { masksFor, seesSecrets } from '../access/access.service.ts'
import { CsvFile } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { PAYMENT_COLUMNS, paymentCells } from './exports.view.ts'
import { figuresView } from './overview.view.ts'
import { readPaymentsQuery } from './payments.rules.ts'
import {
  PaymentParams,
  PaymentResponse,
  PaymentsFileParameters,
  PaymentsParameters,
  PaymentsResponse,
  PaymentTotalsResponse,
} from './payments.schemas.ts'
import { currenciesOf, getPayment, listPayments, ownFilter } from './payments.service.ts'
import { listedPaymentView, paymentDetailsView } from './payments.view.ts'

const TAG = 'Payments'

export function portalPaymentOperations(settings: PortalSettings): Operation[] {
  const { authenticate, now } = settings
  const today = () => dayOf(now().getTime())
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/payments',
      docs: {
        operationId: 'portalListPayments',
        summary: 'Payments, newest first',
        description: 'Cashiers get those that they sold.',
        tag: TAG,
      },
      schemas: { query: PaymentsParameters, responses: { 200: PaymentsResponse } },
      authenticate: authenticate('payments.own'),
      async handle({ caller, query }) {
        const found = await listPayments(settings, caller, readPaymentsQuery(query, today()))
        const currencies = currenciesOf(settings)
        const data = found.payments.map((each) => listedPaymentView(each, masksFor(caller), currencies))
        const cursor = found.hasMore ? (data.at(-1)?.id ?? null) : null
        return { status: 200, body: { data, cursor, has_more: found.hasMore } }
      },
    }),
    operation({
      method: 'GET',
      path: '/portal/v1/payments/totals',
      docs: {
        operationId: 'portalSumPayments',
        summary: 'Totals of the payments that match',
        description:
          'Sums of all matching payments, on all pages of the list together. Cashiers get their own.',
        tag: TAG,
      },
      schemas: {
        query: PaymentsFileParameters,
        responses: { 200: PaymentTotalsResponse },
      },
      authenticate: authenticate('payments.own'),
      async handle({ caller, query }) {
        const { filter } = readPaymentsQuery(query, today())
        const totals = await settings.payments.sum(caller.reseller.id, ownFilter(caller, filter))
        const { from, to } = filter.days
        const data = { from: formatDay(from), to: formatDay(to), ...figuresView([totals]) }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'GET',
      path: '/portal/v1/payments.csv',
      docs: {
        operationId: 'portalExportPayments',
        summary: 'Payments as a CSV file, newest first',
        description:
          'Sent as it is read, however long it is. Times are GMT+8. Viewers and accountants get PINs masked.',
        tag: TAG,
      },
      schemas: {
        query: PaymentsFileParameters,
        responses: { 200: CsvFile },
      },
      also: [429],
      authenticate: authenticate('payments.read'),
      async handle({ caller, query, request }) {
        const { filter } = readPaymentsQuery(query, today())
        const masks = masksFor(caller)
        const file: ExportFile<ListedPayment> = {
          name: 'payments',
          days: filter.days,
          columns: PAYMENT_COLUMNS,
          pages: () => settings.payments.pages(caller.reseller.id, filter),
          cells: (payment) => paymentCells(payment, masks),
        }
        return settings.exports.begin(caller.reseller, file, request.isAwaited)
      },
    }),
    operation({
      method: 'GET',
      path: '/portal/v1/payments/:id',
      docs: {
        operationId: 'portalGetPayment',
        summary: 'A payment with its timeline and callbacks',
        tag: TAG,
      },
      schemas: { params: PaymentParams, responses: { 200: PaymentResponse } },
      authenticate: authenticate('payments.own'),
      async handle({ caller, params, request }) {
        const details = await getPayment(settings, caller, params.id, request.headers['accept-language'])
        const data = paymentDetailsView(details, masksFor(caller), seesSecrets(caller))
        return { status: 200, body: { data } }
      },
    }),
  ]
}
