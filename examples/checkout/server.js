// A shop with the hosted checkout: makes an order, shows its form, takes a pretended payment, confirms, shows the result.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Conflict, createClient, WarungError } from '@warung/sdk'
import { readCredentials } from '../credentials.js'
import { CART_ID, openCarts } from './carts.js'
import { formPage, payPage, problemPage, resultPage, STYLE, startPage } from './pages.js'

const { PORT = '8081', SHOP_PRODUCTS = 'NOVA,KITA,NOVAD,PINTEN', SHOP_DATA } = process.env

const credentials = readCredentials()
const client = createClient(credentials)
const carts = openCarts(SHOP_DATA ?? fileURLToPath(new URL('./carts', import.meta.url)))
/** Address of this shop, known once it listens. */
let shopUrl = ''

/** Makes the order of a cart, or finds it again: the cart's id is its reference. */
async function orderOf(cart) {
  const { data } = await client.createOrder({
    reference: cart.id,
    user_id: cart.id,
    return_url: `${shopUrl}/carts/${cart.id}/pay`,
    products: SHOP_PRODUCTS.split(','),
  })
  return data
}

async function showForm(cart) {
  const order = await orderOf(cart)
  if (order.status !== 'draft' && order.status !== 'awaiting_payment') {
    return { status: 303, location: `/carts/${cart.id}/result` }
  }
  return { status: 200, html: formPage(credentials.baseUrl, order) }
}

/** The customer comes back here. Nothing in the address is believed: the service says how the order stands. */
async function showPayment(cart) {
  const order = await orderOf(cart)
  if (order.status === 'draft') return { status: 303, location: `/carts/${cart.id}` }
  if (order.status !== 'awaiting_payment' || cart.payment !== undefined) {
    return { status: 303, location: `/carts/${cart.id}/result` }
  }
  return { status: 200, html: payPage(cart, order) }
}

/** Takes the money, which this shop only pretends. It is written down before the order is confirmed. */
async function takePayment(cart) {
  const order = await orderOf(cart)
  if (order.status !== 'awaiting_payment') return { status: 303, location: `/carts/${cart.id}` }
  // Read again and written without a pause in between: a double click is one payment.
  const current = carts.find(cart.id)
  if (current.payment === undefined) {
    carts.save({ ...current, payment: { id: randomUUID(), amount: order.total_amount } })
  }
  return { status: 303, location: `/carts/${cart.id}/result` }
}

/** Confirms an order whose money is there, as often as it takes, and shows how it stands. */
async function showResult(cart) {
  const order = await orderOf(cart)
  if (order.status === 'draft') return { status: 303, location: `/carts/${cart.id}` }
  if (order.status !== 'awaiting_payment') return { status: 200, html: resultPage(order, cart) }
  if (cart.payment === undefined) return { status: 303, location: `/carts/${cart.id}/pay` }
  try {
    const { data } = await client.confirmOrder({
      order_id: order.order_id,
      payment_reference: cart.payment.id,
      total_amount: cart.payment.amount,
    })
    return { status: 200, html: resultPage(data, cart) }
  } catch (error) {
    // Refused: the order stays as it is, and a person decides. The customer's money is written down. The reason may
    // speak of the shop's own wallet and costs: it is for the shop, and never for its customers.
    if (error instanceof Conflict) {
      console.error(`The order of cart ${cart.id} is paid for, and cannot be confirmed: ${error.message}`)
      return {
        status: 200,
        html: resultPage(order, cart, 'We have your payment, and look after your order.'),
      }
    }
    // Nobody knows yet: the next look sends the same confirmation again, and it confirms once.
    if (error instanceof WarungError) return { status: 200, html: resultPage(order, cart) }
    throw error
  }
}

const ROOMS = {
  'GET ': showForm,
  'GET pay': showPayment,
  'POST pay': takePayment,
  'GET result': showResult,
}

async function answer(request) {
  const { pathname } = new URL(request.url, 'http://shop')
  const [, first, id = '', room = ''] = pathname.split('/')
  if (request.method === 'GET' && pathname === '/') return { status: 200, html: startPage() }
  if (request.method === 'GET' && pathname === '/style.css') return { status: 200, css: STYLE }
  if (request.method === 'POST' && pathname === '/carts') {
    return { status: 303, location: `/carts/${carts.create().id}` }
  }
  const cart = first === 'carts' && CART_ID.test(id) ? carts.find(id) : undefined
  const show = ROOMS[`${request.method} ${room}`]
  if (cart === undefined || show === undefined)
    return { status: 404, html: problemPage('There is no such page.') }
  return show(cart)
}

/** Everything that the form needs is allowed by name; nothing else is. */
function policy() {
  const { origin } = new URL(credentials.baseUrl)
  return [
    "default-src 'none'",
    `script-src ${origin}`,
    `connect-src ${origin}`,
    `img-src ${origin}`,
    "style-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const server = createServer(async (request, response) => {
  const { status, html, css, location } = await answer(request).catch((error) => {
    console.error(error)
    return { status: 500, html: problemPage('This does not work now. Please try again.') }
  })
  response.writeHead(status, {
    'Content-Type': css === undefined ? 'text/html; charset=utf-8' : 'text/css; charset=utf-8',
    'Content-Security-Policy': policy(),
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    ...(location !== undefined && { Location: location }),
  })
  response.end(css ?? html ?? '')
})

/** Lets the form run on this shop's pages. A real shop sets its origin once, in the portal. */
async function allowThisShop() {
  const { data: settings } = await client.getCheckoutSettings()
  if (settings.allowed_origins.includes(shopUrl)) return
  await client.putCheckoutSettings({
    ...settings,
    allowed_origins: [...settings.allowed_origins, shopUrl],
  })
}

server.listen(Number(PORT), '127.0.0.1', async () => {
  shopUrl = `http://127.0.0.1:${server.address().port}`
  await allowThisShop()
  console.log(`The shop is open at ${shopUrl}`)
})
