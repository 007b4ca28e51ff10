import type { Queryable, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { oneOf, readFields, text, wholeNumber } from '../../../lib/input/fields.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { OperatorRole } from '../../accounts/types.ts'
import { OPERATOR_ROLES } from '../../accounts/types.ts'
import { appendAudit, audited } from '../../audit/service.ts'
import { attemptAct } from '../people/acts.service.ts'
import { coversRole, newSecret, OPERATOR_TOKEN_DAYS_MAX, OPERATOR_TOKENS_MAX } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { OperatorCaller } from '../people/types.ts'
import { checkOwnCode } from '../second-factor/totp.service.ts'
import { countLiveTokens, insertToken, listTokenRows, revokeToken } from './tokens.sql.ts'
import type { OperatorToken } from './tokens.types.ts'

export const TOKEN_RULES = {
  label: text(1, 100),
  role: oneOf(OPERATOR_ROLES),
  expiresInDays: wholeNumber(1, OPERATOR_TOKEN_DAYS_MAX),
}

const SHOWN_MAX = 200

type NewToken = { readonly label: string; readonly role: OperatorRole; readonly expiresInDays: number }
type MadeToken = OperatorToken & { readonly token: string }

/**
 * Makes a token for the caller's own scripts. It is shown only this once and stored nowhere. It lives much longer than
 * the session, so the caller must prove once more who they are.
 */
export async function createOperatorToken(
  options: SessionsOptions,
  caller: OperatorCaller,
  input: { label: string; role: string; expiresInDays: number },
  code: string | undefined,
): Promise<MadeToken> {
  const wanted = readFields(TOKEN_RULES, input)
  if (!coversRole(caller.role, wanted.role)) throw beyondOwnRole()
  return attemptAct(options, caller, async (tx) => {
    const failure = await checkOwnCode(options, tx, caller, code)
    return failure === undefined ? { passed: await makeToken(options, tx, caller, wanted) } : { failure }
  })
}

async function makeToken(
  { audit }: SessionsOptions,
  tx: Tx,
  caller: OperatorCaller,
  { label, role, expiresInDays: days }: NewToken,
): Promise<MadeToken> {
  const { operatorId } = caller
  if ((await countLiveTokens(tx, operatorId)) >= OPERATOR_TOKENS_MAX) throw tooMany()
  const token = newSecret('wop_')
  const made = await insertToken(tx, { digest: digestOf(token), operatorId, label, role, days })
  const after = { label, role, expires_at: made.expiresAt.toISOString() }
  const act = { caller, action: 'operator_token.create', reason: `for ${label}` }
  await appendAudit(tx, audit, act, { target: targetOf(made.id), before: null, after })
  return { ...made, token }
}

export function listOperatorTokens(connection: Queryable, operatorId: bigint): Promise<OperatorToken[]> {
  return listTokenRows(connection, operatorId, SHOWN_MAX)
}

export function revokeOperatorToken(
  options: SessionsOptions,
  caller: OperatorCaller,
  id: bigint,
): Promise<void> {
  const act = { caller, action: 'operator_token.revoke', reason: 'on their own account' }
  return audited(options.audit, act, async (tx) => {
    if (!(await revokeToken(tx, caller.operatorId, id))) {
      throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such token.' })
    }
    return { target: targetOf(id), before: null, after: null, result: undefined }
  })
}

function targetOf(id: bigint) {
  return { kind: 'operator_token', id: String(id) }
}

function beyondOwnRole(): RequestError {
  return new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'A token cannot have more rights than its owner.',
  })
}

function tooMany(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `There are ${OPERATOR_TOKENS_MAX} tokens already; revoke one first.`,
  })
}
