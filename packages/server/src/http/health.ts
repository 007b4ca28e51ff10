import { Type } from 'typebox'
import type { Operation } from './operation.ts'
import { anyone, operation } from './operation.ts'

const Health = Type.Object({ status: Type.String() }, { title: 'Health' })
const Readiness = Type.Object(
  {
    status: Type.String(),
    problems: Type.Array(Type.String(), {
      description: 'Why requests cannot be served, in words for an operator',
    }),
  },
  { title: 'Readiness' },
)

/** Builds the health operations. `problems` says why this node cannot serve now; an empty list means ready. */
export function healthOperations(problems: () => Promise<string[]>): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/healthz',
      docs: { operationId: 'getHealth', summary: 'The process is alive', tag: 'Service' },
      schemas: { responses: { 200: Health } },
      authenticate: anyone,
      answersHead: true,
      handle: async () => ({ status: 200, body: { status: 'ok' } }),
    }),
    operation({
      method: 'GET',
      path: '/readyz',
      docs: { operationId: 'getReadiness', summary: 'The service can answer requests', tag: 'Service' },
      schemas: { responses: { 200: Readiness, 503: Readiness } },
      authenticate: anyone,
      answersHead: true,
      async handle() {
        const found = await problems()
        const ready = found.length === 0
        return {
          status: ready ? 200 : 503,
          body: { status: ready ? 'ready' : 'unavailable', problems: found },
        }
      },
    }),
  ]
}
