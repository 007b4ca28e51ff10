import { errorRows } from '../../../packages/server/dist/app/errors.js'

/** Advice by token. */
export type Remedies = [token: string, remedy: string][]

/** Kinds of errors whose token a client's error has. */
const KINDS = new Set<string>(['authentication', 'token', 'payment', 'order'])

/** Lists the tokens with their advice; the advice of a rejection where a failure has the same token. */
export function listRemedies(): Remedies {
  const remedies = new Map<string, string>()
  for (const { kind, token, remedy } of errorRows()) {
    if (KINDS.has(kind) && token !== null && !remedies.has(token)) remedies.set(token, remedy)
  }
  return [...remedies]
}
