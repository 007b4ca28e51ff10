import type { Response } from 'playwright-core'
import type { Visitor } from './browser.ts'

/** Controls of a page that act when they are clicked. Links lead to other pages, which are looked at by themselves. */
const CONTROLS = 'main button:enabled, main summary'
/** Expression for the controls that are shown: the name of each, and its place among all of them. */
const SHOWN = `[...document.querySelectorAll('${CONTROLS}')]
  .map((each, at) => ({
    at,
    name: each.getAttribute('aria-label') ?? each.textContent.trim(),
    isShown: each.checkVisibility(),
  }))
  .filter(({ isShown }) => isShown)`
/** Forms that ask for a change stand in dialogs; a search is a form of a page. */
const FORM = 'dialog[open] button[type=submit]'

/** Control that is everybody's own. Clicked, it would leave nobody to look at the pages after it. */
const SIGN_OUT = 'Sign out'

/** Ends when the page has drawn what a click did; a request that it sends has begun by then. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))'

/**
 * Clicks each control of a page once, and returns what the person could have changed with it: a dialog that asks for a
 * change, or a request that the service refuses to the person's role. What the service lets a role do is the subject of
 * the tests of its API.
 */
export async function findChanges(visitor: Visitor, path: string): Promise<string[]> {
  const { page } = visitor
  const found: string[] = []
  const refused = (response: Response) => {
    const method = response.request().method()
    if (response.status() !== 403 || method === 'GET') return
    found.push(`${method} ${new URL(response.url()).pathname}`)
  }
  await open(visitor, path)
  if (page.url().includes('/sign-in')) throw new Error(`nobody is signed in at ${path}`)
  page.on('response', refused)
  for (const name of new Set((await shownControls(visitor)).map((each) => each.name))) {
    if (name === SIGN_OUT) continue
    const isNamed = (each: Control) => each.name === name
    let control = (await shownControls(visitor)).find(isNamed)
    if (control === undefined) {
      // A control before it has led to another page, or to another view of this one.
      await reopen(visitor, path)
      control = (await shownControls(visitor)).find(isNamed)
    }
    if (control === undefined) continue
    await page.locator(CONTROLS).nth(control.at).click()
    await page.evaluate(DRAWN)
    await visitor.settle()
    if ((await page.locator(FORM).count()) > 0) found.push(`${name} opens a form`)
    if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
  }
  page.off('response', refused)
  return found
}

async function open(visitor: Visitor, path: string): Promise<void> {
  if ((await visitor.page.locator('main#main').count()) === 0) return reopen(visitor, path)
  await visitor.follow(path)
  await visitor.settle()
}

async function reopen(visitor: Visitor, path: string): Promise<void> {
  await visitor.go(path)
  await visitor.settle()
}

type Control = { readonly name: string; readonly at: number }

function shownControls({ page }: Visitor): Promise<Control[]> {
  return page.evaluate<Control[]>(SHOWN)
}
