import type { Problem } from '../api/problem.ts'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import { unitsOf } from '../rules/basket.ts'
import type { Checkout } from '../state/checkout.ts'
import type { Texts } from '../text/messages.ts'
import { moneyText } from '../text/money.ts'
import { openText } from '../text/times.ts'
import { afterView } from './after.ts'
import { basketView } from './basket.ts'
import type { FrameOptions } from './options.ts'
import { button, icon, shape, title } from './parts.ts'
import { productView } from './product.ts'
import { shopView } from './shop.ts'

/** Name of the screen. The focus moves when it changes. */
export function screenOf(checkout: Checkout): string {
  const { order, view, trouble } = checkout.state()
  if (trouble !== undefined) return `trouble ${trouble.code}`
  if (order === undefined) return 'loading'
  if (order.status !== 'draft') return order.status
  return view.name === 'product' ? `product ${view.code}` : view.name
}

/** The whole checkout as it is now. */
export function frameView(checkout: Checkout, options: FrameOptions): Node {
  const { language, trouble, order, busy } = checkout.state()
  const isLoading =
    trouble === undefined && (order === undefined || (order.status === 'draft' && busy === 'loading'))
  return h(
    'div',
    { class: 'checkout', lang: language, 'aria-busy': isLoading ? 'true' : undefined },
    header(checkout),
    notices(checkout),
    trouble !== undefined
      ? troubleView(checkout, trouble, options)
      : isLoading
        ? bones(checkout)
        : body(checkout, options),
  )
}

function header(checkout: Checkout): Node {
  const { order, leftMs, language } = checkout.state()
  const text = checkout.text()
  const isOpen = order !== undefined && (order.status === 'draft' || order.status === 'awaiting_payment')
  return h(
    'header',
    { class: 'top' },
    h(
      'div',
      {},
      h('b', { class: 'merchant' }, order?.merchant.name ?? ''),
      isOpen && h('span', { class: 'sub small left' }, icon('clock'), openText(leftMs, text)),
    ),
    button(
      {
        class: 'small',
        lang: language === 'en' ? 'ms' : 'en',
        onclick: () => checkout.setLanguage(language === 'en' ? 'ms' : 'en'),
      },
      text.otherLanguage,
    ),
  )
}

/** Messages about the last action. The places exist always, so that a reader hears what comes into them. */
function notices(checkout: Checkout): Child {
  const { notice, failure } = checkout.state()
  const text = checkout.text()
  const close = () =>
    button({ class: 'bare', 'aria-label': text.close, onclick: checkout.closeNotice }, icon('close'))
  return [
    h(
      'div',
      { class: 'notices', role: 'status', key: 'notices' },
      notice !== undefined &&
        h('div', { class: `note ${notice.tone}` }, shape(notice.tone), h('div', {}, notice.text), close()),
    ),
    h(
      'div',
      { class: 'notices', role: 'alert', key: 'failures' },
      failure !== undefined &&
        h(
          'div',
          { class: 'note bad' },
          shape('bad'),
          h(
            'div',
            {},
            h('p', {}, problemText(failure.problem, text)),
            button({ class: 'small', onclick: failure.retry }, text.retry),
          ),
          close(),
        ),
    ),
  ]
}

/** Says what a problem means for the customer. The service's own sentence is for its developers. */
export function problemText({ status, code, lines, isUncertain }: Problem, text: Texts): string {
  if (status === 0) return text.offline
  if (code === 'too_many_changes') return text.changedTooOften
  if (code === 'shop_closed') return text.shopClosed
  if (lines.length > 0) return text.linesRefused(lines.join(', '))
  if (status === 429) return text.tooOften
  if (status === 422 || status === 400) return text.refused
  return isUncertain ? text.busy : text.unexpected
}

function troubleView(checkout: Checkout, problem: Problem, { level, origin }: FrameOptions): Node {
  const text = checkout.text()
  const isRefused = problem.code === 'origin_not_allowed'
  const isGone = problem.status === 404 || problem.status === 401 || problem.status === 400
  const heading = isRefused ? text.refusedTitle : isGone ? text.notFoundTitle : text.unexpected
  const about = isRefused
    ? text.refusedAbout(origin)
    : isGone
      ? text.notFoundAbout
      : problem.status === 0
        ? text.offlineStart
        : problemText(problem, text)
  return h(
    'div',
    { class: 'panel outcome', role: 'alert', key: 'trouble' },
    shape(isGone ? 'off' : 'bad'),
    title(level, problem.status === 0 ? text.offlineStart : heading),
    problem.status !== 0 && h('p', { class: 'mid' }, about),
    problem.requestId !== undefined && h('p', { class: 'sub small mono' }, text.requestId(problem.requestId)),
    !isRefused && !isGone && button({ class: 'primary', onclick: () => void checkout.load() }, text.retry),
  )
}

function bones(checkout: Checkout): Node {
  return h(
    'div',
    { class: 'panel', key: 'bones' },
    h('p', { class: 'visually', role: 'status' }, checkout.text().loading),
    ...[1, 2, 3, 4].map((each) => h('div', { class: 'bones', key: String(each) })),
  )
}

function body(checkout: Checkout, options: FrameOptions): Node {
  const { order, view } = checkout.state()
  const { level } = options
  if (order === undefined) return bones(checkout)
  if (order.status !== 'draft') {
    return h('div', { class: 'panel narrow', key: order.status }, afterView(checkout, options))
  }
  if (view.name === 'basket' || (order.is_fixed && view.name === 'shop')) {
    return h('div', { class: 'panel narrow', key: 'basket' }, basketView(checkout, options, 'screen'))
  }
  const isShop = view.name === 'shop'
  return h(
    'div',
    { class: order.is_fixed ? 'narrow' : 'sides', key: isShop ? 'shop' : `product ${view.code}` },
    h(
      'div',
      { class: 'panel' },
      isShop ? shopView(checkout, options) : productView(checkout, level, options.focusOn),
    ),
    !order.is_fixed && h('div', { class: 'panel side' }, basketView(checkout, options, 'aside')),
    !order.is_fixed && isShop && bar(checkout),
  )
}

/** Bar at the bottom of narrow screens that leads to the basket. */
function bar(checkout: Checkout): Node | false {
  const { order } = checkout.state()
  const text = checkout.text()
  if (order === undefined || order.items.length === 0) return false
  return h(
    'div',
    { class: 'bar' },
    h('span', {}, h('small', {}, text.basketOf(unitsOf(order))), h('b', {}, moneyText(order.total_amount))),
    button(
      { class: 'primary', onclick: () => checkout.go({ name: 'basket' }) },
      icon('basket'),
      text.viewBasket,
    ),
  )
}
