import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { ID } from '../../../lib/input/ids.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import { SCOPES } from '../../accounts/types.ts'
import { dataOf, enumSchema, Instant, listOf, orNull } from '../access/schemas.ts'

// ── API keys ──

const key = {
  id: Type.String(),
  key: Type.String(),
  label: Type.String(),
  scopes: Type.Array(enumSchema(SCOPES)),
  has_secret: Type.Boolean(),
  state: enumSchema(['active', 'in_grace', 'expired', 'revoked']),
  expires_at: orNull(Instant),
  revoked_at: orNull(Instant),
  created_at: Instant,
  last_used_at: orNull(Instant, 'Last proven request with it, to about a minute; null: there was none'),
}

export const KeyParams = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of an API key' })),
})
export const KeysResponse = listOf(Type.Object(key, { title: 'API key' }))
export const KeyResponse = dataOf(Type.Object(key))

const Label = documentedAs(ACCOUNT_FIELDS.keyLabel, Type.String())

export const NewKeyBody = Type.Object({
  label: Type.Optional(Label),
  scopes: Type.Optional(
    documentedAs(ACCOUNT_FIELDS.scopes, Type.Array(Type.String(), { description: 'Left out: all of them' })),
  ),
})

export const NewKeyResponse = dataOf(
  Type.Object(
    {
      ...key,
      signing_secret: orNull(Type.String(), 'Base64 of 32 bytes; shown this once'),
    },
    { title: 'New API key' },
  ),
)

export const RotateBody = Type.Object({
  grace_seconds: Type.Optional(
    documentedAs(
      ACCOUNT_FIELDS.graceSeconds,
      Type.Integer({
        minimum: 0,
        description: 'How long the old key works beside the new one; 0 or left out: it ends at once',
      }),
    ),
  ),
})

// ── IP allowlist ──

export const NetworksResponse = listOf(
  Type.Object(
    { network: Type.String(), label: Type.String(), created_at: Instant },
    { title: 'Allowed network' },
  ),
)

export const NetworksBody = Type.Object({
  networks: Type.Array(documentedAs(ACCOUNT_FIELDS.network, Type.String()), {
    minItems: 1,
    maxItems: 200,
    description: 'Addresses or CIDRs',
  }),
  label: Type.Optional(Label),
})

export const NetworkParameters = Type.Object({
  network: parameter(required('network', EXACT), 'The entry to be taken away'),
})

// ── Settings ──

export const SettingsResponse = dataOf(
  Type.Object(
    {
      account: Type.String(),
      name: Type.String(),
      email: Type.String(),
      price_level: Type.String(),
      status: Type.String(),
      access: Type.Integer({ description: '0: may pay. 50: read only' }),
      topup_requires_api_key: Type.Boolean({
        description: 'Only signed requests may pay: neither bearer tokens nor this portal',
      }),
      environment: enumSchema(['staging', 'production']),
      your_address: Type.String({ description: 'Your address, as the allowlist would judge it' }),
      sender_addresses: Type.Array(Type.String(), {
        description: 'Sender addresses of callbacks and webhooks',
      }),
    },
    { title: 'Account settings' },
  ),
)

export const SettingsBody = Type.Object({ topup_requires_api_key: Type.Boolean() })
