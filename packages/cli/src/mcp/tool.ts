import { WarungError } from '@warung/sdk'
import { describeError } from '../exit-codes.ts'

export type Confirmation = 'confirmed' | 'declined' | 'cannot_ask'

/** Client at the other end. */
export type Session = {
  /** True when the client can ask its user, without the model between. */
  canAsk(): boolean
  /** Has the client ask its user. */
  confirm(message: string): Promise<Confirmation>
}

export type Arguments = Readonly<Record<string, unknown>>

export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly isReadOnly: boolean
  call(args: Arguments, session: Session): Promise<ToolResult>
}

export type Declaration = Omit<Tool, 'call' | 'inputSchema'> & {
  /** Schemas of the arguments by name. */
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  run(args: Arguments, session: Session): Promise<Readonly<Record<string, unknown>>>
}

/** Makes a tool. Its mistakes are results that the model can read and act on, not errors of the protocol. */
export function defineTool({ properties = {}, required = [], run, ...rest }: Declaration): Tool {
  const inputSchema = { type: 'object', properties, required, additionalProperties: false }
  return {
    ...rest,
    inputSchema,
    async call(args, session) {
      try {
        check(args, properties, required)
        return resultOf(await run(args, session))
      } catch (error) {
        if (!(error instanceof WarungError || error instanceof ToolError)) throw error
        return { content: [{ type: 'text', text: describeError(error) }], isError: true }
      }
    },
  }
}

export function resultOf(value: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}

/** Mistake in the arguments, told to the model. */
export class ToolError extends Error {}

function check(
  args: Arguments,
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): void {
  for (const name of required) {
    if (args[name] === undefined) throw new ToolError(`The argument ${name} is required.`)
  }
  for (const [name, value] of Object.entries(args)) {
    const { type } = (properties[name] ?? {}) as { type?: string }
    if (properties[name] === undefined) throw new ToolError(`There is no argument ${name}.`)
    if (type === 'integer' && !Number.isSafeInteger(value)) throw new ToolError(`${name} is a whole number.`)
    if (type === 'string' && typeof value !== 'string') throw new ToolError(`${name} is a text.`)
    if (type === 'object' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      throw new ToolError(`${name} is an object.`)
    }
  }
}

export function textOf(args: Arguments, name: string): string | undefined {
  const value = args[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a number within bounds. */
export function countOf(args: Arguments, name: string, usual: number, most: number): number {
  const value = args[name]
  return typeof value === 'number' ? Math.min(Math.max(1, value), most) : usual
}
