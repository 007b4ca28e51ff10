import { WarungCheckout } from '../element/element.tsx'

// The address of the hosted page is /checkout/ord_…#ct_…: the token stays in the browser, because fragments are not
// sent.

customElements.define('warung-checkout', WarungCheckout)

/** Opens the order that the address names. */
function open(): void {
  const place = document.querySelector('main')
  const [, orderId = ''] = /\/checkout\/([\w-]+)\/?$/.exec(location.pathname) ?? []
  const [, token = ''] = /^#(ct_[\w-]+)$/.exec(location.hash) ?? []
  const element = document.createElement('warung-checkout')
  element.setAttribute('hosted', '')
  element.setAttribute('order', orderId)
  element.setAttribute('token', token)
  element.setAttribute('base', location.origin)
  place?.replaceChildren(element)
}

open()
// Another link to an order may be opened in the same tab, where only the fragment differs.
window.addEventListener('hashchange', open)
