import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Method, Operation, OperationDocs, OperationSchemas, Shown } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import type { ErrorStatus } from '../../../lib/errors.ts'
import { assert } from '../../../lib/errors.ts'
import { wireName } from '../../../lib/input/fields.ts'
import { perform } from '../../acts/service.ts'
import type { Act, AskedAct } from '../../acts/types.ts'
import { wireOf } from '../../acts/wire.service.ts'
import type { Approval, Approvals } from '../../approvals/types.ts'
import { REASON_SCHEMA } from '../../audit/service.ts'
import type { AuditCaller, AuditLog } from '../../audit/types.ts'
import type { ComparisonView } from '../../margins/types.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { APPROVAL, askedView } from './approvals.codec.ts'
import type { Permission } from './roles.rules.ts'
import { rolesFor } from './roles.rules.ts'
import { bodyOf, dataOf, Reason } from './schemas.ts'

/** Dependencies of the acts of operators. */
export type OperatorStage<World> = {
  readonly authenticate: OperatorAuthenticator
  readonly log: AuditLog
  readonly approvals: Pick<Approvals, 'request'>
  readonly world: World
}

/** Row of an operation that does an act. Path, body and errors follow from the act. */
export type OperatorActRow<World, Input, Result, Answer extends TSchema> = {
  readonly act: Act<World, Input, Result>
  readonly method: Exclude<Method, 'GET'>
  readonly path: string
  readonly pathNames?: Readonly<Record<string, string>>
  readonly permission: Permission
  readonly docs: OperationDocs
  /** Title of the body in the document. */
  readonly body: string
  readonly without?: readonly (keyof Input & string)[]
  /** Member that is the reason too, where none is given. */
  readonly usualReason?: keyof Input & string
  readonly status?: 200 | 201 | 202
  /** Answer, and its view; left out: one operator alone never does it, and a second person is always asked. */
  readonly answer?: Answer
  /** Description of the answer as a whole. */
  readonly note?: string
  /** Answer of a request that waits for a second person, for acts that may ask one. */
  readonly asked?: TSchema
  /** True: `dry_run` in the body rehearses it. */
  readonly mayRehearse?: true
  readonly also?: readonly ErrorStatus[]
  readonly view?: (result: Result, caller: OperatorCaller) => Shown<Answer> | Promise<Shown<Answer>>
  /** Called after the commit. */
  readonly onDone?: (result: Result) => void | Promise<void>
}

const DryRun = Type.Optional(Type.Boolean({ description: 'Check and measure it, and change nothing' }))

/** Makes the operation of an act. Every act of an operator has a reason. */
export function operatorAct<World, Input, Result, Answer extends TSchema>(
  { authenticate, log, approvals, world }: OperatorStage<World>,
  row: OperatorActRow<World, Input, Result, Answer>,
): Operation {
  const { act, method, path, docs, status = 200, also, asked, view } = row
  const usualReason = row.usualReason && wireName(row.usualReason)
  const reasonSchema = usualReason === undefined ? Reason : optionalReason(usualReason)
  const wire = wireOf(act, {
    path,
    pathNames: row.pathNames,
    bodyOf: (properties) =>
      bodyOf(row.body, { ...properties, ...(row.mayRehearse && { dry_run: DryRun }), reason: reasonSchema }),
    without: row.without,
  })
  const { params, body } = wire
  assert(body !== undefined, 'the act of an operator has a body with its reason')
  const ask = askedOf(approvals)
  // The row's types compare its view with its answer.
  const responses: OperationSchemas['responses'] = {
    ...(row.answer !== undefined && { [status]: dataOf(row.answer, row.note) }),
    ...(asked !== undefined && { 202: asked }),
  }
  return operation({
    method,
    path,
    docs,
    schemas: {
      ...(params !== undefined && { params }),
      body,
      responses,
    },
    ...(also !== undefined && { also }),
    authenticate: authenticate(...rolesFor(row.permission)),
    async handle({ caller, params: path, body: given }) {
      const { reason: said, dry_run: isDry, ...rest } = given as Readonly<Record<string, unknown>>
      const reason = said === undefined && usualReason !== undefined ? rest[usualReason] : said
      const input = wire.read(path as Readonly<Record<string, unknown>> | undefined, rest)
      const stage = { log, world, ask }
      const outcome = await perform(stage, act, { caller, input, reason, isDry: isDry === true })
      if (outcome.kind === 'refused') throw outcome.error
      if (outcome.kind === 'asked') return { status: 202, body: { data: viewOfAsked(outcome) } }
      await row.onDone?.(outcome.result)
      assert(view !== undefined, 'an act that one operator may do has an answer')
      return { status, body: { data: await view(outcome.result, caller) } }
    },
  })
}

function optionalReason(member: string): TSchema {
  const description = `Why, for the audit log; left out: the ${member}`
  return Type.Optional(documentedAs({ schema: REASON_SCHEMA }, Type.String({ description })))
}

/** Hands what an act asks for to the approvals. */
export function askedOf(approvals: Pick<Approvals, 'request'>) {
  return (by: AuditCaller, request: AskedAct): Promise<Approval> => {
    assert(by.kind === 'operator', 'operators alone ask in the back office')
    return approvals.request(by, request)
  }
}

type AskedOutcome = { readonly asked: Approval; readonly view: unknown }

function viewOfAsked(outcome: AskedOutcome) {
  return outcome.view === undefined ? APPROVAL.encode(outcome.asked) : comparedView(outcome)
}

/** Shows a request for a change that was compared with prices and costs. */
export function comparedView({ asked, view }: AskedOutcome) {
  return askedView({ approval: asked, comparison: view as ComparisonView })
}
