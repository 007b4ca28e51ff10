import type { Database } from '../../../../packages/server/dist/db/database.js'
import { dayOf } from '../../../../packages/server/dist/lib/dates.js'
import type { HistoryQuery } from '../../../../packages/server/dist/modules/payments/read/history.rules.js'
import { createHistory } from '../../../../packages/server/dist/modules/payments/read/history.service.js'
import type { PaymentFilter } from '../../../../packages/server/dist/modules/payments/read/listing.service.js'
import { createPaymentListing } from '../../../../packages/server/dist/modules/payments/read/listing.service.js'
import { createRefidLookup } from '../../../../packages/server/dist/modules/payments/read/references.service.js'
import type { PaymentSearch } from '../../../../packages/server/dist/modules/payments/read/search.service.js'
import { findPayments } from '../../../../packages/server/dist/modules/payments/read/search.service.js'
import type { StatementQuery } from '../../../../packages/server/dist/modules/wallet/statement/statement.rules.js'
import { createStatements } from '../../../../packages/server/dist/modules/wallet/statement/statement.service.js'
import type { Runtime } from '../../../../packages/server/dist/runtime.js'
import { FILL_DAYS } from './fill.ts'
import type { Counted } from './statistics.ts'
import { countPages } from './statistics.ts'

const LIMIT = 100
type Stores = Pick<Runtime, 'database' | 'vault'>
type Sampled = {
  id: bigint
  refid: string
  account: string
  serial_number: string
  reseller_account: string
}
type Sample = Sampled & { resellerId: bigint; paymentsOfOne: number }

const NO_CATALOG = { groups: [], categories: [], products: [], options: new Map(), updatedAt: new Date(0) }
const ANYTHING = {
  id: null,
  refid: null,
  customer: null,
  account: null,
  product: null,
  provider: null,
  serialNumber: null,
  state: null,
  days: null,
  beforeId: null,
  limit: LIMIT,
}

/** Counts the pages of every read. The service is closed meanwhile, so that nothing else is counted. */
export async function measureReads({ database, vault }: Stores, resellerId: bigint, paymentsOfOne: number) {
  const counted: (Counted & { name: string })[] = []
  for (const [name, work] of readsOf(
    { database, vault },
    await sampleOf(database, resellerId, paymentsOfOne),
  )) {
    counted.push({ name, ...(await countPages(database, work)) })
  }
  return counted
}

/** Picks a payment in the middle of a reseller's year. */
async function sampleOf(database: Database, resellerId: bigint, paymentsOfOne: number) {
  const { rows } = await database.query<Sampled>(
    `select p.id, p.refid, p.account, p.serial_number, r.account as reseller_account
       from payments p join resellers r on r.id = p.reseller_id
      where p.reseller_id = $1 and p.code = 20 order by p.id offset $2 limit 1`,
    [resellerId, Math.floor(paymentsOfOne * 0.45)],
  )
  const [found] = rows
  if (found === undefined) throw new Error('there is no payment to look for')
  return { ...found, resellerId, paymentsOfOne }
}

function readsOf(
  { database, vault }: Stores,
  sample: Sample,
): [name: string, read: () => Promise<unknown>][] {
  const { resellerId, paymentsOfOne } = sample
  const today = dayOf(Date.now())
  const days = { from: today - FILL_DAYS, to: today - 1 }
  // Longest range of days that the operators' search takes.
  const month = { from: today - 30, to: today - 1 }
  const history = createHistory({
    database,
    vault,
    catalog: { base: () => NO_CATALOG },
  })
  const listing = createPaymentListing({ database, vault })
  const statements = createStatements(database, createRefidLookup(database))
  const year = { days, statuses: [], account: null, product: null }
  const page = (query: Partial<HistoryQuery>) => () =>
    history.list(resellerId, { ...year, offset: 0, limit: LIMIT, ...query })
  const listed = (filter: Partial<PaymentFilter>, before: bigint | null) => () =>
    listing.list(resellerId, { ...year, ...filter }, { before, limit: LIMIT })
  const statement = (query: Partial<StatementQuery>) => () =>
    statements.read(resellerId, { days, type: null, page: 1, perPage: LIMIT, ...query })
  const search = (query: Partial<PaymentSearch>) => () =>
    database.transaction((tx) => findPayments(tx, { ...ANYTHING, ...query }))
  return [
    ['history of a year, first page', page({})],
    ['history of a year, page in the middle', page({ offset: Math.floor(paymentsOfOne / 2) })],
    ['history of a year, failed ones of a product', page({ statuses: ['FAILED'], product: 'NOVA' })],
    ['history of a customer', page({ account: sample.account })],
    ['portal, first page', listed({}, null)],
    ['portal, page after a cursor', listed({}, sample.id)],
    ['portal, failed ones of a product', listed({ statuses: ['FAILED'], product: 'NOVA' }, null)],
    ['portal, by refid', () => listing.findByRefid(resellerId, sample.refid)],
    ['portal, by customer', listed({ account: sample.account }, null)],
    ['portal, totals of a year', () => listing.sum(resellerId, year)],
    ['statement of a day', statement({ days: { from: today - 2, to: today - 2 } })],
    ['statement of a year, first page', statement({})],
    ['statement of a year, page in the middle', statement({ page: middlePage(paymentsOfOne) })],
    [
      'statement, payments, in the middle',
      statement({ page: middlePage(paymentsOfOne), type: 'TRANSACTION' }),
    ],
    ['operator, newest payments', search({})],
    ['operator, by id', search({ id: sample.id })],
    ['operator, by refid of one reseller', search({ refid: sample.refid, account: sample.reseller_account })],
    ['operator, by refid of any reseller', search({ refid: sample.refid })],
    ['operator, by customer', search({ customer: sample.account })],
    ['operator, failed ones', search({ state: 'failed' })],
    [
      'operator, one reseller after a cursor',
      search({ account: sample.reseller_account, beforeId: sample.id }),
    ],
    ['operator, by serial number', search({ serialNumber: sample.serial_number, days: month })],
  ]
}

const middlePage = (payments: number) => Math.max(1, Math.floor(payments / 2 / LIMIT))
