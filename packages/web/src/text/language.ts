import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

export type Language = 'en' | 'ms'

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

export type Dictionary<M extends Messages> = { readonly en: M; readonly ms: Translated<M> }

/** Declares the texts of a page in every language. A text that is missing in one of them fails the type check. */
export function defineMessages<M extends Messages>(dictionary: Dictionary<M>): Dictionary<M> {
  return dictionary
}

const STORED_AS = 'warung.language'
const listeners = new Set<() => void>()
let language: Language = document.documentElement.lang === 'ms' ? 'ms' : 'en'

export function currentLanguage(): Language {
  return language
}

export function setLanguage(next: Language): void {
  language = next
  document.documentElement.lang = next
  try {
    localStorage.setItem(STORED_AS, next)
  } catch {
    // A browser that stores nothing keeps the choice until the tab closes.
  }
  for (const each of listeners) each()
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => language,
  )
}

/** Returns the texts in the reader's language. */
export function useText<M extends Messages>(dictionary: Dictionary<M>): Translated<M> {
  return dictionary[useLanguage()] as Translated<M>
}
