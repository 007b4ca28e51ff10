import { STANDARD as INDONESIAN } from './id.rules.ts'
import { STANDARD as MALAY } from './ms.rules.ts'
import { saying } from './saying.rules.ts'
import { STANDARD as TAMIL } from './ta.rules.ts'
import { STANDARD as CHINESE } from './zh.rules.ts'

/** Languages in which a catalogue is answered besides its own, which is English in the lists of texts. */
export const CATALOG_LANGUAGES = ['ms', 'id', 'zh', 'ta'] as const
export type CatalogLanguage = (typeof CATALOG_LANGUAGES)[number]

/** Says a text of the catalogue in another language; a text that has none there as it is. */
export type Say = (text: string) => string

/** The operator's own words, by language and text; null: they were taken back. */
export type OwnTexts = ReadonlyMap<CatalogLanguage, ReadonlyMap<string, string | null>>

const SAY: Readonly<Record<CatalogLanguage, Say>> = {
  ms: saying(MALAY),
  id: saying(INDONESIAN),
  zh: saying(CHINESE),
  ta: saying(TAMIL),
}

/** The operator's own words win over those that catalogues of this trade share. */
export function sayIn(language: CatalogLanguage, own?: OwnTexts): Say {
  const said = own?.get(language)
  const shared = SAY[language]
  return said === undefined ? shared : (text) => said.get(text) ?? shared(text)
}
