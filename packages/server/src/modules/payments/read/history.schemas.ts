import { Type } from 'typebox'
import { parameter, repeatedParameter } from '../../../http/parameters.ts'
import { DAYS_MAX, HISTORY_RULES } from './history.rules.ts'

export const HistoryParameters = Type.Object({
  limit: parameter(HISTORY_RULES.limit, 'Payments of a page'),
  date: parameter(
    HISTORY_RULES.date,
    `yyyy-MM-dd, or yyyy-MM-dd - yyyy-MM-dd with both ends included; at most ${DAYS_MAX} days, GMT+8`,
  ),
  status: repeatedParameter(HISTORY_RULES.status, 'May be repeated. Left out: all'),
  account: parameter(HISTORY_RULES.account, 'Payments to this account alone'),
  offset: parameter(HISTORY_RULES.offset, 'How many of the newest to pass over'),
  product: parameter(HISTORY_RULES.product, 'Payments of this product alone. Blank: all'),
})

const MONEY = 'Decimal with 2 to 4 places'

const HistoryRecord = Type.Object(
  {
    trxid: Type.String(),
    date: Type.String({ description: 'Initiation, yyyy-MM-dd HH:mm:ss.fff, GMT+8' }),
    product_code: Type.String(),
    product_name: Type.String(),
    biller_code: Type.Union([Type.String(), Type.Null()], { description: 'Bill payments only' }),
    product_image_url: Type.String(),
    category: Type.String({ description: 'Name of the category' }),
    amount: Type.String({ description: `${MONEY}, in \`currency\`` }),
    account: Type.String(),
    sender: Type.String({ description: 'Address of the caller' }),
    member_id: Type.String({
      description: "The API key's or user's id; of a payment of an order, the order's id",
    }),
    status_code: Type.String({ description: 'statusCode of the payment' }),
    status_name: Type.String({ description: 'Successful, Pending, Failed or Refund' }),
    response_date: Type.String({
      description: 'When it became final, yyyy-MM-dd HH:mm:ss.fff, GMT+8; empty while it is not',
    }),
    price: Type.String({ description: `Your cost. ${MONEY}, in MYR` }),
    sn: Type.String(),
    pin: Type.String(),
    expiry: Type.String({ description: 'yyyyMMdd' }),
    remarks: Type.String(),
    refid: Type.String(),
    voucherlink: Type.String(),
    currency: Type.String({ description: 'Unit of `amount`: a currency or a virtual unit' }),
  },
  { title: 'History record' },
)

export const HistoryResponse = Type.Object(
  {
    data: Type.Array(HistoryRecord, { description: 'Newest first' }),
    meta: Type.Object(
      {
        transaction_count: Type.String(),
        total_amount: Type.String({ description: `Face value of Successful and Pending. ${MONEY}, in MYR` }),
        total_price: Type.String({ description: `Your cost of the same. ${MONEY}, in MYR` }),
        profit: Type.String({ description: 'total_amount minus total_price' }),
        successful_count: Type.String(),
        failed_count: Type.String(),
        pending_count: Type.String(),
        refund_count: Type.String(),
      },
      { description: 'Over all matches, not only this page' },
    ),
  },
  { title: 'History page' },
)
