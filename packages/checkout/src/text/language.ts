export type Language = 'en' | 'ms'

export const LANGUAGES: readonly Language[] = ['en', 'ms']

export function isLanguage(text: unknown): text is Language {
  return text === 'en' || text === 'ms'
}

type Message = string | ((...values: never[]) => string) | Messages
type Messages = { readonly [name: string]: Message }

/** The same messages in another language: same names, same values, other words. */
type Translated<M> = {
  readonly [K in keyof M]: M[K] extends string
    ? string
    : M[K] extends (...values: infer A) => string
      ? (...values: A) => string
      : Translated<M[K]>
}

/** Declares texts in every language. A text that is missing in one of them fails the type check. */
export function defineMessages<M extends Messages>(dictionary: {
  readonly en: M
  readonly ms: Translated<M>
}): Readonly<Record<Language, Translated<M>>> {
  return dictionary as unknown as Readonly<Record<Language, Translated<M>>>
}
