import fastify from 'fastify'
import { createHmacKey } from '../packages/server/dist/lib/secrets/hmac.js'
import {
  findSignedQuery,
  parseSignature,
} from '../packages/server/dist/modules/auth/signing/signing.rules.js'

/**
 * Starts the least that any service with signed requests must do: it checks the same signature and sends the same
 * bytes. It keeps no nonce, reads no database, counts nothing, logs nothing.
 */
export async function startBareRoute(credentials, answer) {
  const secret = createHmacKey(Buffer.from(credentials.signingSecret, 'base64'))
  const server = fastify()
  const noBody = Buffer.alloc(0)
  server.get('/bare', (request, reply) => {
    const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
    const rawQuery = request.url.split('?')[1] ?? ''
    const parts = { timestamp, nonce, method: 'GET', rawQuery, body: noBody }
    if (findSignedQuery(parts, secret, parseSignature(signature)) === undefined) return reply.code(401).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(answer)
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${server.server.address().port}/bare`, stop: () => server.close() }
}
