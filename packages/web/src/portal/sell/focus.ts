import type { KeyboardEvent, RefObject } from 'react'
import { useEffect } from 'react'

/** True while the focus is nowhere, on a heading, or on the link that led here: nobody is called away by moving it. */
function isFocusFree(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.matches('h1, .pick a')
}

/** Puts the focus into the first control of an element that `selector` finds, once it is drawn. */
export function useFirstFocus(
  element: RefObject<HTMLElement | null>,
  selector: string,
  isWanted = true,
): void {
  useEffect(() => {
    const root = element.current
    if (root === null || !isWanted || !isFocusFree()) return
    const focus = () => {
      const control = root.querySelector<HTMLElement>(selector)
      if (control !== null && isFocusFree()) control.focus()
      return control !== null || !isFocusFree()
    }
    if (focus()) return
    // The choices of a field come with an answer.
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect()
    })
    observer.observe(root, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [element, selector, isWanted])
}

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
