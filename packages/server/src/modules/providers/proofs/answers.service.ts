import type { Queryable } from '../../../db/database.ts'
import type { Reporting } from '../ambiguous.service.ts'
import { collectRefusals } from '../health/refusals.service.ts'
import { collectUnknown } from './unknown.service.ts'

export type SupplierAnswers = Pick<Reporting, 'onUnmapped' | 'onRefused'> & { close(): Promise<void> }

/** Collects the words of suppliers' answers: those that no table knows, and those by which orders were refused. */
export function collectAnswers(settings: {
  readonly database: Queryable
  readonly onProblem: (text: string, error: unknown) => void
}): SupplierAnswers {
  const unknown = collectUnknown(settings)
  const refusals = collectRefusals(settings)
  return {
    onUnmapped: unknown.note,
    onRefused: refusals.note,
    async close() {
      await Promise.all([unknown.close(), refusals.close()])
    },
  }
}
