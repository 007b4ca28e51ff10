import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { UncertainOutcomeError } from '../db/commits/group-commit.ts'
import { UncertainCommitError } from '../db/database.ts'
import type { Edge } from './edge.ts'
import { createEdge } from './edge.ts'
import { createMetrics } from './metrics.ts'
import { anyone, operation } from './operation.ts'

let edge: Edge | undefined

afterEach(() => edge?.close())

const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }
const LOST = new Error('Connection terminated unexpectedly')

it.each([
  ['a transaction', new UncertainCommitError(LOST)],
  ['a group commit', new UncertainOutcomeError('resolve', LOST)],
])(
  'a commit of %s that nobody confirmed is 504, and never an answer that means nothing was done',
  async (_, error) => {
    edge = createEdge({
      operations: [
        operation({
          method: 'POST',
          path: '/money',
          docs: { operationId: 'move', summary: 'Moves money', tag: 'Money' },
          schemas: { responses: {} },
          authenticate: anyone,
          handle: () => Promise.reject(error),
        }),
      ],
      limiter: { admit: () => ADMITTED, peek: () => ADMITTED },
      trustProxy: [],
      requestTimeoutMs: 5_000,
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
    const answer = await fetch(`http://127.0.0.1:${port}/money`, { method: 'POST' })
    expect(answer.status).toBe(504)
    expect(await answer.text()).toContain('The outcome is not known')
  },
)
