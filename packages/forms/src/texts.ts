import { STANDARD as MALAY } from './standard/ms.generated.ts'
import { saying } from './standard/saying.generated.ts'

/** Languages by their names in themselves, in the order of menus. */
export const LANGUAGES = {
  en: 'English',
  ms: 'Bahasa Melayu',
  id: 'Bahasa Indonesia',
  zh: '简体中文',
  ta: 'தமிழ்',
} as const

export type Language = keyof typeof LANGUAGES

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(LANGUAGES, text)
}

type Message = string | ((...values: never[]) => string) | Messages
type Messages = { readonly [name: string]: Message }

/** The same messages in another language: same names, same values, other words. */
export type Translated<M> = {
  readonly [K in keyof M]: M[K] extends string
    ? string
    : M[K] extends (...values: infer A) => string
      ? (...values: A) => string
      : Translated<M[K]>
}

/** Declares texts. A text that is missing in one language fails the type check. */
export function defineMessages<M extends Messages>(
  dictionary: { readonly en: M; readonly ms: Translated<M> },
  name = '',
): { readonly en: M; readonly ms: Translated<M>; readonly name: string } {
  return { ...dictionary, name }
}

/** Texts that every form has, whoever fills it in. */
export const FORM = defineMessages({
  en: {
    /** Text of the catalogue. */
    standard: (text: string) => text,
    clear: 'Clear the search',
    groups: 'Groups',
    allGroups: 'All',
    noProduct: 'No product has this name.',
    optional: 'optional',
    choose: 'Search as you type',
    foundOptions: (shown: number, total: number) => `${shown} of ${total}. Type to find more.`,
    loading: 'Loading',
    noMatch: 'Nothing has this name.',
    optionsFailed: 'The choices could not be loaded.',
    fillFirst: (label: string) => `Fill in first: ${label}`,
    noOptions: 'There is nothing to choose.',
    required: 'Fill this in',
    chooseOne: 'Choose one',
    pattern: 'This does not have the right form',
    range: (from: string, to: string) => `Enter an amount from ${from} to ${to}`,
    atLeast: (from: string) => `Enter at least ${from}`,
    atMost: (to: string) => `Enter at most ${to}`,
    rangeHint: (from: string, to: string) => `From ${from} to ${to}`,
    billExists: 'This bill exists',
    askingBill: 'Asking the biller',
    priceLater: 'Fill in the form to see the price.',
    askingPrice: 'Asking for the price.',
    mend: (count: number, first: string) =>
      count === 1 ? `One field needs mending: ${first}` : `${count} fields need mending. The first: ${first}`,
  },
  ms: {
    standard: saying(MALAY),
    clear: 'Kosongkan carian',
    groups: 'Kumpulan',
    allGroups: 'Semua',
    noProduct: 'Tiada produk dengan nama ini.',
    optional: 'pilihan',
    choose: 'Cari sambil menaip',
    foundOptions: (shown, total) => `${shown} daripada ${total}. Taip untuk mencari lagi.`,
    loading: 'Memuatkan',
    noMatch: 'Tiada yang bernama begini.',
    optionsFailed: 'Pilihan tidak dapat dimuatkan.',
    fillFirst: (label) => `Isi dahulu: ${label}`,
    noOptions: 'Tiada apa-apa untuk dipilih.',
    required: 'Isi ruangan ini',
    chooseOne: 'Pilih satu',
    pattern: 'Bentuknya tidak betul',
    range: (from, to) => `Masukkan amaun dari ${from} hingga ${to}`,
    atLeast: (from) => `Masukkan sekurang-kurangnya ${from}`,
    atMost: (to) => `Masukkan paling banyak ${to}`,
    rangeHint: (from, to) => `Dari ${from} hingga ${to}`,
    billExists: 'Bil ini wujud',
    askingBill: 'Bertanya kepada pengebil',
    priceLater: 'Isi borang untuk melihat harga.',
    askingPrice: 'Sedang meminta harga.',
    mend: (count, first) =>
      count === 1
        ? `Satu ruangan perlu dibetulkan: ${first}`
        : `${count} ruangan perlu dibetulkan. Yang pertama: ${first}`,
  },
})

export type FormTexts = Translated<(typeof FORM)['en']>
