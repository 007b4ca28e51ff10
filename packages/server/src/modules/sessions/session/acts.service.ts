import type { TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Operation, OperationInput } from '../../../http/operation.ts'
import { assert } from '../../../lib/errors.ts'
import { withActProof } from '../people/acts.service.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'

type PersonInput = OperationInput<SignedInCaller, never, Record<string, unknown> | undefined, never>

/** Limit of the field, longer than any password can be. */
const PASSWORD_LENGTH_MAX = 1_000

const NEEDED =
  '`password` is your own, once more; it may be left out within 5 minutes after the session gave a proof. 403 ' +
  '`proof_required` without either, `wrong_password` when it is wrong. Tokens cannot do it.'
const SOMETIMES_NEEDED = `Where it makes or widens access: ${NEEDED}`

/**
 * Makes an operation ask its caller for a fresh proof: always, or with `isRequired: false` where its service asks for
 * it (`holdProof`), because some of its changes widen nothing.
 */
export function askingForProof(
  options: SessionsOptions,
  operation: Operation,
  { isRequired }: { readonly isRequired: boolean },
): Operation {
  const { docs, schemas } = operation
  const note = isRequired ? NEEDED : SOMETIMES_NEEDED
  const description = docs.description === undefined ? note : `${docs.description} ${note}`
  const name = `${operation.method} ${operation.path}`
  return {
    ...operation,
    docs: { ...docs, description },
    schemas: { ...schemas, body: withPassword(name, schemas.body) },
    also: [...(operation.also ?? []), 429],
    async handle(given) {
      const input: PersonInput = given
      const { password, ...body } = input.body ?? {}
      const proven = await withActProof(options, input.caller, {
        password: password as string | undefined,
        isRequired,
      })
      const act = noting(proven)
      const output = await operation.handle({ ...input, caller: act.caller, body } as never)
      assert(!isRequired || act.isHeld(), `${name} holds the proof in its commit`)
      return output
    },
  }
}

/** Notes whether the proof was held: an act that forgets it in its commit fails in every test of it. */
function noting(caller: SignedInCaller): { readonly caller: SignedInCaller; readonly isHeld: () => boolean } {
  const { proof } = caller
  assert(proof !== undefined, 'the caller has a proof')
  let isHeld = false
  const hold: typeof proof.hold = async (tx) => {
    await proof.hold(tx)
    isHeld = true
  }
  return { caller: { ...caller, proof: { ...proof, hold } }, isHeld: () => isHeld }
}

/** Adds the password to the body, and keeps what the schema says about other members. */
function withPassword(name: string, body: TSchema | undefined): TSchema {
  const password = Type.Optional(
    Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, description: 'Your own, once more' }),
  )
  if (body === undefined) return Type.Object({ password })
  assert(Type.IsObject(body), `${name} has an object as its body`)
  const { properties, ...rest } = body as TObject<TProperties>
  assert(!('password' in properties), `${name} has no password of its own`)
  const { title, description, additionalProperties } = rest as {
    title?: string
    description?: string
    additionalProperties?: boolean
  }
  return Type.Object(
    { ...properties, password },
    {
      // The same body may also belong to an operation that asks for no proof.
      ...(title !== undefined && { title: `${title} with proof` }),
      ...(description !== undefined && { description }),
      ...(additionalProperties !== undefined && { additionalProperties }),
    },
  )
}
