import { createHash } from 'node:crypto'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import { RECEIPT_HEADER_INPUT } from './header.codec.ts'
import { findHeaderRow, lockHeader, upsertHeader } from './sql.ts'
import type { ReceiptHeader } from './types.ts'
import { NO_HEADER } from './types.ts'

/** Says what stands on the receipts of a shop besides the payment. What is left out is empty. */
export const putReceiptHeader = act({
  name: 'receipt_header.put',
  input: RECEIPT_HEADER_INPUT,
  async run(tx, { account, name = '', address = '', registrationNumber = '', footer = '', logo = null }) {
    const { id } = await getReseller(tx, account)
    await lockHeader(tx, id)
    const before = (await findHeaderRow(tx, id)) ?? NO_HEADER
    const result: ReceiptHeader = { name, address, registrationNumber, footer, logo }
    await upsertHeader(tx, id, result)
    const target = { kind: 'receipt_headers', id: account }
    return { target, before: loggedOf(before), after: loggedOf(result), result }
  },
})

/** The log names the picture by its digest. */
function loggedOf({ logo, ...header }: ReceiptHeader) {
  return { ...header, logo: logo === null ? null : createHash('sha256').update(logo).digest('hex') }
}
