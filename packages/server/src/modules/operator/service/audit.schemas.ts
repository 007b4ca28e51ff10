import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ACTOR_KINDS } from '../../audit/types.ts'
import { dataOf, Instant, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { LIST_RULES } from './audit.service.ts'

const text = () => Type.String()

const AuditRow = Type.Object(
  {
    sequence: text(),
    at: Instant,
    actor: Type.Object({ kind: enumOf(ACTOR_KINDS), name: text(), address: orNull(text()) }),
    action: text(),
    target: Type.Object({ kind: text(), id: text() }),
    before: Type.Unknown({ description: 'Secrets hidden; null: there was nothing' }),
    after: Type.Unknown({ description: 'Secrets hidden; null: there is nothing any more' }),
    reason: text(),
  },
  { title: 'Audit entry' },
)

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

export const AuditListResponse = listOf(AuditRow)

export const AuditProofResponse = dataOf(
  Type.Object(
    {
      is_whole: Type.Boolean(),
      records: text(),
      head: orNull(
        Type.Object({ sequence: text(), hash: text() }),
        'To be kept elsewhere: `warungd audit verify` compares the log with it',
      ),
      broken: orNull(
        Type.Object({ kind: text(), sequence: orNull(text()), expected: text(), found: text() }),
        'The first wrong row of the log',
      ),
    },
    { title: 'Audit proof' },
  ),
)
