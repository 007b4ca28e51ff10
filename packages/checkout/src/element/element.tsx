import { isLanguage } from '@warung/forms/texts'
import { render } from 'preact'
import type { MouseEvent } from 'react'
import { createClient } from '../api/client.ts'
import { themeProperties } from '../rules/theme.ts'
import type { Checkout } from '../state/checkout.ts'
import { createCheckout } from '../state/checkout.ts'
import { deviceStorage, historyNavigation, keptNavigation, tabStorage } from '../state/kept.ts'
import { Frame, screenOf } from '../views/frame.tsx'
import css from './checkout.css'

const ATTRIBUTES = ['order', 'token', 'base', 'language', 'hosted']

/** Longest time for which a press keeps the page still; a release outside of the window is not heard of. */
const PRESS_MS_MAX = 1_000

let shared: CSSStyleSheet | undefined

/** One style sheet for all elements of a page. Sheets made by scripts are allowed by every policy on styles. */
function sharedSheet(): CSSStyleSheet {
  if (shared === undefined) {
    shared = new CSSStyleSheet()
    shared.replaceSync(css)
  }
  return shared
}

/**
 * `<warung-checkout order="ord_…" token="ct_…" base="https://pay.example" language="ms">`. It tells the page around it
 * by `warung:submitted`, `warung:cancelled`, `warung:completed` and `warung:error`; `warung:pay` can be prevented by a
 * page that takes the payment itself. `hosted` is for pages that belong to the checkout alone: it uses their history
 * and their first heading.
 */
export class WarungCheckout extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #theme = new CSSStyleSheet()
  #checkout: Checkout | undefined
  #screen = ''
  #isPlanned = false
  #pressed: ReturnType<typeof setTimeout> | undefined
  #focus: string | undefined
  #active = ''

  constructor() {
    super()
    this.#root.adoptedStyleSheets = [sharedSheet(), this.#theme]
    this.#root.addEventListener('pointerdown', this.#press)
  }

  /**
   * Draws nothing while a button is pressed. A field that is left shows its message, and a button that moves between
   * press and release would not be clicked.
   */
  readonly #press = (): void => {
    clearTimeout(this.#pressed)
    this.#pressed = setTimeout(this.#release, PRESS_MS_MAX)
    for (const name of ['pointerup', 'pointercancel']) {
      window.addEventListener(name, () => setTimeout(this.#release), { once: true })
    }
  }

  readonly #release = (): void => {
    clearTimeout(this.#pressed)
    this.#pressed = undefined
    this.#plan()
  }

  connectedCallback(): void {
    document.addEventListener('visibilitychange', this.#look)
    window.addEventListener('pageshow', this.#look)
    window.addEventListener('online', this.#look)
    this.#begin()
  }

  disconnectedCallback(): void {
    document.removeEventListener('visibilitychange', this.#look)
    window.removeEventListener('pageshow', this.#look)
    window.removeEventListener('online', this.#look)
    this.#end()
  }

  attributeChangedCallback(_name: string, former: string | null, next: string | null): void {
    if (former !== next && this.isConnected) this.#begin()
  }

  /** Reads the order again when somebody looks at the page again. */
  readonly #look = (): void => {
    if (document.visibilityState === 'visible') void this.#checkout?.refresh()
  }

  /** Starts with the attributes as they are, once they have all been set. */
  #begin(): void {
    this.#end()
    queueMicrotask(() => {
      if (this.isConnected && this.#checkout === undefined) this.#start()
    })
  }

  #start(): void {
    const attribute = (name: string) => this.getAttribute(name) ?? ''
    const orderId = attribute('order')
    const kept = tabStorage(orderId)
    const language = attribute('language')
    this.#checkout = createCheckout({
      client: createClient({
        base: attribute('base').replace(/\/+$/, ''),
        orderId,
        token: attribute('token'),
        fetch: (input, init) => fetch(input, init),
        language: () => this.#checkout?.state().language ?? 'en',
      }),
      navigation: this.hasAttribute('hosted') ? historyNavigation(history, window) : keptNavigation(kept),
      kept,
      device: deviceStorage(),
      language: isLanguage(language) ? language : undefined,
      isVisible: () => document.visibilityState === 'visible',
      onChange: () => this.#plan(),
      tell: (milestone, detail) => this.#tell(milestone, detail),
    })
    this.#plan()
  }

  #end(): void {
    this.#checkout?.stop()
    this.#checkout = undefined
    this.#screen = ''
  }

  #tell(name: string, detail: Readonly<Record<string, unknown>>): boolean {
    const init = { detail, bubbles: true, composed: true, cancelable: name === 'pay' }
    return this.dispatchEvent(new CustomEvent(`warung:${name}`, init))
  }

  /** Draws once for all changes of one turn. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      if (this.#pressed === undefined) this.#draw()
    })
  }

  #draw(): void {
    const checkout = this.#checkout
    if (checkout === undefined) return
    const { order, language } = checkout.state()
    this.#applyTheme(themeProperties(order?.theme ?? null))
    if (this.hasAttribute('hosted')) {
      document.documentElement.lang = language
      if (order !== undefined) document.title = order.merchant.name
    }
    const focused = this.#root.activeElement
    render(
      <Frame
        checkout={checkout}
        level={this.hasAttribute('hosted') ? 1 : 2}
        origin={location.origin}
        focusOn={(id) => {
          this.#focus = id
          this.#plan()
        }}
        pay={(event) => this.#pay(event, checkout)}
      />,
      this.#root,
    )
    this.#moveFocus(screenOf(checkout), focused !== null && !focused.isConnected)
    this.#showActive()
  }

  /**
   * Moves the focus to the place that an action named, or to the heading of a new screen. A button that is gone gives
   * its focus to the heading: without focus, nothing is read out, and the keyboard begins at the top of the page.
   */
  #moveFocus(screen: string, isGone: boolean): void {
    const former = this.#screen
    this.#screen = screen
    if (this.#focus !== undefined) {
      const field = this.#root.getElementById(this.#focus)
      const wrong = this.#root.querySelector<HTMLElement>('.tiles-field.is-wrong input')
      this.#focus = undefined
      ;(field ?? wrong)?.focus()
      return
    }
    const isNew = former !== '' && former !== 'loading' && former !== screen
    if (!isNew && !isGone) return
    const heading = this.#root.querySelector<HTMLElement>('[data-title]')
    heading?.focus({ preventScroll: true })
    if (!isNew) return
    this.scrollIntoView({ block: 'start' })
  }

  /** Scrolls a list to the option that the arrow keys have reached. A list that somebody scrolls by hand stays. */
  #showActive(): void {
    const field = this.#root.querySelector('[aria-activedescendant]')
    const active = field?.getAttribute('aria-activedescendant') ?? ''
    if (active === this.#active) return
    this.#active = active
    this.#root.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }

  #pay(event: MouseEvent, checkout: Checkout): void {
    const { order } = checkout.state()
    checkout.goToPay()
    const { order_id, total_amount, continue_url } = order ?? {}
    if (!this.#tell('pay', { order_id, total_amount, continue_url })) event.preventDefault()
  }

  #applied = ''
  #applyTheme(properties: Readonly<Record<string, string>>): void {
    const rule = Object.entries(properties)
      .map(([name, value]) => `${name}:${value}`)
      .join(';')
    if (rule === this.#applied) return
    this.#applied = rule
    this.#theme.replaceSync(`:host{${rule}}`)
  }
}
