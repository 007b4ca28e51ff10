import { startBareRoute } from './bare.js'
import { load, medianRatio, row, sideBySide } from './measure.js'
import { startService } from './service.js'

const CONNECTIONS = 128
const REQUESTS = 20_000
const ROUNDS = 5
const WANTED = 0.7

export default {
  name: 'edge',
  summary: 'signed GET /v2/balance with durable nonces, beside a bare route that only checks the signature',
  async run(print) {
    const service = await startService()
    const body = {
      data: { account: '1000001', name: 'Kedai Maju', balance: 1_250_000, level: 'STANDARD', access: 0 },
    }
    const bare = await startBareRoute(service.credentials, Buffer.from(JSON.stringify(body)))
    const orders = { ...service.credentials, connections: CONNECTIONS, requests: REQUESTS }
    try {
      const results = await sideBySide(
        {
          bare: () => load({ ...orders, url: bare.url }),
          balance: () => load({ ...orders, url: `${service.baseUrl}/v2/balance` }),
        },
        { rounds: ROUNDS },
      )
      print(row('bare route, signature only', results.bare))
      print(row('GET /v2/balance, nonce kept', results.balance))
      print(`  ratio ${medianRatio(results, 'balance', 'bare').toFixed(2)} (wanted: at least ${WANTED})`)
    } finally {
      await bare.stop()
      await service.stop()
    }
  },
}
