import { startBareHandler, startBareRoute } from './bare.js'
import { load, ratioRow, row, sideBySide } from './measure.js'
import { startService } from './service.js'

const CONNECTIONS = 128
const REQUESTS = 20_000
const ROUNDS = 5
const WANTED = { route: 0.9, handler: 0.75 }

export default {
  name: 'edge',
  summary:
    'signed GET /v2/balance with durable nonces, beside a bare route and a bare node:http handler that only check the signature',
  async run(print) {
    const service = await startService()
    const body = {
      data: { account: '1000001', name: 'Kedai Maju', balance: 1_250_000, level: 'STANDARD', access: 0 },
    }
    const answer = Buffer.from(JSON.stringify(body))
    const route = await startBareRoute(service.credentials, answer)
    const handler = await startBareHandler(service.credentials, answer)
    const orders = { ...service.credentials, connections: CONNECTIONS, requests: REQUESTS }
    try {
      const results = await sideBySide(
        {
          handler: () => load({ ...orders, url: handler.url }),
          route: () => load({ ...orders, url: route.url }),
          balance: () => load({ ...orders, url: `${service.baseUrl}/v2/balance` }),
        },
        { rounds: ROUNDS },
      )
      print(row('bare node:http, signature only', results.handler))
      print(row('bare route, signature only', results.route))
      print(row('GET /v2/balance, nonce kept', results.balance))
      print(ratioRow(results, 'balance', 'route', WANTED.route))
      print(ratioRow(results, 'balance', 'handler', WANTED.handler))
    } finally {
      await handler.stop()
      await route.stop()
      await service.stop()
    }
  },
}
