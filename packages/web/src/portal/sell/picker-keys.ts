import type { KeyboardEvent } from 'react'

// The choices are links, so that another tab can have them: the arrow keys move the focus through them, Enter follows.

/** Links of the list; `isSettled`: none of a list that is still being read for what was typed. */
function linksOf(panel: Element, isSettled: boolean): HTMLAnchorElement[] {
  return [...panel.querySelectorAll<HTMLAnchorElement>(`.pick ul${isSettled ? ':not([aria-busy])' : ''} a`)]
}

const TYPED = /^[\p{L}\p{N} ]$/u

/** Handles the keys of a search field with its list below it. */
export function pressInPicker(event: KeyboardEvent<HTMLElement>): void {
  const panel = event.currentTarget
  const field = panel.querySelector('input')
  const isInField = event.target === field
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const stops = [field, ...linksOf(panel, false)]
      const at = stops.indexOf(event.target as HTMLInputElement)
      const next = at === -1 ? undefined : stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (next === undefined) return
      event.preventDefault()
      next?.focus()
      return
    }
    case 'Enter':
      if (!isInField || field?.value.trim() === '') return
      event.preventDefault()
      linksOf(panel, true)[0]?.click()
      return
    case '/':
      // The key that leads to the field is not typed into it.
      if (isInField && field?.value === '') event.preventDefault()
      return
    case 'Escape':
      field?.blur()
      return
    default:
      // Typing goes on in the field from wherever the list is, and is no shortcut there.
      if (!(event.target instanceof HTMLAnchorElement) || !TYPED.test(event.key)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.stopPropagation()
      field?.focus()
  }
}
