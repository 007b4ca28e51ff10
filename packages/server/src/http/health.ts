import { Type } from 'typebox'
import type { Operation } from './operation.ts'
import { anyone, operation } from './operation.ts'
import { orNull } from './schemas.ts'

const Health = Type.Object({ status: Type.String() }, { title: 'Health' })
const GroupReadiness = Type.Object({
  name: Type.String({ description: 'Name of the group, as its API keys carry it' }),
  status: Type.String({ description: '`ready` or `unavailable`' }),
  problems: Type.Array(Type.String(), { description: 'Why its requests cannot be served' }),
  carried: orNull(
    Type.Object(
      {
        version: Type.Integer({ description: 'Version that the group has' }),
        behind: Type.Integer({ description: 'Versions by which it is behind the first group' }),
      },
      { title: 'CarriedVersion' },
    ),
    'Catalogue, prices and suppliers, which are written in the first group and carried to this one. Null: not known yet',
  ),
})
const Readiness = Type.Object(
  {
    status: Type.String(),
    problems: Type.Array(Type.String(), {
      description: 'Why requests cannot be served, in words for an operator',
    }),
    groups: Type.Optional(
      Type.Array(GroupReadiness, {
        description:
          'The further groups of resellers, where the service has some: it is ready while one of all is',
      }),
    ),
  },
  { title: 'Readiness' },
)

/** Readiness of a group that the service serves beside the first one. */
export type GroupState = {
  readonly name: string
  readonly status: 'ready' | 'unavailable'
  readonly problems: string[]
  readonly carried: { readonly version: number; readonly behind: number } | null
}

/**
 * Builds the health operations. `problems` says why this node cannot serve now; an empty list means ready. `others` are
 * the groups beside the first one, which may serve when that one cannot.
 */
export function healthOperations(
  problems: () => Promise<string[]>,
  others?: () => Promise<GroupState[]>,
): Operation[] {
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
        const [found, groups] = await Promise.all([problems(), others?.()])
        const ready = found.length === 0 || groups?.some(({ status }) => status === 'ready') === true
        return {
          status: ready ? 200 : 503,
          body: { status: ready ? 'ready' : 'unavailable', problems: found, ...(groups && { groups }) },
        }
      },
    }),
  ]
}
