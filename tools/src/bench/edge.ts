import { startBareHandler, startBareRoute } from './bare.ts'
import { measureFloods } from './floods.ts'
import type { Print, Suite } from './measure.ts'
import { load, ratioRow, row, sideBySide } from './measure.ts'
import type { LocalService } from './service.ts'
import { startService } from './service.ts'
import { signed } from './signed.ts'

const ROUNDS = 5
/** Operations with the least share of the yardsticks' rate that is wanted of them. */
const COMPARED = [
  {
    name: 'GET /v2/balance, nonce kept',
    path: '/v2/balance',
    load: { connections: 128, requests: 20_000 },
    wanted: { route: 0.9, handler: 0.75 },
  },
  {
    name: 'GET /v2/options, 21,500 billers',
    path: '/v2/options?field_id=biller&limit=25000&product_code=BILLPAY',
    load: { connections: 16, requests: 400 },
    wanted: { route: 0.95, handler: 0.75 },
  },
]

export default {
  name: 'edge',
  summary:
    'signed reads with durable nonces, beside a bare route and a bare node:http handler that only check the signature',
  async run(print) {
    if (process.argv.includes('--floods')) return measureFloods(print)
    const service = await startService()
    try {
      for (const operation of COMPARED) await compare(print, service, operation)
    } finally {
      await service.stop()
    }
  },
} satisfies Suite

/** Compares an operation with a bare route and a bare handler that send the same bytes. */
async function compare(print: Print, service: LocalService, operation: (typeof COMPARED)[number]) {
  const { name, path, wanted } = operation
  const url = `${service.baseUrl}${path}`
  const answer = await fetch(url, { headers: signed(service.credentials, path) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const route = await startBareRoute(service.credentials, bytes)
  const handler = await startBareHandler(service.credentials, bytes)
  const orders = { ...service.credentials, ...operation.load }
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : ''
  try {
    const results = await sideBySide(
      {
        handler: () => load({ ...orders, url: `${handler.url}${query}` }),
        route: () => load({ ...orders, url: `${route.url}${query}` }),
        ours: () => load({ ...orders, url }),
      },
      { rounds: ROUNDS },
    )
    const size = `${(bytes.length / 1_024).toFixed(0)} kB`
    print(row(`bare node:http, ${size}`, results.handler))
    print(row(`bare route, ${size}`, results.route))
    print(row(name, results.ours))
    print(ratioRow(results.ours, results.route, 'a bare route', wanted.route))
    print(ratioRow(results.ours, results.handler, 'a bare node:http handler', wanted.handler))
  } finally {
    await handler.stop()
    await route.stop()
  }
}
