import type { Tool, ToolResult } from './tool.ts'
import { resultOf } from './tool.ts'

// PINs and links are worth money to everybody who reads them, and a model's provider reads what the model reads.

const SECRET_NAMES = /^(pin|voucher_?link)$/i
export const HIDDEN = '[hidden; the user sees it with: warung status REFID]'
/** Length from which a secret is also looked for in other texts; shorter ones occur in them by chance. */
const FOUND_FROM = 4

/** Makes a tool whose answers hold no PIN and no link. */
export function hidingSecrets(tool: Tool): Tool {
  return {
    ...tool,
    description: `${tool.description} PINs and links are hidden.`,
    async call(args, session): Promise<ToolResult> {
      const result = await tool.call(args, session)
      const { structuredContent: value } = result
      return value === undefined ? result : resultOf(withoutSecrets(value))
    },
  }
}

type Members = Readonly<Record<string, unknown>>

export function withoutSecrets(value: Members): Members {
  const secrets = secretsIn(value)
    .filter((each) => each.length >= FOUND_FROM)
    .sort((a, b) => b.length - a.length)
  return hideIn(value, secrets) as Members
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn)
  if (!isMembers(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    SECRET_NAMES.test(name) && isWorthHiding(member) ? [String(member)] : secretsIn(member),
  )
}

function isWorthHiding(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

/** Hides the members, and the same values where another text repeats them, such as a note. */
function hideIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, HIDDEN), value)
  if (Array.isArray(value)) return value.map((each) => hideIn(each, secrets))
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAMES.test(name) && isWorthHiding(member) ? HIDDEN : hideIn(member, secrets),
    ]),
  )
}
