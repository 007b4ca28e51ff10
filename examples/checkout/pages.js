// Pages of the shop. They hold no inline script and no inline style: the policy in server.js would refuse them.

const ESCAPED = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (char) => ESCAPED[char])
}

function page(title, body, head = '') {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/style.css">
${head}
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</html>
`
}

export const STYLE = `
body { font: 1rem/1.5 system-ui; max-width: 36rem; margin: 2rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1.5rem }
warung-checkout { --warung-accent: #0b6e4f }
.problem { color: #a00 }
`

export function startPage() {
  return page('Kedai', '<form method="post" action="/carts"><button>Go shopping</button></form>')
}

/** Page with the form. The token stands in this customer's page alone. */
export function formPage(baseUrl, { order_id: order, client_token: token }) {
  return page(
    'Your basket',
    `<warung-checkout base="${escapeHtml(baseUrl)}" order="${escapeHtml(order)}" token="${escapeHtml(token)}"></warung-checkout>`,
    `<script type="module" src="${escapeHtml(baseUrl)}/checkout/warung-checkout.js"></script>`,
  )
}

/** The bank of this shop: a button. */
export function payPage(cart, { total_amount: total, currency }) {
  return page(
    'Payment',
    `<p>You pay <b id="total">${escapeHtml(currency)} ${escapeHtml(total)}</b>.</p>
<form method="post" action="/carts/${escapeHtml(cart.id)}/pay"><button>Pay</button></form>
<p><a href="/carts/${escapeHtml(cart.id)}">Back to the basket</a></p>`,
  )
}

const TEXTS = {
  completed: 'Everything is done. Thank you!',
  partially_completed: 'Some of it did not work.',
  failed: 'It did not work.',
  cancelled: 'The order was cancelled.',
  timeout: 'The order has timed out.',
}

/** Money that the customer gets back: of failed items, or all of it when the order ended before it was confirmed. */
function refundOf(order, { payment }) {
  const isUnused = order.status === 'cancelled' || order.status === 'timeout'
  return isUnused ? (payment?.amount ?? '0') : order.refund_amount
}

/** Result of an order. The page asks again by itself until the order has ended. */
export function resultPage(order, cart, problem) {
  const text = TEXTS[order.status]
  const refund = refundOf(order, cart)
  const lines = [
    `<p id="state" role="status">${escapeHtml(text ?? 'Under way…')}</p>`,
    ...(problem === undefined ? [] : [`<p class="problem" role="alert">${escapeHtml(problem)}</p>`]),
    ...order.items.flatMap((item) => item.transactions.map((unit) => unitLine(item, unit))),
    ...(Number(refund) > 0
      ? [`<p id="refund">You get ${escapeHtml(order.currency)} ${escapeHtml(refund)} back.</p>`]
      : []),
    '<p><a href="/">Back to the shop</a></p>',
  ]
  const isOpen = text === undefined
  return page('Your order', lines.join('\n'), isOpen ? '<meta http-equiv="refresh" content="2">' : '')
}

function unitLine({ product_name: name, account }, { status_name: status, sn, pin, voucherlink }) {
  const link = voucherlink?.startsWith('https://') ? ` <a href="${escapeHtml(voucherlink)}">Redeem</a>` : ''
  const parts = [name, account, status, sn && `serial number ${sn}`, pin && `PIN ${pin}`].filter(Boolean)
  return `<p>${escapeHtml(parts.join(', '))}${link}</p>`
}

export function problemPage(message) {
  return page(
    'Kedai',
    `<p class="problem" role="alert">${escapeHtml(message)}</p><p><a href="/">Back</a></p>`,
  )
}
