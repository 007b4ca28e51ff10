// Pages of the shop. All texts of the catalogue are escaped.

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
${head}
<style>
  body { font: 1rem/1.5 system-ui; max-width: 32rem; margin: 2rem auto; padding: 0 1rem }
  label, button { display: block; margin-top: 1rem }
  input, select { font: inherit; padding: .4rem; width: 100%; box-sizing: border-box }
  button { font: inherit; padding: .5rem 1.5rem }
  .problem { color: #a00 }
</style>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</html>
`
}

export function listPage(products) {
  const items = products.map(
    ({ code, name }) => `<li><a href="/products/${encodeURIComponent(code)}">${escapeHtml(name)}</a></li>`,
  )
  return page('Kedai', `<ul>${items.join('\n')}</ul>`)
}

/** Form of a product, drawn from its fields. The hidden order id makes every repetition the same order. */
export function formPage(product, options, orderId, { values = {}, problems = [] } = {}) {
  const fields = product.fields
    .toSorted((a, b) => a.order - b.order)
    .map((field) => renderField(field, options[field.id] ?? [], values[field.id] ?? ''))
  const account =
    product.fulfillment.account.from_field === null
      ? [`<label>Mobile number for the receipt <input name="account" required inputmode="tel"></label>`]
      : []
  const texts = problems.map(({ message }) => `<p class="problem" role="alert">${escapeHtml(message)}</p>`)
  return page(
    product.name,
    `${texts.join('\n')}
<form method="post" action="/orders">
<input type="hidden" name="order" value="${escapeHtml(orderId)}">
<input type="hidden" name="product" value="${escapeHtml(product.code)}">
${[...fields, ...account].join('\n')}
<button>Buy</button>
</form>`,
  )
}

function renderField(field, options, value) {
  const name = `name="field.${escapeHtml(field.id)}"${field.required ? ' required' : ''}`
  if (field.type === 'select') {
    const choices = options.map(
      ({ code, label, price }) =>
        `<option value="${escapeHtml(code)}"${code === value ? ' selected' : ''}>${escapeHtml(label)}${
          price === undefined ? '' : ` (${escapeHtml(price.currency)} ${escapeHtml(price.amount)})`
        }</option>`,
    )
    return `<label>${escapeHtml(field.label)} <select ${name}>${choices.join('')}</select></label>`
  }
  const mode = `inputmode="${escapeHtml(field.input_mode)}" placeholder="${escapeHtml(field.placeholder)}"`
  return `<label>${escapeHtml(field.label)} <input ${name} ${mode} value="${escapeHtml(value)}"></label>`
}

const TEXTS = {
  Succesful: 'Paid. Thank you!',
  Failed: 'It did not work, and costs you nothing.',
  Rejected: 'It was refused, and costs you nothing.',
}

/** State of an order. The page asks again by itself until the payment has an end. */
export function orderPage({ id, productName, state, sn, pin, voucherlink, reason }) {
  const isOpen = TEXTS[state] === undefined
  const lines = [
    `<p id="state" role="status">${escapeHtml(TEXTS[state] ?? 'Under way…')}</p>`,
    ...(reason ? [`<p class="problem">${escapeHtml(reason)}</p>`] : []),
    ...(sn ? [`<p>Serial number ${escapeHtml(sn)}</p>`] : []),
    ...(pin ? [`<p>PIN ${escapeHtml(pin)}</p>`] : []),
    ...(voucherlink?.startsWith('https://')
      ? [`<p><a href="${escapeHtml(voucherlink)}">Redeem</a></p>`]
      : []),
    `<p>Order ${escapeHtml(id)}</p>`,
  ]
  return page(productName, lines.join('\n'), isOpen ? '<meta http-equiv="refresh" content="2">' : '')
}

export function problemPage(message) {
  return page(
    'Kedai',
    `<p class="problem" role="alert">${escapeHtml(message)}</p><p><a href="/">Back</a></p>`,
  )
}
