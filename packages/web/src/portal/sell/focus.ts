import type { KeyboardEvent, RefObject } from 'react'
import { useEffect } from 'react'

/** True while the focus is nowhere, on a heading, or on the link that led here: nobody is called away by moving it. */
function isFocusFree(): boolean {
  const { activeElement } = document
  return (
    activeElement === null || activeElement === document.body || activeElement.matches('h1, .pick a, .pickp')
  )
}

/** Puts the focus into the first control of an element that `selector` finds, once it is drawn. */
export function useFirstFocus(
  element: RefObject<HTMLElement | null>,
  selector: string,
  isWanted = true,
): void {
  useEffect(() => {
    if (element.current !== null && isWanted) return focusOnceDrawn(element.current, selector)
  }, [element, selector, isWanted])
}

/** Puts the focus into a control that may come with an answer. Returns what ends the waiting. */
function focusOnceDrawn(root: HTMLElement, selector: string): () => void {
  const focus = () => {
    if (!isFocusFree()) return true
    const control = root.querySelector<HTMLElement>(selector)
    control?.focus()
    return control !== null
  }
  if (focus()) return () => undefined
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect()
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** Leaves the number's field for the first field of the form. What is typed before that is drawn counts for nothing. */
export function enterForm(till: HTMLElement): () => void {
  till.querySelector<HTMLElement>('.pickp')?.focus()
  return focusOnceDrawn(till, '.frm [data-field] :is(input, select)')
}

// The choices are links, so that another tab can have them: the arrow keys move the focus through them, Enter follows.
// Products for a number are buttons: a number stands in no address.

type Choice = HTMLAnchorElement | HTMLButtonElement

/** Choices of the list; `isSettled`: none of a list that is still being read for what was typed. */
function linksOf(panel: Element, isSettled: boolean): Choice[] {
  const choices = `.pick ul${isSettled ? ':not([aria-busy])' : ''} li > :is(a, button:first-child)`
  return [...panel.querySelectorAll<Choice>(choices)]
}

const TYPED = /^[\p{L}\p{N} ]$/u

const isChoice = (target: unknown) => target instanceof HTMLAnchorElement

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
      if (!isChoice(event.target) || !TYPED.test(event.key)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.stopPropagation()
      field?.focus()
  }
}

// Keys of the form. Digits choose an amount only outside of fields in which they are typed, and Enter pays what is shown.

type FormKeys = { readonly isRight: boolean; readonly onPay: () => void }

export function pressInForm(event: KeyboardEvent<HTMLElement>, { isRight, onPay }: FormKeys): void {
  const { target, key, currentTarget } = event
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || hasModifier(event)) return
  event.preventDefault()
  const next = isRight ? undefined : nextField(currentTarget, target)
  if (next === undefined) onPay()
  else next.focus()
}

/** Returns the first control of the field behind the one that a control is in. */
function nextField(form: Element, control: Element): HTMLElement | undefined {
  const fields = [...form.querySelectorAll('[data-field]')]
  const at = fields.findIndex((field) => field.contains(control))
  return fields
    .slice(at + 1)
    .flatMap((field) => field.querySelector<HTMLElement>('input, select') ?? [])
    .at(0)
}

/** Handles the keys that stand beside amounts, products and the basket, and Escape, which leads back to the field. */
export function pressInTill(event: KeyboardEvent<HTMLElement>): void {
  const { target, key, currentTarget: till } = event
  if (!(target instanceof HTMLElement) || target.closest('dialog') !== null || hasModifier(event)) return
  const field = till.querySelector<HTMLInputElement>('.pickp .find input')
  if (target === field) return
  if (key === 'Escape') {
    field?.focus()
    field?.select()
    return
  }
  if (!/^[1-9a-z+]$/i.test(key) || takesText(target, key)) return
  const choice = till.querySelector<HTMLElement>(
    `li [aria-keyshortcuts="${key.toLowerCase()}"], :is(.frm, .pay) [aria-keyshortcuts="${key}"]`,
  )
  if (choice === null) return
  event.preventDefault()
  event.stopPropagation()
  choice.click()
  if (choice instanceof HTMLInputElement) choice.focus()
}

/** True for a key that is typed into the element. A field of an amount takes no letters. */
function takesText(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLInputElement) {
    if (target.type === 'radio') return false
    return target.inputMode !== 'decimal' || /\d/.test(key)
  }
  return target.matches('select, textarea')
}

function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey
}
