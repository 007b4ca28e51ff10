import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { CLAIMS, SETTING_TYPES, TEST_KINDS } from '../../providers/packs/types.ts'
import { PROOF, STANDING } from '../../providers/proofs/codec.ts'
import { Instant } from '../kit/schemas.ts'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const Texts = (description: string) => Type.Record(Type.String(), Type.String(), { description })
const Value = (description: string) => Type.Unsafe<unknown>(orNull(Type.Unknown(), description))

const facts = {
  pack: text('By which it is chosen'),
  name: text(),
  version: Type.Integer(),
  summary: text(),
  countries: Type.Array(Type.String(), { description: 'ISO 3166; * for many' }),
  sells: Type.Array(Type.String()),
  currency: text('ISO 4217'),
}

export const PackLine = Type.Object(facts, { title: 'Supplier pack' })

const secret = { name: text(), label: text(), help: text() }

export const PackDetail = Type.Object(
  {
    ...facts,
    settings: Type.Array(
      Type.Object({
        name: text(),
        label: text(),
        help: text(),
        usual: orNull(Type.String(), 'Value where it is left out; null: it must be given'),
        type: enumOf(SETTING_TYPES),
      }),
    ),
    secrets: Type.Array(Type.Object(secret)),
    claims: Type.Array(
      Type.Object({
        claim: enumOf(CLAIMS),
        state: enumOf(['documented', 'unknown']),
        value: Value('null: not known'),
        says: text(),
        source: text(),
      }),
    ),
    test_mode: Type.Object({
      by: enumOf(TEST_KINDS, 'Thing that makes an order a test'),
      says: text(),
      settings: Texts('Settings of the test mode, where they differ'),
    }),
    upgrade: text('Changes of this version'),
    guide: text('Page for operators, in Markdown'),
  },
  { title: 'Supplier pack with its page' },
)

export const UpgradeSchema = Type.Object(
  {
    provider: text(),
    pack: text(),
    from: Type.Integer(),
    to: Type.Integer(),
    says: text(),
    differences: Type.Array(
      Type.Object({
        path: text(),
        now: Value('Present value; null: none'),
        next: Value('Value of the pack'),
        kept: Type.Boolean({ description: 'A person changed it too: it stays as it is' }),
      }),
    ),
  },
  { title: 'Upgrade of a pack' },
)

export const ProviderPack = Type.Object(
  {
    provider: text(),
    pack: text(),
    name: text(),
    version: Type.Integer({ description: 'By which it was made or last upgraded' }),
    newest: Type.Integer({ description: 'Version that came with this service' }),
    settings: Type.Unsafe<Readonly<Record<string, string>> | null>(
      orNull(Texts('As they were given'), 'null: for admins alone'),
    ),
    secrets: Type.Array(Type.Object(secret), { description: 'That the pack needs' }),
    test_mode: PackDetail.properties.test_mode,
    is_test_address: Type.Boolean({ description: 'It leads to the test address of its pack' }),
    claims: Type.Array(STANDING.schema),
    proofs: Type.Array(PROOF.schema, { description: 'The last 50, newest first' }),
    trial_since: orNull(Instant, 'Since when a trial is under way at this node; null: none is'),
    trial_results: Type.Array(
      Type.Object({
        claim: PROOF.schema.properties.claim,
        result: PROOF.schema.properties.result,
        says: PROOF.schema.properties.says,
      }),
      { description: 'Results of that trial, as far as it is' },
    ),
    upgrade: orNull(UpgradeSchema, 'Changes of the newest version; for admins alone; null: none'),
  },
  { title: 'Pack of a provider' },
)

export const TrialSchema = Type.Object({ provider: text(), started_at: Instant }, { title: 'Trial' })
