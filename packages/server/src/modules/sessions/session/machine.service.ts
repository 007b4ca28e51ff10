import { RequestError } from '../../../lib/errors.ts'
import type { Operator } from '../../accounts/types.ts'
import { confirmPassword } from '../people/proof.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { OperatorCaller } from '../people/types.ts'
import { checkOwnCode, hasSecondFactor } from '../second-factor/totp.service.ts'

/** Address for attempts at the machine. They are counted together, apart from those over HTTP. */
const ADDRESS = '127.0.0.1'

/** Tells whether this operator needs a code in addition to the password. */
export function takesCode(
  { database }: Pick<SessionsOptions, 'database'>,
  { id }: Pick<Operator, 'id'>,
): Promise<boolean> {
  return hasSecondFactor(database, { kind: 'operator', resellerId: 0n, id })
}

/**
 * Proves that the operator is present at the machine, by the password and the code of the second factor if there is
 * one. Access to the machine alone must not make a person the second approver. `login`: the user who is logged in
 * there.
 */
export async function proveAtMachine(
  options: SessionsOptions,
  operator: Operator,
  login: string,
  { password, code }: { readonly password: string; readonly code: string | undefined },
): Promise<OperatorCaller> {
  const caller: OperatorCaller = {
    kind: 'operator',
    operatorId: operator.id,
    email: operator.email,
    name: operator.name,
    role: operator.role,
    via: 'session',
    credentialId: `command:${login}`,
    address: ADDRESS,
  }
  const isRequired = options.config.operatorSecondFactor === 'required'
  if (isRequired && !(await takesCode(options, operator))) throw secondFactorMissing(operator)
  const proof = { field: 'password', password, failure: wrongPassword(operator) }
  await confirmPassword(options, caller, proof, async (tx) => {
    const failure = await checkOwnCode(options, tx, caller, code)
    return failure === undefined ? { passed: undefined } : { failure }
  })
  return caller
}

function wrongPassword({ email }: Operator): RequestError {
  return new RequestError({
    status: 403,
    code: 'wrong_password',
    publicText: `This is not the password of ${email}. Nothing was decided.`,
  })
}

function secondFactorMissing({ email }: Operator): RequestError {
  return new RequestError({
    status: 403,
    code: 'second_factor_required',
    publicText:
      `${email} has no second factor, and WARUNG_OPERATOR_SECOND_FACTOR requires one. ` +
      'They set it up in the back office, and decide then.',
  })
}
