import { addConnection } from '../packages/server/dist/modules/providers/connections/connections.service.js'
import { setRoute } from '../packages/server/dist/modules/providers/connections/routing.service.js'
import { listKinds } from '../packages/server/dist/modules/providers/kinds.service.js'
import { medianRatio, row, sideBySide } from './measure.js'
import { openWallets, SILENT, startPayers } from './payments.js'
import { startService } from './service.js'

const WALLETS = 100
const CONNECTIONS = 64
const PAYMENTS = 10_000
const ROUNDS = 3
/** Orders that hang: more than the provider has places, so that the others wait. */
const HANGING = 1_500
const WANTED = 0.9

/** Payment that staging's own simulator answers at once. */
const HEALTHY = { product: 'KITA', account: '60123456789', amount: 10 }
/** Payment to a number that is never answered, at another provider. */
const UNANSWERED = { product: 'NOVA', account: '60123453003', amount: 10 }

/** Connects a provider that takes every order and never answers. A breaker would only make the test easier. */
async function connectSilentProvider({ config, database, vault }) {
  const kinds = listKinds({ ...config, database, vault, fulfilment: () => 'plain', nowMs: Date.now })
  await addConnection(
    { database, vault, kinds },
    {
      code: 'silent',
      kind: 'simulator',
      name: 'Never answers',
      config: { timeout_ms: 60_000 },
      limits: { breaker: false },
    },
  )
  await setRoute(database, {
    productCode: UNANSWERED.product,
    provider: 'silent',
    priority: 1,
    weight: 100,
    cost: null,
    windows: [],
    isEnabled: true,
  })
}

async function pay(node, credentials, payment, requests) {
  const result = await startPayers({
    url: `${node.baseUrl}/v2/topup`,
    credentials,
    connections: CONNECTIONS,
    requests,
    payment,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  return result
}

/** Measures until every payment of the healthy provider is final. */
async function measureHealthy(node, credentials) {
  const result = await pay(node, credentials, HEALTHY, PAYMENTS)
  for (;;) {
    const { rows } = await node.runtime.database.query(
      `select 1 from payment_work w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
        where p.product_code = $1 limit 1`,
      [HEALTHY.product],
    )
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { ...result, perSecond: PAYMENTS / ((Date.now() - result.startedAt) / 1_000) }
}

export default {
  name: 'providers',
  summary: `payments at a healthy provider, from the request to the end, while another one has ${HANGING} orders and answers none`,
  async run(print) {
    const service = await startService(SILENT)
    try {
      const credentials = await openWallets(service, WALLETS)
      await connectSilentProvider(service.runtime)
      const quiet = await service.openNode()
      const beset = await service.openNode()
      const results = await sideBySide(
        {
          alone: () => measureHealthy(quiet, credentials),
          async beset() {
            await pay(beset, credentials, UNANSWERED, HANGING)
            return measureHealthy(beset, credentials)
          },
        },
        { rounds: ROUNDS },
      )
      print(row('no provider hangs', results.alone))
      print(row('another provider hangs', results.beset))
      print(`    ${medianRatio(results, 'beset', 'alone').toFixed(2)} × (wanted: at least ${WANTED})`)
    } finally {
      await service.stop()
    }
  },
}
