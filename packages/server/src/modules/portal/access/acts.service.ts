import type { TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import type {
  BodyLimits,
  IncomingRequest,
  Method,
  Operation,
  OperationDocs,
  OperationSchemas,
  Shown,
} from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { MemberPermission } from '../../accounts/members.rules.ts'
import { performAlone } from '../../acts/service.ts'
import type { Act } from '../../acts/types.ts'
import { wireOf } from '../../acts/wire.service.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { GrantWorld } from '../../grants/types.ts'
import type { MemberAuthenticator, MemberCaller } from '../../sessions/people/types.ts'
import { REASON } from './log.service.ts'
import { dataOf } from './schemas.ts'
import type { PortalSettings } from './types.ts'

/** Dependencies of the acts of members. */
export type MemberStage<World> = {
  readonly authenticate: MemberAuthenticator
  readonly log: AuditLog
  readonly world: World
}

/** Row of an operation that does an act for the caller's own reseller: a member `account` is always the session's. */
export type MemberActRow<World, Input, Result, Answer extends TSchema> = {
  readonly act: Act<World, Input, Result>
  readonly method: Exclude<Method, 'GET'>
  readonly path: string
  readonly permission: MemberPermission
  readonly docs: OperationDocs
  /** False: everything stands in the path. */
  readonly hasBody?: boolean
  /** Title of the body in the document. */
  readonly body?: string
  /** True: a member that the act does not have is refused. A bound that is misspelt must not be left out in silence. */
  readonly isStrict?: true
  readonly bodyLimits?: BodyLimits
  readonly without?: readonly (keyof Input & string)[]
  /** Schemas of members, by their names on the wire, that the document of this API describes otherwise. */
  readonly schemas?: TProperties
  /** Query that has the rest of the input. */
  readonly query?: TObject
  /** Input that the request itself says, such as the browser that sent it; its members are in `without`. */
  readonly given?: (request: IncomingRequest) => Readonly<Record<string, unknown>>
  readonly headers?: (result: Result) => Readonly<Record<string, string>>
  readonly status?: 200 | 201
  readonly answer: Answer
  readonly view: (result: Result, caller: MemberCaller) => Shown<Answer> | Promise<Shown<Answer>>
}

/** Makes the operation of an act. Members are not asked for a reason. */
export function memberAct<World, Input, Result, Answer extends TSchema>(
  { authenticate, log, world }: MemberStage<World>,
  row: MemberActRow<World, Input, Result, Answer>,
): Operation {
  const {
    act,
    method,
    path,
    docs,
    status = 200,
    hasBody = true,
    without = [],
    schemas = {},
    query,
    given: givenBy,
    headers,
    view,
  } = row
  const own = ['account', ...without] as readonly (keyof Input & string)[]
  const wire = wireOf(act, {
    path,
    without: own,
    ...(hasBody && {
      bodyOf: (properties) =>
        Type.Object(described(properties, schemas), {
          ...(row.body !== undefined && { title: row.body }),
          ...(row.isStrict && { additionalProperties: false }),
        }),
    }),
  })
  const { params, body } = wire
  // The row's types compare its view with its answer.
  const responses: OperationSchemas['responses'] = { [status]: dataOf(row.answer) }
  return operation({
    method,
    path,
    docs,
    schemas: {
      ...(params !== undefined && { params: Type.Object(described(params.properties, schemas)) }),
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body }),
      responses,
    },
    ...(row.bodyLimits !== undefined && { bodyLimits: row.bodyLimits }),
    authenticate: authenticate(row.permission),
    async handle({ caller, request, params: path, query: asked, body: given }) {
      const values = wire.read(path as Values, given as Values)
      const { account } = caller.reseller
      const input = { ...(query && (asked as Values)), ...values, ...givenBy?.(request), account }
      const result = await performAlone({ log, world }, act, { caller, input, reason: REASON })
      const body = { data: await view(result, caller) }
      return headers === undefined ? { status, body } : { status, body, headers: headers(result) }
    },
  })
}

function described(properties: TProperties, otherwise: TProperties): TProperties {
  const entries = Object.entries(properties).map(([name, schema]) => [name, otherwise[name] ?? schema])
  return Object.fromEntries(entries)
}

/** Stage of the acts that give and take access. */
export function accessStage({ authenticate, log, sessions }: PortalSettings): MemberStage<GrantWorld> {
  return { authenticate, log, world: { sessions } }
}

type Values = Readonly<Record<string, unknown>> | undefined
