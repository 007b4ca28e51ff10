import { createSecretKey } from 'node:crypto'
import fastify from 'fastify'
import { findSignedQuery, parseSignature } from '../packages/server/dist/modules/auth/signing.rules.js'
import { load, medianRatio, row, sideBySide } from './measure.js'
import { startService } from './service.js'

const CONNECTIONS = 64
const REQUESTS = 20_000
const ROUNDS = 5
const WANTED = 0.7

/** Checks the same signature, keeps no nonce, reads no database, counts nothing, logs nothing. */
async function startBareRoute(credentials) {
  const secret = createSecretKey(Buffer.from(credentials.signingSecret, 'base64'))
  const server = fastify()
  const body = Buffer.alloc(0)
  const answer = {
    data: { account: '1000001', name: 'Kedai Maju', balance: 1_250_000, level: 'STANDARD', access: 0 },
  }
  server.get('/bare', async (request, reply) => {
    const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
    const parts = { timestamp, nonce, method: 'GET', rawQuery: '', body }
    if (findSignedQuery(parts, secret, parseSignature(signature)) === undefined) return reply.code(401).send()
    return answer
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${server.server.address().port}/bare`, stop: () => server.close() }
}

export default {
  name: 'edge',
  summary: 'signed GET /v2/balance with durable nonces, beside a bare route that only checks the signature',
  async run(print) {
    const service = await startService()
    const bare = await startBareRoute(service.credentials)
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
      const ratio = medianRatio(results, 'balance', 'bare')
      print(`  ratio ${ratio.toFixed(2)} (wanted: at least ${WANTED})`)
    } finally {
      await bare.stop()
      await service.stop()
    }
  },
}
