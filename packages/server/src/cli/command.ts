import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'

/** An option of a command. One without `value` is a flag. */
export type Option = {
  /** What stands for the value in the help: ACCOUNT, TEXT. */
  readonly value?: string
  readonly help: string
  readonly required?: true
  /** May be given several times. */
  readonly multiple?: true
}

/** What a command has to say: `json` with --json, `text` without. */
export type Output = {
  readonly json: unknown
  readonly text: string
  /** 0 unless given: a check that found something ends with 1, and has said what. */
  readonly code?: number
}

export type Command = {
  /** One to three words: `migrate`, `reseller create`. */
  readonly name: string
  readonly summary: string
  /** More than the summary, for the command's own help. */
  readonly details?: string
  readonly options: Readonly<Record<string, Option>>
  /** Its statements go through much of the database, and have the time for it. */
  readonly isLong?: true
  /** A number is an exit code of a command that has said everything itself. */
  run(call: Call): Promise<Output | number>
}

/** One invocation: its options, and the means that a command opens when it needs them. */
export type Call = {
  /** The value of a required option. */
  text(name: string): string
  find(name: string): string | undefined
  list(name: string): readonly string[]
  has(name: string): boolean
  /** For the operator's eyes, beside the output. */
  note(text: string): void
  readInput(): Promise<string>
  /** Asked for at a terminal without showing it; elsewhere the next line of standard input. */
  readSecret(prompt: string): Promise<string>
  /** Runs another command, as if it had been called by itself. */
  runOther(words: readonly string[]): Promise<Ran>
  config(): Config
  /** Opened at the first call, closed when the command is over. */
  runtime(): Promise<Runtime>
}

/** A command's exit code, and what it printed. */
export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** The command was not called as its help says: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Options that every command has. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { help: 'print one JSON document instead of text, errors included' },
  help: { help: 'show this help' },
}

export const RESELLER_OPTION: Option = {
  value: 'ACCOUNT',
  help: "the reseller's account number",
  required: true,
}
