import type { Language } from '@warung/forms/texts'
import { INDONESIAN } from './id.ts'
import type { Texts } from './messages.ts'
import { TEXTS } from './messages.ts'
import { TAMIL } from './ta.ts'
import { CHINESE } from './zh.ts'

const LANGUAGES: Readonly<Record<Language, Texts>> = {
  en: TEXTS.en,
  ms: TEXTS.ms,
  id: INDONESIAN,
  zh: CHINESE,
  ta: TAMIL,
}

export function textsIn(language: Language): Texts {
  return LANGUAGES[language]
}
