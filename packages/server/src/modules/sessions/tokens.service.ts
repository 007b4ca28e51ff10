import type { Queryable } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import { oneOf, readFields, text, wholeNumber } from '../../lib/fields.ts'
import { OPERATOR_ROLES } from '../accounts/types.ts'
import { audited } from '../audit/service.ts'
import { coversRole, digestOf, newSecret, OPERATOR_TOKEN_DAYS_MAX, OPERATOR_TOKENS_MAX } from './rules.ts'
import type { SessionsOptions } from './settings.types.ts'
import { countLiveTokens, insertToken, listTokenRows, revokeToken } from './tokens.sql.ts'
import type { OperatorToken } from './tokens.types.ts'
import type { OperatorCaller } from './types.ts'

const RULES = {
  label: text(1, 100),
  role: oneOf(OPERATOR_ROLES),
  expiresInDays: wholeNumber(1, OPERATOR_TOKEN_DAYS_MAX),
}

const SHOWN_MAX = 200

/** For the caller's own scripts; what is shown this once is kept nowhere. */
export function createOperatorToken(
  options: SessionsOptions,
  caller: OperatorCaller,
  input: { label: string; role: string; expiresInDays: number },
): Promise<OperatorToken & { readonly token: string }> {
  const { label, role, expiresInDays } = readFields(RULES, input)
  if (!coversRole(caller.role, role)) throw beyondOwnRole()
  const act = { caller, action: 'operator_token.create', reason: `for ${label}` }
  return audited(options.audit, act, async (tx) => {
    if ((await countLiveTokens(tx, caller.operatorId)) >= OPERATOR_TOKENS_MAX) throw tooMany()
    const token = newSecret('wop_')
    const digest = digestOf(token)
    const made = await insertToken(tx, {
      digest,
      operatorId: caller.operatorId,
      label,
      role,
      days: expiresInDays,
    })
    const after = { label, role, expires_at: made.expiresAt.toISOString() }
    return { target: targetOf(made.id), before: null, after, result: { ...made, token } }
  })
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
    publicText: 'A token cannot do more than whoever makes it.',
  })
}

function tooMany(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `There are ${OPERATOR_TOKENS_MAX} tokens already; revoke one first.`,
  })
}
