import type { DayRange } from '../lib/dates.ts'
import { DAY } from '../lib/dates.ts'
import type { Rule } from '../lib/input/fields.ts'
import { LIST_LIMIT, wholeNumber as numberRule, readText } from '../lib/input/fields.ts'
import { ID } from '../lib/input/ids.ts'
import type { Accounts } from '../modules/accounts/service.ts'
import { getReseller } from '../modules/accounts/service.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import type { GrantWorld } from '../modules/grants/types.ts'
import type { SessionsOptions } from '../modules/sessions/people/settings.types.ts'
import type { Runtime } from '../runtime.ts'
import type { Call } from './command.ts'
import { UsageError } from './command.ts'

/** Opens the accounts, for commands about one reseller. */
export async function openAccounts(call: Call): Promise<Accounts> {
  const { database, vault, config } = await call.runtime()
  return { database, vault, environment: config.environment }
}

/** Opens what mails of access and passwords need. */
export async function openSessions(call: Call): Promise<SessionsOptions> {
  return accessWorld(await call.runtime(), call).sessions
}

/** Opens what acts need that give or take access. */
export function accessWorld({ database, vault, config }: Runtime, call: Call): GrantWorld {
  const audit = createAuditLog({ database, vault })
  const onProblem = (text: string) => call.note(text)
  return { sessions: { database, vault, audit, config, nowMs: Date.now, onProblem } }
}

export async function openReseller(call: Call): Promise<{ accounts: Accounts; reseller: Reseller }> {
  const accounts = await openAccounts(call)
  return { accounts, reseller: await getReseller(accounts.database, call.text('reseller')) }
}

const ANY_NUMBER = numberRule(0, 999_999_999_999_999)

/** Reads a whole number for a service that checks its bounds; any other text gives NaN, which every rule refuses. */
export function wholeNumber(text: string): number {
  return readText(ANY_NUMBER, text) ?? Number.NaN
}

/** Reads the value of a required option that is the number of a row. */
export function readId(call: Call, option: string): bigint {
  return readOption(option, ID, call.text(option))
}

/** Reads the value of an option by the rule of its field. A wrong one is an error in the call. */
export function readOption<T>(option: string, rule: Rule<T>, value: string): T {
  const read = readText(rule, value)
  if (read === undefined) throw new UsageError(`--${option}: ${rule.message}`)
  return read
}

/** Reads --limit, the length of a list. */
export function readLimit(call: Call, usual: number, rule: Rule<number> = LIST_LIMIT): number {
  return readOption('limit', rule, call.find('limit') ?? String(usual))
}

/** Reads the days of --from and --to. The services decide how many days there may be between them. */
export function readDays(from: string, to: string): DayRange {
  const days = { from: readOption('from', DAY, from), to: readOption('to', DAY, to) }
  refuseOrder(days.from, days.to)
  return days
}

/** Refuses a --from that is later than --to. */
export function refuseOrder(from: number, to: number): void {
  if (from > to) throw new UsageError('--from: must not be later than --to')
}
