import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { PASSKEY_RULES } from '../second-factor/passkeys.rules.ts'

// The members of WebAuthn's own objects keep the spelling of the standard: a page passes them on as they are.

const time = Type.String({ description: 'ISO 8601, UTC' })
const secret = (description: string) => Type.String({ maxLength: 1_000, description })
/** Bytes in base64url; the largest are the attestations of some devices. */
const bytes = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description !== undefined && { description }) })

const label = documentedAs(PASSKEY_RULES.label, Type.String({ description: 'A name of one’s own' }))
const ceremony = Type.String({ maxLength: 100, description: 'Sent back with the device’s answer, once' })

export const Passkey = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    is_backed_up: Type.Boolean({ description: 'Kept in more than one place, as the device says' }),
    created_at: time,
    last_used_at: Type.Union([time, Type.Null()]),
  },
  { title: 'Passkey' },
)

export const PasskeyResponse = Type.Object({ data: Passkey }, { title: 'Passkey answer' })
export const PasskeysResponse = Type.Object({ data: Type.Array(Passkey) }, { title: 'Passkeys' })

export const PasskeyProofBody = Type.Object(
  {
    code: Type.Optional(secret('Code of the second factor, or a recovery code; needed if you have one')),
  },
  { title: 'Passkey proof request' },
)

const descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Array(Type.String()),
})

export const PasskeyBeginResponse = Type.Object(
  {
    data: Type.Object({
      ceremony: Type.String({ description: 'To be sent back with the answer, within 5 minutes' }),
      options: Type.Object(
        {
          rp: Type.Object({ id: Type.String(), name: Type.String() }),
          user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
          challenge: Type.String(),
          pubKeyCredParams: Type.Array(
            Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() }),
          ),
          timeout: Type.Integer(),
          excludeCredentials: Type.Array(descriptor),
          authenticatorSelection: Type.Object({
            residentKey: Type.Literal('required'),
            requireResidentKey: Type.Literal(true),
            userVerification: Type.Literal('required'),
          }),
          attestation: Type.Literal('none'),
        },
        {
          title: 'Passkey creation options',
          description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`',
        },
      ),
    }),
  },
  { title: 'Passkey registration' },
)

export const PasskeyBody = Type.Object(
  {
    ceremony,
    label,
    credential: Type.Object(
      {
        id: bytes(1_400),
        response: Type.Object({
          clientDataJSON: bytes(8_000),
          attestationObject: bytes(20_000),
          transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
        }),
      },
      { description: 'Result of `credential.toJSON()`; other members are ignored' },
    ),
  },
  { title: 'New passkey request' },
)

export const PasskeyLabelBody = Type.Object({ label }, { title: 'Passkey name request' })

export const PasskeyAssertionResponse = Type.Object(
  {
    data: Type.Object({
      ceremony: Type.String({ description: 'To be sent back with the answer, within 5 minutes' }),
      options: Type.Object(
        {
          challenge: Type.String(),
          rpId: Type.String(),
          timeout: Type.Integer(),
          allowCredentials: Type.Array(descriptor, {
            description: 'Empty for signing in: the device knows its own',
          }),
          userVerification: Type.Literal('required'),
        },
        {
          title: 'Passkey request options',
          description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`',
        },
      ),
    }),
  },
  { title: 'Passkey challenge' },
)

const assertion = Type.Object(
  {
    id: bytes(1_400),
    response: Type.Object({
      clientDataJSON: bytes(8_000),
      authenticatorData: bytes(8_000),
      signature: bytes(4_000),
      userHandle: Type.Optional(Type.Union([bytes(200), Type.Null()])),
    }),
  },
  { description: 'Result of `credential.toJSON()`; other members are ignored' },
)

export const PasskeySessionBody = Type.Object(
  { ceremony, credential: assertion },
  { title: 'Passkey sign-in request' },
)

export const SessionProofBody = Type.Object(
  {
    password: Type.Optional(secret('One’s own')),
    ceremony: Type.Optional(ceremony),
    credential: Type.Optional(assertion),
  },
  { title: 'Session proof request' },
)
