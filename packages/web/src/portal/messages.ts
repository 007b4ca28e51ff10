import { defineMessages } from '../text/language.ts'
import { WORDS } from '../text/messages.ts'

/** Names of the portal's pages. */
export const PORTAL = defineMessages({
  en: {
    ...WORDS.en,
    overview: 'Overview',
    sell: 'Sell',
    bulk: 'Bulk payments',
    orders: 'Checkout orders',
    reports: 'Reports',
    shifts: 'Tills and shifts',
    statement: 'Statement',
    reconciliation: 'Reconciliation',
    deposits: 'Deposits',
    catalogue: 'Catalogue',
    developers: 'Developers',
    keys: 'API keys',
    webhooks: 'Webhooks',
    requests: 'Request log',
    events: 'Events',
    start: 'Getting started',
    team: 'Team and alerts',
    account: 'Your account',
    productInterrupted: 'interrupted now',
    notYours: 'Not for your role',
    notYoursAbout: 'The owner of the shop decides which pages a role has.',
    notByPin: 'You took over by PIN, with the rights of a cashier. Sign in with your password for this page.',
    status: { successful: 'Successful', pending: 'Pending', failed: 'Failed', refunded: 'Refunded' },
  },
  ms: {
    ...WORDS.ms,
    overview: 'Ringkasan',
    sell: 'Jual',
    bulk: 'Bayaran pukal',
    orders: 'Pesanan halaman bayaran',
    reports: 'Laporan',
    shifts: 'Kaunter dan syif',
    statement: 'Penyata',
    reconciliation: 'Penyesuaian',
    deposits: 'Deposit',
    catalogue: 'Katalog',
    developers: 'Pembangun',
    keys: 'Kunci API',
    webhooks: 'Webhook',
    requests: 'Log permintaan',
    events: 'Peristiwa',
    start: 'Bermula',
    team: 'Pasukan dan amaran',
    account: 'Akaun anda',
    productInterrupted: 'terganggu sekarang',
    notYours: 'Bukan untuk peranan anda',
    notYoursAbout: 'Pemilik kedai menentukan halaman bagi setiap peranan.',
    notByPin:
      'Anda mengambil alih dengan PIN, dengan hak juruwang. Log masuk dengan kata laluan untuk halaman ini.',
    status: { successful: 'Berjaya', pending: 'Menunggu', failed: 'Gagal', refunded: 'Dipulangkan' },
  },
})

/** Words about amounts that cannot be read; every field says the same. */
export const AMOUNTS = defineMessages({
  en: { unreadable: 'Write the amount without commas, such as 1000 or 1.50' },
  ms: { unreadable: 'Tulis amaun tanpa koma, seperti 1000 atau 1.50' },
})
