import type { Language } from '@warung/forms/texts'
import { isLanguage, LANGUAGES } from '@warung/forms/texts'
import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

export type { Language }
export { LANGUAGES }

type Message = string | ((...values: never[]) => ReactNode) | Messages
export type Messages = { readonly [name: string]: Message }

/** The same messages in another language: same names, same values, other words. */
export type Translated<M> = {
  readonly [K in keyof M]: M[K] extends string
    ? string
    : M[K] extends (...values: infer A) => infer R
      ? (...values: A) => R extends string ? string : ReactNode
      : Translated<M[K]>
}

export type Dictionary<M extends Messages> = {
  readonly en: M
  readonly ms: Translated<M>
  /** Name by which the packs of languages have the same messages. */
  readonly name: string
}

/**
 * Declares the texts of a page. A text that is missing in one language fails the type check. The build leaves the
 * English ones here and puts the Malay ones into a pack of their own (`languages.ts` beside the build's configuration);
 * it writes the name, which is that of the constant, except where none holds the dictionary.
 */
export function defineMessages<M extends Messages>(
  dictionary: { readonly en: M; readonly ms: Translated<M> },
  name = '',
): Dictionary<M> {
  return { ...dictionary, name }
}

/** Texts of one language, by the names of their dictionaries. */
export type LanguagePack = Readonly<Record<string, object>>
type Packs = Readonly<Partial<Record<Language, () => Promise<{ readonly default: LanguagePack }>>>>

const STORED_AS = 'warung.language'
const listeners = new Set<() => void>()
const arrived = new Map<Language, LanguagePack>()
let packs: Packs = {}
let language: Language = isLanguage(document.documentElement.lang) ? document.documentElement.lang : 'en'

/** Says which languages this entry has, and brings the reader's before the first page is drawn. */
export async function offerLanguages(offered: Packs): Promise<void> {
  packs = offered
  await setLanguage(language, 'for this page')
}

export function listLanguages(): readonly Language[] {
  return (Object.keys(LANGUAGES) as Language[]).filter((each) => each === 'en' || packs[each] !== undefined)
}

export function currentLanguage(): Language {
  return language
}

/** Changes the language as soon as its texts are here. Where they do not arrive, the page is in English. */
export async function setLanguage(next: Language, kept: 'kept' | 'for this page' = 'kept'): Promise<void> {
  const isHere = next === 'en' || arrived.has(next) || (await fetchPack(next))
  language = isHere ? next : 'en'
  document.documentElement.lang = language
  if (isHere && kept === 'kept') store(next)
  for (const each of listeners) each()
}

async function fetchPack(of: Language): Promise<boolean> {
  try {
    const pack = await packs[of]?.()
    if (pack === undefined) return false
    arrived.set(of, pack.default)
    return true
  } catch {
    return false
  }
}

function store(chosen: Language): void {
  try {
    localStorage.setItem(STORED_AS, chosen)
  } catch {
    // A browser that stores nothing keeps the choice until the tab closes.
  }
}

/** Calls the listener when the language has changed, until the returned function is called. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, () => language)
}

type AnyDictionary<M> = { readonly en: M; readonly name?: string }

/** Returns the texts of a dictionary in the reader's language. */
export function textOf<M extends Messages>(dictionary: AnyDictionary<M>): Translated<M> {
  // A dictionary has its other language itself as long as nothing was built, as in a test.
  const { en, name = '', ...others } = dictionary as AnyDictionary<M> & { [other: string]: unknown }
  const own = arrived.get(language)?.[name]
  return (own === undefined
    ? (others[language] ?? en)
    : completed(own as Messages, en)) as unknown as Translated<M>
}

const whole = new WeakMap<object, Messages>()

/** Fills in English where a language has no text. */
function completed(own: Messages, en: Messages): Messages {
  const known = whole.get(own)
  if (known !== undefined) return known
  const filled = Object.entries(en).map(([name, english]) => {
    const text = own[name] ?? english
    const isNested = typeof text === 'object' && typeof english === 'object'
    return [name, isNested ? completed(text, english) : text] as const
  })
  const texts = { ...own, ...Object.fromEntries(filled) }
  whole.set(own, texts)
  return texts
}

/** Returns the texts in the reader's language. */
export function useText<M extends Messages>(dictionary: AnyDictionary<M>): Translated<M> {
  useLanguage()
  return textOf(dictionary)
}
