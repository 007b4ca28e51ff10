import { dayRange, startOfDayMs } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { listAudit } from '../../audit/service.ts'
import type { AuditReport, ChainedRecord } from '../../audit/types.ts'
import { verifyAudit } from '../../audit/verify.service.ts'
import type { Page } from '../kit/pages.rules.ts'
import { PAGE_RULES, pageOf, plainText } from '../kit/pages.rules.ts'
import type { MoneyContext } from '../kit/types.ts'

const DAYS_MAX = 3_660

export const LIST_RULES = {
  ...PAGE_RULES,
  actor: optional(plainText(200), null),
  action: optional(plainText(100), null),
  targetKind: optional(plainText(40), null),
  target: optional(plainText(200), null),
  days: optional(dayRange(DAYS_MAX), null),
}

export type AuditListQuery = {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target_kind?: string | undefined
  readonly target?: string | undefined
  readonly days?: string | undefined
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

/** Lists the newest first. */
export async function listAuditForOperators(
  { database }: MoneyContext,
  query: AuditListQuery,
): Promise<Page<ChainedRecord>> {
  const { days, cursor, limit, ...asked } = readFields(LIST_RULES, {
    ...query,
    targetKind: query.target_kind,
  })
  const found = await listAudit(
    { database },
    {
      ...asked,
      fromMs: days === null ? null : startOfDayMs(days.from),
      untilMs: days === null ? null : startOfDayMs(days.to + 1),
      beforeSequence: cursor === null ? null : (parseId(cursor) ?? 0n),
      limit: limit + 1,
    },
  )
  return pageOf(found, limit, ({ sequence }) => String(sequence))
}

/** Makes the function that verifies the audit log. Calls during a running verification get its answer. */
export function createAuditProof({ log }: MoneyContext): () => Promise<AuditReport> {
  let underway: Promise<AuditReport> | undefined
  return () => {
    underway ??= verifyAudit(log).finally(() => {
      underway = undefined
    })
    return underway
  }
}
