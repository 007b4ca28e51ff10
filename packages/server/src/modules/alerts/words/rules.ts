import { ENGLISH } from './en.rules.ts'
import { INDONESIAN } from './id.rules.ts'
import { MALAY } from './ms.rules.ts'
import { TAMIL } from './ta.rules.ts'
import type { MailLanguage, MailWords } from './types.ts'
import { CHINESE } from './zh.rules.ts'

const WORDS: Readonly<Record<MailLanguage, MailWords>> = {
  en: ENGLISH,
  ms: MALAY,
  id: INDONESIAN,
  zh: CHINESE,
  ta: TAMIL,
}

export function mailWords(language: MailLanguage): MailWords {
  return WORDS[language]
}
