import { generatePassword } from '../lib/secrets/passwords.ts'
import type { Accounts } from '../modules/accounts/service.ts'
import { getReseller } from '../modules/accounts/service.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import type { Call, Option } from './command.ts'
import { UsageError } from './command.ts'

/** Opens the accounts, for commands about one reseller. */
export async function openAccounts(call: Call): Promise<Accounts> {
  const { database, vault, config } = await call.runtime()
  return { database, vault, environment: config.environment }
}

export async function openReseller(call: Call): Promise<{ accounts: Accounts; reseller: Reseller }> {
  const accounts = await openAccounts(call)
  return { accounts, reseller: await getReseller(accounts.database, call.text('reseller')) }
}

/** Reads a whole number; any other text gives NaN, which every rule refuses. */
export function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

const ID = /^[1-9]\d{0,18}$/
const ID_MAX = 2n ** 63n - 1n

/** Reads the value of a required option that is the number of a row. */
export function readId(call: Call, option: string): bigint {
  const value = call.text(option)
  if (!ID.test(value) || BigInt(value) > ID_MAX) throw new UsageError(`--${option}: must be an id`)
  return BigInt(value)
}

// Passwords never come as an argument: arguments are visible in the shell's history and in the process list.
export const PASSWORD_OPTION: Option = {
  help: 'read the password from standard input; without it one is generated and shown once',
}

/** Reads or generates a password. `shown` is added to the output: a generated password, and nothing for a given one. */
export async function choosePassword(
  call: Call,
): Promise<{ password: string; shown: { password?: string } }> {
  if (call.has('password-stdin')) {
    const input = await call.readInput()
    return { password: input.replace(/\r?\n$/, ''), shown: {} }
  }
  const password = generatePassword()
  return { password, shown: { password } }
}
