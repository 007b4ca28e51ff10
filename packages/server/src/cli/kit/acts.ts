import type { Member } from '../../http/codec.ts'
import { RequestError } from '../../lib/errors.ts'
import { readText, wireName } from '../../lib/input/fields.ts'
import { perform, performAlone } from '../../modules/acts/service.ts'
import type { Act, Consent } from '../../modules/acts/types.ts'
import { createAuditLog } from '../../modules/audit/service.ts'
import type { AuditCaller, Target } from '../../modules/audit/types.ts'
import type { Runtime } from '../../runtime.ts'
import type { Call, Command, Option, Output } from '../command.ts'
import { UsageError } from '../command.ts'
import { chooseReference, postedOutput, runMoneyStepOnce } from '../money.ts'
import { NAME_KINDS } from '../names/kinds.ts'
import { commandCaller, USUAL_REASON } from '../record.ts'

/** Row of a command that does an act. Its options follow from the members of the act's input. */
export type ActRow<World, Input, Result> = Pick<
  Command,
  'name' | 'summary' | 'details' | 'isLong' | 'places'
> & {
  readonly act: Act<World, Input, Result>
  /** Members that are no options of this command. */
  readonly without?: readonly (keyof Input & string)[]
  /** Options that differ from what the members say, or that the command has beside them. */
  readonly options?: Readonly<Record<string, Option>>
  /** Values, by their names on the wire, that do not follow from the option of the same name. */
  readonly input?: (
    call: Call,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
  /** Options of this call that give a member, where errors about the member shall name them. */
  readonly optionNames?: (call: Call) => Readonly<Record<string, string>>
  /** Reason that is recorded; default: what --reason says, or that it was done at the machine. */
  readonly reason?: (call: Call) => string
  readonly consent?: (call: Call) => Consent
  /** Caller in the log; default: who works at the machine. */
  readonly caller?: (call: Call) => Promise<AuditCaller>
  /**
   * Object that the act ends, where that moves money: its reference names the run, and what became of a commit whose
   * answer is lost is found out. `show` tells its state after an earlier run.
   */
  readonly once?: (
    values: Readonly<Record<string, unknown>>,
    runtime: Runtime,
  ) => { readonly target: Target; readonly show: () => Promise<Result> }
  readonly world: (runtime: Runtime, call: Call) => World | Promise<World>
  readonly show: (result: Result, call: Call, world: World) => Output | Promise<Output>
}

/**
 * Makes a command of an act. A person at the machine has the database and its keys, and needs no second person;
 * `--dry-run` does everything and undoes it.
 */
export function actCommand<World, Input, Result>(row: ActRow<World, Input, Result>): Command {
  const {
    act,
    without = [],
    input = () => ({}),
    reason = reasonOf,
    consent = machineConsent,
    caller = commandCaller,
    world,
    show,
    ...rest
  } = row
  const names: readonly string[] = without
  const members = Object.entries(act.input.members).filter(([name]) => !names.includes(name))
  const options = { ...Object.fromEntries(members.map(optionOf)), ...row.options }
  const hasNames = Object.values(options).some(({ names: kind }) => kind !== undefined)
  return {
    ...rest,
    options,
    async run(call) {
      const texts = Object.fromEntries(members.map((each) => given(call, options, each)))
      const values = { ...act.input.fromTexts(texts), ...(await input(call)) }
      // The runtime refuses options that name what does not exist: a slip in such a name is said first. A command
      // without such names needs no database to refuse a text.
      if (!hasNames) refuseUnreadable(call, members)
      const runtime = await call.runtime()
      if (hasNames) refuseUnreadable(call, members)
      const isDry = call.has('dry-run')
      const log = createAuditLog({ database: runtime.database, vault: runtime.vault })
      const made = await world(runtime, call)
      const ask = () => Promise.reject(new Error('the machine needs no second person'))
      const by = await caller(call)
      const about = { caller: by, reason: reason(call), consent: consent(call), isDry }
      const named = (error: unknown) => {
        throw inOptions(error, members, row.optionNames?.(call))
      }
      if (row.once !== undefined) {
        const reference = chooseReference(call)
        const given = { ...about, input: { ...values, reference } }
        // The key is opened before the transaction: the very first command makes it, in a transaction of its own.
        await log.key()
        const { result, isRepeat } = await runMoneyStepOnce(call, {
          reference,
          ...row.once(values, runtime),
          post: (database) =>
            performAlone({ log: { ...log, database }, world: made }, act, given).catch(named),
        })
        if (isDry) call.note(REHEARSED)
        return postedOutput(await show(result, call, made), reference, isRepeat)
      }
      const stage = { log, world: made, ask }
      const outcome = await perform(stage, act, { ...about, input: values }).catch(named)
      if (outcome.kind === 'refused') throw outcome.error
      if (outcome.kind === 'asked') return outcome.asked
      if (isDry) call.note(REHEARSED)
      return show(outcome.result, call, made)
    },
  }
}

const REHEARSED = 'Dry run: nothing was changed. The result would be:'

function reasonOf(call: Call): string {
  return call.find('reason') ?? USUAL_REASON
}

function machineConsent(): Consent {
  return { kind: 'accepted', loss: undefined }
}

type NamedMember = readonly [name: string, member: Member<unknown>]

function optionNameOf([name, { option }]: NamedMember): string {
  return option.name ?? wireName(name).replaceAll('_', '-')
}

function optionOf(named: NamedMember): readonly [string, Option] {
  const [, { rule, isOptional, option, identifies }] = named
  const name = optionNameOf(named)
  const { type } = rule.schema
  const names = NAME_KINDS.find((kind) => kind === identifies)
  return [
    name,
    {
      ...(type !== 'boolean' && { value: option.value ?? name.toUpperCase() }),
      help: option.help ?? rule.message,
      ...(!isOptional && { required: true }),
      ...(type === 'array' && { multiple: true }),
      ...(names !== undefined && { names }),
    },
  ]
}

/** Reads the option of a member. */
function given(call: Call, options: Readonly<Record<string, Option>>, named: NamedMember) {
  const option = optionNameOf(named)
  const wire = wireName(named[0])
  if (options[option]?.multiple === true) return [wire, call.has(option) ? call.list(option) : undefined]
  return [wire, options[option]?.value === undefined ? call.has(option) || undefined : call.find(option)]
}

/** Refuses a text that cannot identify anything as an error in the call. */
function refuseUnreadable(call: Call, members: readonly NamedMember[]): void {
  for (const named of members) {
    const [, { rule, identifies }] = named
    const option = optionNameOf(named)
    const text = call.find(option)
    if (text === undefined || identifies === undefined || readText(rule, text) !== undefined) continue
    throw new UsageError(`--${option}: ${rule.message}`)
  }
}

/** Names the fields of an error as the command's options are named. */
function inOptions(
  error: unknown,
  members: readonly NamedMember[],
  given: Readonly<Record<string, string>> = {},
): unknown {
  if (!(error instanceof RequestError) || error.fields === undefined) return error
  const renamed = new Map(members.map((named) => [wireName(named[0]), named[1].option.name]))
  const nameOf = (field: string) => given[field] ?? renamed.get(field) ?? field
  const fields = Object.entries(error.fields).map(([field, texts]) => [nameOf(field), texts])
  const { status, code, publicText, extra } = error
  return new RequestError({
    status,
    code,
    publicText,
    fields: Object.fromEntries(fields),
    ...(extra !== undefined && { extra }),
    cause: error,
  })
}
