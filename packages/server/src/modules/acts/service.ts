import type { Database, Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import { audited, readReason } from '../audit/service.ts'
import type { AuditLog, Done } from '../audit/types.ts'
import type {
  Act,
  ApprovedRequest,
  By,
  Given,
  NeedsSecondPerson,
  Outcome,
  Ran,
  Refused,
  Stage,
  Texts,
} from './types.ts'

/** Declares an act; the types of its parts follow from each other. */
export function act<World, Input, Result>(declared: Act<World, Input, Result>): Act<World, Input, Result> {
  return declared
}

/**
 * Does an act for one caller: reads the input, locks the subject, makes the change and writes the line of the audit log,
 * in one commit. A change that needs a second person is undone and asked for; a refused or rehearsed one is undone.
 */
export async function perform<World, Input, Result, Asked>(
  stage: Stage<World, Asked>,
  declared: Act<World, Input, Result>,
  given: Given,
): Promise<Outcome<Result, Asked>> {
  return askWhereNeeded(stage, declared, given, await attempt(stage, declared, given))
}

export type Attempted<Result> = { readonly result: Result } | NeedsSecondPerson | Refused

/** Does the act, or tells why it was undone. A job on another thread attempts, and its caller asks. */
export function attempt<World, Input, Result>(
  { log, world }: Pick<Stage<World, never>, 'world'> & { readonly log: Pick<AuditLog, 'database' | 'key'> },
  declared: Act<World, Input, Result>,
  { caller, consent = { kind: 'alone' }, isDry = false, ...given }: Given,
): Promise<Attempted<Result>> {
  return runOrUndo<Result>(async (undo) => {
    const input = declared.input.read(given.input)
    const reason = readReason(given.reason)
    const action = typeof declared.name === 'string' ? declared.name : await declared.name(input, world)
    const by = { caller, reason, consent: isDry ? NONE_NEEDED : consent, world }
    return audited(log, { caller, action, reason }, async (tx, database) => {
      const ran = await run(tx, declared, input, { ...by, database })
      return isDry || !('target' in ran) ? undo(ran) : ran
    })
  })
}

const NONE_NEEDED = { kind: 'none needed' } as const

/** Turns what was attempted into the outcome: asks a second person for an act that one alone may not do. */
export async function askWhereNeeded<World, Input, Result, Asked>(
  { log, world, ask }: Stage<World, Asked>,
  declared: Act<World, Input, Result>,
  { caller, consent = { kind: 'alone' }, ...given }: Given,
  attempted: Attempted<Result>,
): Promise<Outcome<Result, Asked>> {
  if ('result' in attempted) return { kind: 'done', result: attempted.result }
  if ('refuse' in attempted) return { kind: 'refused', error: attempted.refuse }
  const form = declared.approval
  assert(form !== undefined, 'an act that asks for a second person has an approval')
  const input = declared.input.read(given.input)
  const reason = readReason(given.reason)
  const by = { caller, reason, consent, world, database: log.database }
  const command = { ...form.write(input), ...attempted.ask.shown }
  const asked = await ask(caller, {
    kind: form.kind,
    target: form.target(input, command),
    command,
    reason,
    resellerId: await form.resellerId?.(log.database, input),
    isRepeatable: form.isRepeatable?.(input) ?? true,
    alongside: async (tx, id) => form.alongside?.(tx, { id, command }, input, by),
  })
  return { kind: 'asked', asked, view: attempted.ask.view }
}

/** Result of an act that never asks a second person, or its refusal as an error. */
export async function performAlone<World, Input, Result>(
  stage: Omit<Stage<World, never>, 'ask'>,
  declared: Act<World, Input, Result>,
  given: Given,
): Promise<Result> {
  const ask = () => Promise.reject(new Error('this act is never asked for'))
  const outcome = await perform({ ...stage, ask }, declared, given)
  if (outcome.kind === 'refused') throw outcome.error
  assert(outcome.kind === 'done', 'an act that asks nobody is done or refused')
  return outcome.result
}

/** Carries out a stored request: the same act, in the commit of the decision. */
export function executorOf<World, Input, Result>(
  declared: Act<World, Input, Result>,
  world: World,
  outcomeOf: (result: Result) => unknown,
) {
  const form = declared.approval
  assert(form !== undefined, 'an act without an approval is never asked for')
  return async (
    tx: Tx,
    database: Database,
    request: ApprovedRequest & { readonly command: Texts },
  ): Promise<Done<unknown>> => {
    const { command, ...approval } = request
    const by = {
      caller: { kind: 'system', name: approval.approvedBy.name },
      reason: `approval ${approval.id}`,
      consent: { kind: 'approved', seal: command.seal ?? undefined, approval },
      database,
      world,
    } as const
    const ran = await run(tx, declared, form.read(command), by)
    if ('refuse' in ran) throw ran.refuse
    assert('target' in ran, 'an approved act asks no third person')
    return { ...ran, result: outcomeOf(ran.result) }
  }
}

async function run<World, Input, Result>(
  tx: Tx,
  { lock, run: make }: Act<World, Input, Result>,
  input: Input,
  by: By<World>,
): Promise<Ran<Result>> {
  await lock?.(tx, input, by)
  return make(tx, input, by)
}

/** Thrown inside a transaction to undo it; carries what the act returned. */
class Undone<Result> extends Error {
  readonly ran: Ran<Result>
  constructor(ran: Ran<Result>) {
    super('undone on purpose')
    this.ran = ran
  }
}

async function runOrUndo<Result>(
  work: (undo: (ran: Ran<Result>) => never) => Promise<Result>,
): Promise<Attempted<Result>> {
  const undo = (ran: Ran<Result>): never => {
    throw new Undone(ran)
  }
  try {
    return { result: await work(undo) }
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    const { ran } = error as Undone<Result>
    return 'unchanged' in ran ? { result: ran.unchanged } : ran
  }
}
