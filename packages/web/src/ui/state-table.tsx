import type { Dictionary } from '../text/language.ts'
import { useText } from '../text/language.ts'
import type { Tone } from './state.tsx'
import { Pill, State } from './state.tsx'

type Tones = Readonly<Record<string, Readonly<Record<string, Tone>>>>
type Words<T extends Tones> = {
  readonly [K in keyof T & string]: { readonly [N in keyof T[K] & string]: string }
}

/** Makes the states of one side of the dashboard: for each kind of thing its states, with a tone and a word. */
export function stateTable<T extends Tones>(tones: T, words: Dictionary<Words<T>>) {
  type Kind = keyof T & string
  type Name<K extends Kind> = keyof T[K] & string
  const toneOf = <K extends Kind>(kind: K, state: Name<K>): Tone => tones[kind]?.[state] ?? 'off'
  const useWords = <K extends Kind>(kind: K) =>
    (useText(words) as unknown as Words<T>)[kind] as Readonly<Record<Name<K>, string>>
  return {
    toneOf,
    useWords,
    /** States of a kind in the order in which they are offered. */
    namesOf: <K extends Kind>(kind: K) => Object.keys(tones[kind] ?? {}) as Name<K>[],
    StateOf<K extends Kind>({ kind, state, isPill }: { kind: K; state: Name<K>; isPill?: boolean }) {
      const word = useWords(kind)[state]
      const tone = toneOf(kind, state)
      return isPill ? <Pill tone={tone}>{word}</Pill> : <State tone={tone}>{word}</State>
    },
  }
}
