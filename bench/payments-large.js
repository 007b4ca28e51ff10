import { dayOf, formatDay } from '../packages/server/dist/lib/dates.js'
import { FILL_DAYS, fillPayments, openEmptyWallets } from './fill.js'
import { load, medianRatio, row, sideBySide } from './measure.js'
import { measurePayments, openWallets, SILENT } from './payments.js'
import { startService } from './service.js'

const WALLETS = 1_000
const ROUNDS = 3
const WANTED = 0.95
const ROWS = Number(process.env.WARUNG_TEST_FILL_ROWS ?? 5_000_000)
/** Payment that is taken, and never answered by its provider. */
const CREATED = {
  payment: { product: 'NOVA', account: '60123453003', amount: 10 },
  wallets: WALLETS,
}
const READS = { connections: 4, requests: 400 }

export default {
  name: 'payments-large',
  summary: `payments created over 1,000 wallets with and without ${ROWS.toLocaleString('en')} payments of the past year`,
  async run(print) {
    const services = []
    const start = async () => {
      const service = await startService(SILENT)
      services.push(service)
      return service
    }
    try {
      const empty = await openEmpty(await start())
      const filled = await openFilled(await start(), print)
      const results = await sideBySide(
        {
          empty: () => measurePayments(empty.node, empty.payers, CREATED),
          filled: () => measurePayments(filled.node, filled.payers, CREATED),
        },
        { rounds: ROUNDS },
      )
      print(row('created, nothing before', results.empty))
      print(row('created, after a year', results.filled))
      print(`  ratio ${medianRatio(results, 'filled', 'empty').toFixed(2)} (wanted: at least ${WANTED})`)
      await filled.service.runtime.database.query('delete from payment_work')
      await measureReads(print, filled)
    } finally {
      for (const service of services) await service.stop()
    }
  },
}

// Two services are measured in turns, instead of one before and after. Filling takes minutes, in which the machine's
// other work changes more than the measured difference.

async function openEmpty(service) {
  const payers = await openWallets(service, WALLETS)
  return { service, payers, node: service }
}

async function openFilled(service, print) {
  // Wallets of openWallets cannot be used: past entries must come before all others.
  const wallets = await openEmptyWallets(service, WALLETS)
  await fillPayments(service, wallets, ROWS, print)
  const payers = wallets.map(({ apiKey, signingSecret }) => ({ apiKey, signingSecret }))
  return { service, payers, node: service }
}

async function measureReads(print, { service, payers }) {
  const today = dayOf(Date.now())
  const lastDay = formatDay(today - 1)
  const lastYear = `${formatDay(today - FILL_DAYS)}%20-%20${lastDay}`
  const [payer] = payers
  for (const [name, path] of [
    ['history of a day', `/v2/transactions?date=${lastDay}&limit=100`],
    ['history of a year', `/v2/transactions?date=${lastYear}&limit=100`],
    ['statement of a day', `/v2/balance-statement?date=${lastDay}`],
    ['statement of a year', `/v2/balance-statement?date=${lastYear}`],
  ]) {
    const url = `${service.baseUrl}${path}`
    if ((await fetch(url)).status === 404) {
      print(`  ${name}: skipped, there is no such operation`)
      continue
    }
    print(row(name, [await load({ ...READS, ...payer, url })]))
  }
}
