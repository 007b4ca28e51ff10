import type { Locator, Page } from 'playwright-core'

// Person who has no pointer: everything is reached with Tab and the keys that the page itself names.

const STEPS_MAX = 150
/** Expression about the element that has the focus: whether it, or the frame around it, shows that. */
const SHOWS_FOCUS = `(() => {
  const isMarked = (each) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  }
  const element = document.activeElement
  const frames = [element, element.parentElement, element.closest('label, .input')]
  return frames.some((each) => each !== null && isMarked(each))
})()`

/** Expression for the controls that look the same with the focus and without it, and so do the frames around them. */
export const UNSEEN_FOCUS = `(() => {
  const look = (element) =>
    [element, element.parentElement, element.closest('.input, .chip, .adj, .radio-card, .drop-field, label')]
      .filter((each) => each !== null)
      .map((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
        return outlineStyle === 'none' ? boxShadow : outlineStyle + outlineWidth + boxShadow
      })
      .join()
  const controls = 'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]'
  return [...document.querySelectorAll(controls)]
    .filter((element) => element.checkVisibility() && !element.matches('.is-focus'))
    .filter((element) => {
      document.activeElement.blur()
      const before = look(element)
      element.focus()
      return document.activeElement === element && look(element) === before
    })
    .map((element) => element.outerHTML.slice(0, 120))
})()`

/** Expression for what is pressed or current and has the ground of its neighbours. */
export const UNMARKED_CHOICES = `(() => {
  const chosen = '.seg > [aria-pressed="true"], .nav a[aria-current]'
  const ground = (element) => getComputedStyle(element).backgroundColor
  return [...document.querySelectorAll(chosen)]
    .filter((element) => {
      const others = [...element.parentElement.children].filter((each) => !each.matches(chosen + ', h2'))
      return others.some((each) => ground(each) === ground(element))
    })
    .map((element) => element.outerHTML.slice(0, 120))
})()`

/** Expression for the controls and toasts whose text has the colour of its ground. */
export const UNREADABLE = `[...document.querySelectorAll('.btn, .seg > *, .chip, .nav a, .toast')]
  .filter((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    return color === backgroundColor
  })
  .map((element) => element.outerHTML.slice(0, 120))`

export type Keyboard = {
  /** Presses Tab until the element has the focus. Fails when it cannot be reached, or does not show that it has it. */
  reach(target: Locator): Promise<void>
  /** Reaches a control and presses a key on it, by default Enter. */
  use(target: Locator, key?: string): Promise<void>
  /** Reaches a field and types over what it holds. */
  type(target: Locator, text: string): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  /** Presses keys that mean something together, such as "g p": right after one another, also on a busy machine. */
  pressTogether(...keys: readonly string[]): Promise<void>
}

export function keyboardOf(page: Page): Keyboard {
  const { keyboard } = page
  async function reach(target: Locator): Promise<void> {
    await target.waitFor()
    const focused = target.and(page.locator(':focus'))
    for (let steps = 0; (await focused.count()) === 0; steps += 1) {
      if (steps === STEPS_MAX) throw new Error(`Tab does not lead to ${target}`)
      await keyboard.press('Tab')
    }
    if (!(await page.evaluate<boolean>(SHOWS_FOCUS))) throw new Error(`${target} does not show its focus`)
  }
  return {
    reach,
    async use(target, key = 'Enter') {
      await reach(target)
      await keyboard.press(key)
    },
    async type(target, text) {
      await reach(target)
      await keyboard.press('Control+A')
      await keyboard.type(text)
    },
    async press(...keys) {
      for (const key of keys) await keyboard.press(key)
    },
    async pressTogether(...keys) {
      await Promise.all(keys.map((key) => keyboard.press(key)))
    },
  }
}
