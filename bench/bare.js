import { createServer } from 'node:http'
import fastify from 'fastify'
import { createHmacKey } from '../packages/server/dist/lib/secrets/hmac.js'
import {
  findSignedQuery,
  parseSignature,
} from '../packages/server/dist/modules/auth/signing/signing.rules.js'

/**
 * Starts what a team would write: a framework's route that checks the same signature and sends the same bytes. It keeps
 * no nonce, reads no database, counts nothing, logs nothing.
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

/**
 * Starts the floor, the least that any service on Node with signed requests must do: Node's own server, the same
 * signature, the same bytes, and nothing else.
 */
export async function startBareHandler(credentials, answer) {
  const secret = createHmacKey(Buffer.from(credentials.signingSecret, 'base64'))
  const noBody = Buffer.alloc(0)
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': answer.length }
  const server = createServer((request, response) => {
    const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
    const rawQuery = request.url.split('?')[1] ?? ''
    const parts = { timestamp, nonce, method: 'GET', rawQuery, body: noBody }
    if (findSignedQuery(parts, secret, parseSignature(signature)) === undefined) response.writeHead(401).end()
    else response.writeHead(200, headers).end(answer)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/bare`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
