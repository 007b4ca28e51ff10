import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import type { NameKind } from './names/kinds.ts'

/** Option of a command. Without `value` it is a flag. */
export type Option = {
  /** Placeholder of the value in the help: ACCOUNT, TEXT. */
  readonly value?: string
  readonly help: string
  readonly required?: true
  /** True: the option may be given several times. */
  readonly multiple?: true
  /** Names something that must exist: it is looked up when the command opens the database. */
  readonly names?: NameKind
}

/** Output of a command: `json` with --json, `text` without. */
export type Output = {
  readonly json: unknown
  readonly text: string
  /** Exit code, 0 by default. A check that found a problem ends with 1, and has printed it. */
  readonly code?: number
}

/** Value that needs no name of an option. It may be the value of an option, too. */
export type Place = { readonly name: string; readonly value: string; readonly help: string }

export type Command = {
  /** One to three words: `migrate`, `reseller create`. */
  readonly name: string
  readonly summary: string
  /** Text after the summary in the command's own help. */
  readonly details?: string
  /** Values that are given without the names of options, in this order. The command reads each by its `name`. */
  readonly places?: readonly Place[]
  readonly options: Readonly<Record<string, Option>>
  /** True: the statements read much of the database, and get a longer time limit. */
  readonly isLong?: true
  /** Runs the command. A number is the exit code of a command that has printed everything itself. */
  run(call: Call): Promise<Output | number>
}

/** One invocation: its options, and the resources that a command opens when it needs them. */
export type Call = {
  /** Returns the value of a required option. */
  text(name: string): string
  find(name: string): string | undefined
  list(name: string): readonly string[]
  has(name: string): boolean
  /** Prints a text for the operator, separate from the output. */
  note(text: string): void
  readInput(): Promise<string>
  /**
   * Reads a secret: at a terminal it prompts without showing the input; otherwise it takes the next line of standard
   * input.
   */
  readSecret(prompt: string): Promise<string>
  /** Runs another command, as if it had been called directly. */
  runOther(words: readonly string[]): Promise<Ran>
  config(): Config
  /** Opens the runtime at the first call, and refuses options that name something that does not exist. It is closed when the command ends. */
  runtime(): Promise<Runtime>
}

/** Exit code of a command, and what it printed. */
export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Error of a command that was not called as its help says: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Options that every command has. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  group: { value: 'NAME', help: 'work in this group of resellers, of those that WARUNG_GROUPS lists' },
  json: { help: 'print one JSON document instead of text, errors included' },
  help: { help: 'show this help' },
}

export const RESELLER_OPTION: Option = {
  value: 'ACCOUNT',
  help: "the reseller's account number",
  required: true,
  names: 'reseller',
}
