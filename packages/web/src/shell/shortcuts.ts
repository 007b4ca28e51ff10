import { useEffect } from 'react'
import { useLatest } from '../api/latest.ts'

export type Shortcuts = Readonly<Record<string, () => void>>

const SEQUENCE_MS = 1_000

/** Shortcuts of all components that are shown, because two keys in a row of one hide a single key of another. */
const registered = new Set<{ readonly current: Shortcuts }>()

/**
 * Runs the action of a key, or of two keys in a row such as "g p". Letters rest while a field has the focus or a
 * dialog is open. Names: `ctrl+k`, `shift+d`, `?`, `/`, `n`, `g p`.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useLatest(shortcuts)
  useEffect(() => {
    let first = ''
    let firstAtMs = 0
    const press = (event: KeyboardEvent) => {
      const name = nameOf(event)
      if (name === undefined || (!name.startsWith('ctrl+') && isTyping(event.target))) return
      const sequence = Date.now() - firstAtMs < SEQUENCE_MS ? `${first} ${name}` : name
      const isSequence = [...registered].some(({ current }) => current[sequence] !== undefined)
      const action = latest.current[isSequence ? sequence : name]
      first = name
      firstAtMs = Date.now()
      if (action === undefined) return
      event.preventDefault()
      first = ''
      action()
    }
    registered.add(latest)
    document.addEventListener('keydown', press)
    return () => {
      registered.delete(latest)
      document.removeEventListener('keydown', press)
    }
  }, [])
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (altKey || key === 'Shift' || key === 'Control' || key === 'Meta') return undefined
  const lower = key.toLowerCase()
  if (ctrlKey || metaKey) return `ctrl+${lower}`
  if (shiftKey && /^[a-z]$/.test(lower)) return `shift+${lower}`
  return lower
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

/** Moves the focus through rows that can be opened. */
export function moveThroughRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus()
}

/** Puts the cursor into the page's own search field, which carries `data-find`. */
export function findOnPage(): void {
  document.querySelector<HTMLElement>('main [data-find]')?.focus()
}
