import type { RefObject } from 'react'
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
