import { formatMilliseconds } from '../../../lib/dates.ts'
import { formatMoney, LOCAL_CURRENCY } from '../../../lib/money.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import { isFinal } from '../core/states.rules.ts'
import type { Status, Totals } from './history.rules.ts'
import { statusOf } from './history.rules.ts'
import type { HistoryPage, HistoryRecord } from './history.service.ts'

const STATUS_NAMES: Readonly<Record<Status, string>> = {
  SUCCESSFUL: 'Successful',
  PENDING: 'Pending',
  FAILED: 'Failed',
  REFUND: 'Refund',
}

export function historyView({ records, totals }: HistoryPage, masks: Masks, addressOf: AddressOf = asStored) {
  return { data: records.map((record) => recordView(record, masks, addressOf)), meta: metaView(totals) }
}

/** Renders a record with its members in the contract's order, all of them strings except a biller_code of null. */
function recordView(record: HistoryRecord, masks: Masks, addressOf: AddressOf) {
  const { output, product } = record
  return {
    trxid: String(record.id),
    date: formatMilliseconds(record.createdAt),
    product_code: record.productCode,
    product_name: record.productName,
    biller_code: product?.hasBillers === false ? null : record.billerCode,
    product_image_url: addressOf(product?.imageUrl ?? ''),
    category: product?.categoryName ?? '',
    amount: formatMoney(record.amount),
    account: record.account,
    sender: record.sender,
    member_id: record.memberId,
    status_code: String(record.code),
    status_name: STATUS_NAMES[statusOf(record.code)],
    response_date: isFinal(record.code) ? formatMilliseconds(record.changedAt) : '',
    price: formatMoney(record.cost),
    sn: output.serialNumber,
    pin: masks.secret(output.pin),
    expiry: output.expiry,
    remarks: record.remarks,
    refid: record.refid,
    voucherlink: masks.link(output.voucherLink),
    currency: product?.currency ?? LOCAL_CURRENCY,
  }
}

function metaView({ payments, counts, faceValue, cost }: Totals) {
  return {
    transaction_count: String(payments),
    total_amount: formatMoney(faceValue),
    total_price: formatMoney(cost),
    profit: formatMoney(faceValue - cost),
    successful_count: String(counts.SUCCESSFUL),
    failed_count: String(counts.FAILED),
    pending_count: String(counts.PENDING),
    refund_count: String(counts.REFUND),
  }
}
