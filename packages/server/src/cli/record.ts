import { userInfo } from 'node:os'
import type { Database, Tx } from '../db/database.ts'
import { joined } from '../db/joined.ts'
import { assert } from '../lib/errors.ts'
import { audited, createAuditLog } from '../modules/audit/service.ts'
import type { AuditCaller, Done } from '../modules/audit/types.ts'
import type { Call } from './command.ts'

// Commands that change something write a row to the audit log, in the same commit and under the name that the back office
// and the portal use for the same act.

export type CommandAct = {
  /** Name that the back office uses for the same action: `reseller.update`. */
  readonly action: string
  /** Reason; by default, that it was done at the machine. */
  readonly reason?: string | undefined
  /** Database; by default, the command's own. */
  readonly database?: Database
}

export const USUAL_REASON = 'done at the machine'

export async function recorded<T>(
  call: Call,
  { action, reason = USUAL_REASON, database: given }: CommandAct,
  work: (tx: Tx, database: Database) => Promise<Done<T>>,
): Promise<T> {
  const runtime = await call.runtime()
  const database = given ?? runtime.database
  if (call.has('dry-run')) return rehearsed(call, database, work)
  const log = createAuditLog({ database, vault: runtime.vault })
  return audited(log, { caller: commandCaller(), action, reason }, work)
}

const UNDONE = new Error('a dry run leaves nothing behind')

/** Does the work, reports the result, and rolls it back. */
async function rehearsed<T>(
  call: Call,
  database: Database,
  work: (tx: Tx, database: Database) => Promise<Done<T>>,
): Promise<T> {
  let done: { readonly result: T } | undefined
  const rehearsal = database.transaction(async (tx) => {
    done = await work(tx, joined(tx, database))
    throw UNDONE
  })
  await rehearsal.catch((error: unknown) => {
    if (error !== UNDONE) throw error
  })
  assert(done !== undefined, 'a dry run ends with its result')
  call.note('Dry run: nothing was changed. The result would be:')
  return done.result
}

/** Returns the user who is logged in at the machine. */
export function commandCaller(): AuditCaller {
  return { kind: 'command', name: loginName() }
}

/** Returns the login name of the user who runs the command. */
export function loginName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
