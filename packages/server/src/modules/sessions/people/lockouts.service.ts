import type { Tx } from '../../../db/database.ts'
import { appendAudit, rehearseAudit } from '../../audit/service.ts'
import type { LockoutScope } from '../../auth/attempts.service.ts'
import type { PersonKind } from './people.types.ts'
import { isLogin, targetOf } from './rules.ts'
import type { SessionsOptions } from './settings.types.ts'
import { findByLogin } from './sql.ts'

export type LockedOut = {
  readonly kind: PersonKind
  readonly login: string
  /** From which the last failure came. */
  readonly address: string
  readonly scope: LockoutScope
}

/**
 * Writes down that somebody's name is shut out for a while, and whether at one place or everywhere. A name that is nobody's may be a password in the wrong
 * field, and anybody can make up any number of them: nothing is kept of it, for the same work.
 */
export async function noteLockout(
  { audit }: Pick<SessionsOptions, 'audit'>,
  tx: Tx,
  { kind, login, address, scope }: LockedOut,
): Promise<void> {
  // Not trimmed: it is counted by what was sent, and with spaces around it that is nobody's name.
  const name = login.toLowerCase()
  const person = isLogin(name) ? await findByLogin(tx, kind, name) : undefined
  const act = {
    caller: { kind: 'system', name: 'sign-in' },
    action: 'session.lock_out',
    reason: 'too many wrong passwords or codes',
  } as const
  const done = {
    target: targetOf(person ?? { kind, login: 'nobody', account: '' }),
    before: null,
    after: { address, scope },
  }
  await (person === undefined ? rehearseAudit : appendAudit)(tx, audit, act, done)
}
