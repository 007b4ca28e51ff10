import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import type { Tone } from './state.tsx'
import { colourOf, Shape } from './state.tsx'

type Toast = { readonly id: number; readonly tone: Tone; readonly children: ReactNode }

const SHOWN_MS = 6_000
const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let lastId = 0

/** Says what a change did. An error that needs an answer stands in its form instead. */
export function say(children: ReactNode, tone: Tone = 'ok'): void {
  lastId += 1
  const id = lastId
  replace([...toasts, { id, tone, children }])
  window.setTimeout(() => replace(toasts.filter((each) => each.id !== id)), SHOWN_MS)
}

function replace(next: readonly Toast[]): void {
  toasts = next
  for (const each of listeners) each()
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, tone, children }) => (
        <div className="toast" key={id}>
          <span className={colourOf(tone)}>
            <Shape tone={tone} />
          </span>
          <span>{children}</span>
        </div>
      ))}
    </div>
  )
}
