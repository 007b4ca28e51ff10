import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterEach, expect, it } from 'vitest'
import type { Edge } from './edge.ts'
import { createEdge } from './edge.ts'
import { createMetrics } from './metrics.ts'
import { operation } from './operation.ts'
import { refusal } from './refusals.ts'

let edge: Edge | undefined

afterEach(() => edge?.close())

const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }

/** Asks a read that needs a parameter, without it. */
async function askWithoutParameter(confirm: () => Promise<void>): Promise<number> {
  edge = createEdge({
    operations: [
      operation({
        method: 'GET',
        path: '/read',
        docs: { operationId: 'read', summary: 'Reads', tag: 'Reads' },
        schemas: { query: Type.Object({ name: Type.String() }), responses: {} },
        authenticate: () => ({ caller: undefined, query: {}, confirm }),
        handle: () => Promise.reject(new Error('is not asked')),
      }),
    ],
    limiter: { admit: () => ADMITTED, peek: () => ADMITTED },
    trustProxy: [],
    requestTimeoutMs: 30_000,
    requestsMax: 10,
    connectionsMax: 10,
    connectionsPerAddressMax: 10,
    writeStallMs: 60_000,
    wire: 'own',
    exempt: [],
    logger: pino({ level: 'silent' }),
    requestLog: { write() {} },
    metrics: createMetrics(),
  })
  await edge.listen({ host: '127.0.0.1', port: 0 })
  const { port } = edge.server.address() as AddressInfo
  return (await fetch(`http://127.0.0.1:${port}/read`)).status
}

it('a read whose proof fails later is refused for that, although its input was refused before', async () => {
  const later = () =>
    new Promise<void>((_, reject) => setImmediate(() => setImmediate(reject, refusal('nonce_reused'))))
  expect(await askWithoutParameter(later)).toBe(401)
})

it('a read whose input is refused says so when its proof holds', async () => {
  expect(await askWithoutParameter(() => Promise.resolve())).toBe(400)
})
