import type { Client } from '@warung/sdk'
import type { Io } from './io.ts'
import type { Printer } from './output.ts'
import type { Environment, Profile } from './profiles.ts'

// Form of a command. Help, completion and parsing come from the same declaration.

export type Option = {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly short?: string
  /** Name of the value in help. */
  readonly value?: string
  readonly text: string
}

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

export type Connection = {
  readonly client: Client
  readonly environment: Environment
  readonly profile: Profile
  /** Name of the profile; undefined: the credentials are from the environment. */
  readonly profileName: string | undefined
}

export type Context = {
  readonly io: Io
  readonly print: Printer
  readonly isJson: boolean
  readonly values: Values
  readonly positionals: readonly string[]
  /** Opens the client of the profile and shows its environment. */
  connect(): Promise<Connection>
  readonly profileName: string | undefined
}

export type Command = {
  readonly name: string
  readonly summary: string
  /** Positional arguments as help shows them. */
  readonly args?: string
  readonly options?: Readonly<Record<string, Option>>
  /** Words that completion offers after the command. */
  readonly words?: readonly string[]
  readonly details?: readonly string[]
  /** Returns the exit code. */
  run(context: Context): Promise<number>
}

export function text(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export function texts(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.map(String) : []
}

export function flag(values: Values, name: string): boolean {
  return values[name] === true
}
