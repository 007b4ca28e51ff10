import type { Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import type { UserRole } from '../../accounts/types.ts'
import { appendAudit } from '../../audit/service.ts'
import { admitAttempt } from '../../auth/attempts.service.ts'
import { mayEnter } from '../people/proof.service.ts'
import { sessionDigestOf, targetOf } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { endSessionByDigest, findByKey } from '../people/sql.ts'
import { hasSecondFactor } from '../second-factor/totp.service.ts'
import { WRONG_IN_A_ROW_MAX, WRONG_OF_TILL_MAX } from '../shared-tills/rules.ts'
import { acceptGuess, isRightPin, takeGuess, targetOf as tillTargetOf } from '../shared-tills/service.ts'
import type { Guess } from '../shared-tills/types.ts'
import type { SignedIn, SignIn } from './service.ts'
import { openSession } from './service.ts'

export type PinSignIn = Pick<SignIn, 'address' | 'userAgent' | 'previousSecret' | 'tillSecret'> & {
  readonly userId: bigint
  readonly pin: string
}

/**
 * Takes over a shared till by PIN: the session has the rights of a cashier, and the one before it ends. Answers 401
 * `not_shared_till` or `invalid_pin`, 403 `pin_locked`, and 429.
 */
export async function signInByPin(options: SessionsOptions, request: PinSignIn): Promise<SignedIn> {
  const { database } = options
  await admitAttempt(database, request.address)
  const guess = await takeGuess(options, request.tillSecret, request.userId)
  const isRight = await isRightPin(options, guess, request.pin)
  const signedIn = isRight
    ? await database.transaction((tx) => enter(options, tx, request, guess))
    : undefined
  if (signedIn !== undefined) return signedIn
  await noteLocks(options, guess, request.address)
  throw invalidPin(guess)
}

async function enter(
  { config }: SessionsOptions,
  tx: Tx,
  request: PinSignIn,
  guess: Guess,
): Promise<SignedIn | undefined> {
  const { tillSecret = '', previousSecret } = request
  const key = { kind: 'member', resellerId: guess.till.resellerId, id: guess.userId } as const
  const person = await findByKey(tx, key)
  if (person === undefined || !mayEnter(config, person)) return undefined
  if (!memberMay({ role: person.role as UserRole }, 'pin.write')) return undefined
  if (!(await acceptGuess(tx, tillSecret, guess))) return undefined
  if (previousSecret !== undefined) await endSessionByDigest(tx, 'member', sessionDigestOf(previousSecret))
  return openSession(tx, person, request, { takesCode: await hasSecondFactor(tx, key), isByPin: true })
}

/** Logs the guess that locks a PIN at the till, and the one that locks the till. */
async function noteLocks({ database, audit }: SessionsOptions, guess: Guess, address: string): Promise<void> {
  const { till, userId, ofPerson, ofTill } = guess
  const caller = { kind: 'system', name: 'sign-in' } as const
  const locksPerson = ofPerson === WRONG_IN_A_ROW_MAX
  const locksTill = ofTill === WRONG_OF_TILL_MAX
  if (!locksPerson && !locksTill) return
  await database.transaction(async (tx) => {
    const person = await findByKey(tx, { kind: 'member', resellerId: till.resellerId, id: userId })
    if (person === undefined) return
    const after = { till: till.name, address }
    if (locksPerson) {
      const act = { caller, action: 'pin.lock_out', reason: 'too many wrong PINs in a row' }
      await appendAudit(tx, audit, act, { target: targetOf(person), before: null, after })
    }
    if (locksTill) {
      const act = { caller, action: 'shared_till.lock_out', reason: 'too many wrong PINs in a day' }
      const target = tillTargetOf(person.account, till.id)
      await appendAudit(tx, audit, act, { target, before: null, after })
    }
  })
}

/** Gives one text for a wrong PIN and for somebody who has none. */
function invalidPin({ ofPerson }: Guess): RequestError {
  const left = WRONG_IN_A_ROW_MAX - ofPerson
  return new RequestError({
    status: 401,
    code: 'invalid_pin',
    publicText:
      left > 0
        ? 'The PIN is incorrect.'
        : 'The PIN is incorrect, and now locked here. Sign in with your password.',
  })
}
