import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import type { AuditRecord, AuditReport } from '../../audit/types.ts'
import { ACTOR_KINDS } from '../../audit/types.ts'
import { dataOf, Instant, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { LIST_RULES } from './audit.service.ts'

const MICROS_PER_MS = 1_000n

const text = () => Type.String()
const valueIn = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

/** Row of the log, for the API and the command. */
export const AUDIT_ENTRY = resource<AuditRecord>()('Audit entry', {
  sequence: [text(), ({ sequence }) => String(sequence)],
  at: [Instant, ({ atMicros }) => new Date(Number(atMicros / MICROS_PER_MS)).toISOString()],
  actor: [
    Type.Object({ kind: enumOf(ACTOR_KINDS), name: text(), address: orNull(text()) }),
    ({ actorKind: kind, actor: name, address }) => ({ kind, name, address }),
  ],
  action: [text(), ({ action }) => action],
  target: [Type.Object({ kind: text(), id: text() }), ({ targetKind: kind, target: id }) => ({ kind, id })],
  before: [
    Type.Unknown({ description: 'Secrets hidden; null: there was nothing' }),
    ({ before }) => valueIn(before),
  ],
  after: [
    Type.Unknown({ description: 'Secrets hidden; null: there is nothing any more' }),
    ({ after }) => valueIn(after),
  ],
  reason: [text(), ({ reason }) => reason],
})

/** Proof of the log, for the API and the command. */
export const AUDIT_PROOF = resource<AuditReport>()('Audit proof', {
  is_whole: [Type.Boolean(), ({ broken }) => broken === undefined],
  records: [text(), ({ recordCount }) => String(recordCount)],
  head: [
    orNull(
      Type.Object({ sequence: text(), hash: text() }),
      'To be kept elsewhere: `warungd audit verify` compares the log with it',
    ),
    ({ head }) =>
      head === undefined ? null : { sequence: String(head.sequence), hash: head.hash.toString('hex') },
  ],
  broken: [
    orNull(
      Type.Object({ kind: text(), sequence: orNull(text()), expected: text(), found: text() }),
      'The first wrong row of the log',
    ),
    ({ broken }) =>
      broken === undefined
        ? null
        : {
            kind: broken.kind,
            sequence: broken.sequence === undefined ? null : String(broken.sequence),
            expected: broken.expected,
            found: broken.found,
          },
  ],
})

export const AuditListParameters = Type.Object({
  actor: parameter(LIST_RULES.actor, 'Email, username or command'),
  action: parameter(
    LIST_RULES.action,
    'An action, or the words that some begin with: deposit.approve, deposit',
  ),
  target_kind: parameter(LIST_RULES.targetKind, 'Such as reseller, payment, wallet'),
  target: parameter(LIST_RULES.target, 'By the name that people know it by'),
  days: parameter(LIST_RULES.days, 'A day yyyy-MM-dd (GMT+8) or a range yyyy-MM-dd - yyyy-MM-dd'),
  ...PAGE_PARAMETERS,
})

export const AuditListResponse = listOf(AUDIT_ENTRY.schema)
export const AuditProofResponse = dataOf(AUDIT_PROOF.schema)
