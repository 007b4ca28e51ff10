import type { ItemStatus, Order, OrderItem, UnitResult } from '../api/wire.ts'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import type { Checkout } from '../state/checkout.ts'
import { moneyText } from '../text/money.ts'
import { dayText } from '../text/times.ts'
import { cancelPart, lineHead, totalRow } from './basket.ts'
import type { FrameOptions } from './options.ts'
import type { Tone } from './parts.ts'
import { button, icon, shape, title } from './parts.ts'

/** Screens after the basket was submitted: pay, wait, progress, result. */
export function afterView(checkout: Checkout, options: FrameOptions): Child {
  const { order } = checkout.state()
  if (order === undefined) return null
  if (order.status === 'awaiting_payment') return payScreen(checkout, order, options)
  return [
    outcome(checkout, order, options.level),
    lines(checkout, order),
    totalRow(checkout, order),
    results(checkout, order),
    order.status !== 'confirmed' && goBack(checkout, order),
  ]
}

function payScreen(checkout: Checkout, order: Order, { level, pay, focusOn }: FrameOptions): Child {
  const text = checkout.text()
  const { hasGoneToPay } = checkout.state()
  const merchant = order.merchant.name
  const url = safeUrl(order.continue_url)
  return [
    h(
      'div',
      { class: 'outcome' },
      hasGoneToPay && shape('wait'),
      title(level, hasGoneToPay ? text.waitTitle : text.payTitle),
      h(
        'p',
        { class: 'mid', role: 'status' },
        hasGoneToPay ? text.waitAbout(merchant) : text.payAbout(merchant),
      ),
    ),
    lines(checkout, order),
    totalRow(checkout, order),
    url !== undefined &&
      h(
        'a',
        { class: hasGoneToPay ? 'btn wide' : 'btn primary wide', href: url, target: '_top', onclick: pay },
        hasGoneToPay ? text.payAgain : text.payAmount(moneyText(order.total_amount)),
      ),
    cancelPart(checkout, true, focusOn),
  ]
}

/** Address of the shop. Only web addresses become links: the address is data of somebody else. */
export function safeUrl(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) ? url : undefined
}

const OUTCOME_TONES: Readonly<Record<Order['status'], Tone>> = {
  draft: 'off',
  awaiting_payment: 'wait',
  confirmed: 'wait',
  completed: 'ok',
  partially_completed: 'wait',
  failed: 'bad',
  cancelled: 'off',
  timeout: 'off',
}

function outcome(checkout: Checkout, order: Order, level: 1 | 2): Node {
  const text = checkout.text()
  const refund = text.refundAbout(moneyText(order.refund_amount), order.merchant.name)
  const words: Readonly<Record<Order['status'], readonly [string, string]>> = {
    draft: [text.loading, ''],
    awaiting_payment: [text.waitTitle, ''],
    confirmed: [text.progressTitle, text.progressAbout],
    completed: [text.completedTitle, text.completedAbout],
    partially_completed: [text.partialTitle, refund],
    failed: [text.failedTitle, refund],
    cancelled: [text.cancelledTitle, text.cancelledAbout],
    timeout: [text.timeoutTitle, text.timeoutAbout],
  }
  const [heading, about] = words[order.status]
  return h(
    'div',
    { class: 'outcome' },
    shape(OUTCOME_TONES[order.status]),
    title(level, heading),
    h('p', { class: 'mid', role: 'status' }, about),
  )
}

const ITEM_TONES: Readonly<Record<ItemStatus, Tone>> = {
  pending: 'off',
  processing: 'wait',
  succeeded: 'ok',
  partially_succeeded: 'wait',
  failed: 'bad',
}

function lines(checkout: Checkout, order: Order): Node {
  const { results: shown } = checkout.state()
  return h(
    'ul',
    { class: 'lines' },
    order.items.map((item) =>
      h(
        'li',
        { key: String(item.line), class: 'line' },
        h('div', { class: 'line-head' }, lineHead(checkout, item)),
        hasState(order) && state(checkout, item),
        shown?.filter(({ line }) => line === item.line).map((result) => unit(checkout, item, result)),
      ),
    ),
  )
}

function hasState({ status }: Order): boolean {
  return status !== 'awaiting_payment' && status !== 'cancelled' && status !== 'timeout'
}

function state(checkout: Checkout, { status }: OrderItem): Node {
  const tone = ITEM_TONES[status]
  return h('span', { class: `state ${tone}` }, shape(tone), checkout.text().states[status])
}

/** PINs and links are shown when somebody asks, because others may see the screen. */
function results(checkout: Checkout, order: Order): Child {
  const { results: shown, busy } = checkout.state()
  const text = checkout.text()
  const hasResults = order.show_results && order.items.some(({ status }) => status.endsWith('succeeded'))
  if (!hasResults) return null
  if (shown !== undefined) {
    return [
      shown.every((each) => isEmpty(each)) && h('p', { class: 'sub' }, text.noResults),
      button({ class: 'wide', onclick: checkout.hideResults }, text.hideResults),
    ]
  }
  return button(
    {
      class: 'wide',
      'aria-disabled': busy === undefined ? undefined : 'true',
      onclick: () => void checkout.showResults(),
    },
    text.showResults,
  )
}

function isEmpty({ pin, sn, voucherlink }: UnitResult): boolean {
  return pin === '' && sn === '' && voucherlink === ''
}

function unit(checkout: Checkout, item: OrderItem, result: UnitResult): Node | false {
  if (isEmpty(result)) return false
  const text = checkout.text()
  const link = safeUrl(result.voucherlink)
  const copy = () => {
    // A page without this right leaves the PIN to be read.
    void navigator.clipboard?.writeText(result.pin).then(
      () => checkout.say('ok', text.copied),
      () => undefined,
    )
  }
  return h(
    'dl',
    { class: 'slip', key: `${item.line}-${result.number}` },
    result.pin !== '' && [
      h('dt', {}, text.pin),
      h(
        'dd',
        {},
        h('span', { class: 'pin' }, result.pin),
        button({ class: 'bare', 'aria-label': `${text.copy} ${result.pin}`, onclick: copy }, icon('copy')),
      ),
    ],
    result.sn !== '' && [h('dt', {}, text.serial), h('dd', { class: 'mono' }, result.sn)],
    result.expiry !== '' && [
      h('dt', {}, text.expires),
      h('dd', {}, dayText(result.expiry, checkout.state().language)),
    ],
    link !== undefined && [
      h('dt', {}, ''),
      h(
        'dd',
        {},
        h('a', { class: 'link', href: link, target: '_blank', rel: 'noopener noreferrer' }, text.openLink),
      ),
    ],
  )
}

function goBack(checkout: Checkout, order: Order): Node | false {
  const url = safeUrl(order.continue_url)
  if (url === undefined) return false
  return h(
    'a',
    { class: 'btn primary wide', href: url, target: '_top' },
    checkout.text().backToShop(order.merchant.name),
  )
}
