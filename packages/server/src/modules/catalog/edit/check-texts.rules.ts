import type { Problem } from '../model/problems.rules.ts'
import { catalogText, checkValue, complainAbout } from '../model/problems.rules.ts'
import type { CatalogState, Touched } from '../model/store.types.ts'

export const TRANSLATION = catalogText(1, 2_000)

/** Limit of translations. Rows of those that were taken back count: they stay. */
const TRANSLATIONS_MAX = 100_000

/** Lists what is wrong with the translations of a change; `after` is the catalogue as it would be. */
export function checkTexts({ texts: diffs }: Touched, { texts }: Pick<CatalogState, 'texts'>): Problem[] {
  const problems: Problem[] = []
  const total = [...texts.values()].reduce((sum, { size }) => sum + size, 0)
  for (const { language, text, after } of diffs) {
    const complain = complainAbout(problems, 'texts', `${language}:${text}`)
    checkValue(complain, 'text', text, TRANSLATION)
    checkValue(complain, 'said', after, TRANSLATION)
    if (total > TRANSLATIONS_MAX) {
      complain('text', `would be one of ${total} translations; there may be ${TRANSLATIONS_MAX}`)
      break
    }
  }
  return problems
}
