import { dayOf } from '../packages/server/dist/lib/dates.js'
import { createHistory } from '../packages/server/dist/modules/payments/read/history.service.js'
import { createPaymentListing } from '../packages/server/dist/modules/payments/read/listing.service.js'
import { createRefidLookup } from '../packages/server/dist/modules/payments/read/references.service.js'
import { findPayments } from '../packages/server/dist/modules/payments/read/search.service.js'
import { createStatements } from '../packages/server/dist/modules/wallet/statement/statement.service.js'
import { FILL_DAYS } from './fill.js'
import { countPages } from './scale-statistics.js'

const LIMIT = 100
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
export async function measureReads({ database, vault }, wallets, paymentsOfOne) {
  const counted = []
  for (const [name, work] of readsOf(
    { database, vault },
    await sampleOf(database, wallets[0].id, paymentsOfOne),
  )) {
    counted.push({ name, ...(await countPages(database, work)) })
  }
  return counted
}

/** Picks a payment in the middle of a reseller's year. */
async function sampleOf(database, resellerId, paymentsOfOne) {
  const { rows } = await database.query(
    `select p.id, p.refid, p.account, p.serial_number, r.account as reseller_account
       from payments p join resellers r on r.id = p.reseller_id
      where p.reseller_id = $1 and p.code = 20 order by p.id offset $2 limit 1`,
    [resellerId, Math.floor(paymentsOfOne * 0.45)],
  )
  return { ...rows[0], resellerId, paymentsOfOne }
}

function readsOf({ database, vault }, sample) {
  const { resellerId, paymentsOfOne } = sample
  const today = dayOf(Date.now())
  const days = { from: today - FILL_DAYS, to: today - 1 }
  // Longest range of days that the operators' search takes.
  const month = { from: today - 30, to: today - 1 }
  const history = createHistory({
    database,
    vault,
    catalog: { base: () => ({ categories: [], products: [] }) },
  })
  const listing = createPaymentListing({ database, vault })
  const statements = createStatements(database, createRefidLookup(database))
  const year = { days, statuses: [], account: null, product: null }
  const page = (query) => () => history.list(resellerId, { ...year, offset: 0, limit: LIMIT, ...query })
  const listed = (filter, before) => () =>
    listing.list(resellerId, { ...year, ...filter }, { before, limit: LIMIT })
  const statement = (query) => () =>
    statements.read(resellerId, { days, type: null, page: 1, perPage: LIMIT, ...query })
  const search = (query) => () => database.transaction((tx) => findPayments(tx, { ...ANYTHING, ...query }))
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

const middlePage = (payments) => Math.max(1, Math.floor(payments / 2 / LIMIT))
