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
  /** Address from which the last failure came. */
  readonly address: string
  readonly scope: LockoutScope
}

/**
 * Logs that a person's name is locked out for a while, at one place or everywhere. An unknown name may be a password in
 * the wrong field, and anybody can invent any number of them: for such a name the same work is done, but nothing is
 * stored.
 */
export async function noteLockout(
  { audit }: Pick<SessionsOptions, 'audit'>,
  tx: Tx,
  { kind, login, address, scope }: LockedOut,
): Promise<void> {
  // The name is not trimmed: failures are counted for the text that was sent, and no name has spaces around it.
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
