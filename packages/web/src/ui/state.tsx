import type { ReactNode } from 'react'
import type { Dictionary } from '../text/language.ts'
import { useText } from '../text/language.ts'

/** State of anything on a page: its colour and shape. The word comes with it, always. */
export type Tone = 'ok' | 'wait' | 'bad' | 'back' | 'off' | 'warning' | 'critical' | 'info'

const COLOURS: Readonly<Record<Tone, string>> = {
  ok: 'ok',
  wait: 'wait',
  bad: 'bad',
  back: 'back',
  off: 'off',
  warning: 'wait',
  critical: 'bad',
  info: 'off',
}

export function colourOf(tone: Tone): string {
  return COLOURS[tone]
}

/** Shape of a state, in the colour of the text around it. */
export function Shape({ tone, isColoured = false }: { tone: Tone; isColoured?: boolean }) {
  return (
    <svg className={isColoured ? `sh ${COLOURS[tone]}` : 'sh'} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  )
}

const LINE = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const
const ON_FILL = { ...LINE, stroke: 'var(--surface)', strokeWidth: 1.8 } as const
const IN_COLOUR = { ...LINE, stroke: 'currentColor', strokeWidth: 1.8 } as const

const SHAPES: Readonly<Record<Tone, ReactNode>> = {
  ok: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.8 8.3 2.2 2.3 4.3-4.9" {...ON_FILL} />
    </>
  ),
  wait: (
    <>
      <circle cx="8" cy="8" r="6.1" {...IN_COLOUR} />
      <path d="M8 4.3a3.7 3.7 0 0 1 0 7.4z" fill="currentColor" />
    </>
  ),
  bad: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="2.5" fill="currentColor" />
      <path d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" {...ON_FILL} />
    </>
  ),
  back: <path d="M6 2.2 2 6.2l4 4M2.6 6.2H9.5a4 4 0 0 1 0 8H5.5" {...IN_COLOUR} strokeWidth={2} />,
  off: <circle cx="8" cy="8" r="6.1" {...IN_COLOUR} strokeDasharray="2.6 2.2" />,
  warning: (
    <>
      <path d="M8 1.3 15.3 14.3H.7z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
      <path d="M8 6v3.8M8 12h.01" {...ON_FILL} />
    </>
  ),
  critical: (
    <>
      <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />
      <path d="M8 4.3v4.5M8 11.5h.01" {...ON_FILL} />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="6.2" {...IN_COLOUR} strokeWidth={1.6} />
      <path d="M8 7.3v3.6M8 5h.01" {...IN_COLOUR} />
    </>
  ),
}

/** State in a line or a table: shape and word. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`st ${COLOURS[tone]}`}>
      <Shape tone={tone} />
      <span className="w">{children}</span>
    </span>
  )
}

/** State at the head of a page. */
export function Pill({ tone, children, small }: { tone: Tone; children: ReactNode; small?: boolean }) {
  return (
    <span className={`pill ${COLOURS[tone]}${small ? ' sm' : ''}`}>
      <Shape tone={tone} />
      {children}
    </span>
  )
}

/** Remark in a box: a state, and what it means for the reader. */
export function Note({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div className={`note ${tone === 'info' || tone === 'off' ? '' : COLOURS[tone]}`}>
      <Shape tone={tone} />
      <div>{children}</div>
    </div>
  )
}

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
