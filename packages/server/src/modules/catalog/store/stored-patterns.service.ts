import { setImmediate } from 'node:timers/promises'
import type { Alerts } from '../../alerts/core/service.ts'
import { patternTrouble } from '../model/patterns.rules.ts'
import type { BaseCatalog } from '../model/types.ts'

const KIND = 'catalogue_pattern'
const SUBJECT = 'catalogue'
/** Limit of patterns named in the alert; the others are counted. */
const NAMED_MAX = 5

/**
 * Judges the stored patterns, which an earlier version may have accepted. Payments are still checked by them,
 * in bounded time; the alert names the ones that integrators should not get.
 */
export async function reportStoredPatterns(
  base: BaseCatalog,
  alerts: Pick<Alerts, 'raise' | 'clear'>,
): Promise<void> {
  const troubles = await findTroubles(base)
  if (troubles.length === 0) {
    await alerts.clear(KIND, SUBJECT)
    return
  }
  const others = troubles.length - NAMED_MAX
  const text = [
    'Patterns in the catalogue would be refused if they were saved now. Save the products with better ones.',
    ...troubles.slice(0, NAMED_MAX),
    ...(others > 0 ? [`and ${others} more`] : []),
  ].join('\n')
  await alerts.raise({ kind: KIND, subject: SUBJECT, text })
}

async function findTroubles(base: BaseCatalog): Promise<string[]> {
  const troubles: string[] = []
  const judged = new Map<string, string | undefined>()
  for (const product of base.products) {
    for (const { id, validation } of product.fields) {
      const { pattern } = validation
      if (pattern === undefined) continue
      if (!judged.has(pattern)) {
        judged.set(pattern, patternTrouble(pattern))
        // Many patterns may take seconds together; health probes are answered in between.
        await setImmediate()
      }
      const trouble = judged.get(pattern)
      if (trouble !== undefined) troubles.push(`${product.code}, field ${id}: the pattern ${trouble}`)
    }
  }
  return troubles
}
