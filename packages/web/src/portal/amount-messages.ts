import { defineMessages } from '../text/language.ts'

/** Words about amounts that cannot be read; every field says the same. */
export const AMOUNTS = defineMessages({
  en: { unreadable: 'Write the amount without commas, such as 1000 or 1.50' },
  ms: { unreadable: 'Tulis amaun tanpa koma, seperti 1000 atau 1.50' },
})
