import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { HmacKey } from '../../../packages/server/dist/lib/secrets/hmac.js'
import { createHmacKey } from '../../../packages/server/dist/lib/secrets/hmac.js'
import type { SignedParts } from '../../../packages/server/dist/modules/auth/signing/signing.rules.js'
import {
  findSignedQuery,
  parseSignature,
} from '../../../packages/server/dist/modules/auth/signing/signing.rules.js'
import type { Credentials } from './signed.ts'

/**
 * Starts what a team would write: a framework's route that checks the same signature and sends the same bytes. It keeps
 * no nonce, reads no database, counts nothing, logs nothing.
 */
export async function startBareRoute(credentials: Credentials, answer: Buffer) {
  const secret = createHmacKey(Buffer.from(credentials.signingSecret, 'base64'))
  const server = fastify()
  const noBody = Buffer.alloc(0)
  server.get('/bare', (request, reply) => {
    const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
    const rawQuery = request.url?.split('?')[1] ?? ''
    const parts = { timestamp: one(timestamp), nonce: one(nonce), method: 'GET', rawQuery, body: noBody }
    if (!isSigned(parts, secret, signature)) return reply.code(401).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(answer)
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { url: addressOf(server.server), stop: async () => server.close() }
}

/**
 * Starts the floor, the least that any service on Node with signed requests must do: Node's own server, the same
 * signature, the same bytes, and nothing else.
 */
export async function startBareHandler(credentials: Credentials, answer: Buffer) {
  const secret = createHmacKey(Buffer.from(credentials.signingSecret, 'base64'))
  const noBody = Buffer.alloc(0)
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': answer.length }
  const server = createServer((request, response) => {
    const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
    const rawQuery = request.url?.split('?')[1] ?? ''
    const parts = { timestamp: one(timestamp), nonce: one(nonce), method: 'GET', rawQuery, body: noBody }
    if (!isSigned(parts, secret, signature)) response.writeHead(401).end()
    else response.writeHead(200, headers).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: addressOf(server),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function addressOf(server: Server) {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bare`
}

type Header = string | string[] | undefined

function isSigned(parts: SignedParts, secret: HmacKey, header: Header) {
  const signature = parseSignature(one(header))
  return signature !== undefined && findSignedQuery(parts, secret, signature) !== undefined
}

/** Takes a header as the one text that signed requests send. */
function one(header: Header) {
  return typeof header === 'string' ? header : ''
}
