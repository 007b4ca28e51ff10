import { html } from '../../http/reference/html.ts'
import { renderPage } from '../../http/reference/page.ts'
import { formatSeconds } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { VOIDED } from '../payments/core/states.rules.ts'
import type { VerifiedReceipt } from './types.ts'

const ENGLISH = {
  title: 'Receipt',
  shop: 'Shop',
  number: 'Number',
  product: 'Product',
  account: 'Account',
  amount: 'Amount',
  time: 'Time',
  genuine: 'This receipt is genuine: its signature holds, and our books say the same.',
  forged: 'This receipt is not genuine: what was signed is not what our books say. Ask the shop.',
  succeeded: 'Paid, and delivered.',
  voided: 'Voided: the payment was taken back after this receipt was given.',
  none: 'There is no such receipt',
  mistyped: 'Perhaps the link was mistyped. Ask the shop that gave it to you.',
}

const MALAY: typeof ENGLISH = {
  title: 'Resit',
  shop: 'Kedai',
  number: 'Nombor',
  product: 'Produk',
  account: 'Akaun',
  amount: 'Jumlah',
  time: 'Masa',
  genuine: 'Resit ini tulen: tandatangannya sah dan rekod kami menyatakan perkara yang sama.',
  forged: 'Resit ini tidak tulen: yang ditandatangani berbeza daripada rekod kami. Tanya kedai.',
  succeeded: 'Dibayar dan dihantar.',
  voided: 'Dibatalkan: bayaran ditarik balik selepas resit ini diberi.',
  none: 'Resit ini tiada',
  mistyped: 'Mungkin pautan tersilap taip. Tanya kedai yang memberikannya.',
}

/** Chooses Malay where the browser prefers it to English. */
function wordsFor(accepted: string): { readonly lang: string; readonly words: typeof ENGLISH } {
  const first = /\b(en|ms)\b/i.exec(accepted)?.[1]?.toLowerCase()
  return first === 'ms' ? { lang: 'ms', words: MALAY } : { lang: 'en', words: ENGLISH }
}

/** Shows a receipt, without PIN, link and serial, and what is true of it now. */
export function receiptPage(
  { payment, shop, number, claims, isGenuine }: VerifiedReceipt,
  accepted: string,
): string {
  const { lang, words } = wordsFor(accepted)
  const facts: readonly (readonly [string, string])[] = [
    [words.shop, shop],
    [words.number, number],
    [words.product, payment.productName],
    [words.account, claims.account],
    [words.amount, `RM ${formatMoney(payment.faceValue)}`],
    [words.time, `${formatSeconds(payment.createdAt)} (GMT+8)`],
  ]
  return renderPage({
    lang,
    title: `${words.title} ${number}`,
    description: words.title,
    body: html`<main id="content" tabindex="-1">
<h1>${words.title} ${number}</h1>
<p><strong>${payment.code === VOIDED ? words.voided : words.succeeded}</strong></p>
<p>${isGenuine ? words.genuine : words.forged}</p>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</main>`,
  })
}

export function noReceiptPage(accepted: string): string {
  const { lang, words } = wordsFor(accepted)
  return renderPage({
    lang,
    title: words.none,
    description: words.none,
    body: html`<main id="content" tabindex="-1"><h1>${words.none}</h1><p>${words.mistyped}</p></main>`,
  })
}
