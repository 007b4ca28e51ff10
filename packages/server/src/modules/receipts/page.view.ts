import { html } from '../../http/reference/html.ts'
import { renderPage } from '../../http/reference/page.ts'
import { formatSeconds } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { preferredLanguage } from '../../lib/text/languages.ts'
import { VOIDED } from '../payments/core/states.rules.ts'
import type { VerifiedReceipt } from './types.ts'

const ENGLISH = {
  title: 'Receipt',
  shop: 'Shop',
  address: 'Address',
  registration: 'Registration number',
  number: 'Number',
  product: 'Product',
  account: 'Account',
  amount: 'Amount',
  time: 'Time',
  use: 'How to use it',
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
  address: 'Alamat',
  registration: 'Nombor pendaftaran',
  number: 'Nombor',
  product: 'Produk',
  account: 'Akaun',
  amount: 'Jumlah',
  time: 'Masa',
  use: 'Cara guna',
  genuine: 'Resit ini tulen: tandatangannya sah dan rekod kami menyatakan perkara yang sama.',
  forged: 'Resit ini tidak tulen: yang ditandatangani berbeza daripada rekod kami. Tanya kedai.',
  succeeded: 'Dibayar dan dihantar.',
  voided: 'Dibatalkan: bayaran ditarik balik selepas resit ini diberi.',
  none: 'Resit ini tiada',
  mistyped: 'Mungkin pautan tersilap taip. Tanya kedai yang memberikannya.',
}

const INDONESIAN: typeof ENGLISH = {
  title: 'Struk',
  shop: 'Toko',
  address: 'Alamat',
  registration: 'Nomor pendaftaran',
  number: 'Nomor',
  product: 'Produk',
  account: 'Akun',
  amount: 'Jumlah',
  time: 'Waktu',
  use: 'Cara pakai',
  genuine: 'Struk ini asli: tanda tangannya sah, dan catatan kami menyatakan hal yang sama.',
  forged: 'Struk ini tidak asli: yang ditandatangani berbeda dari catatan kami. Tanyakan ke toko.',
  succeeded: 'Sudah dibayar dan dikirim.',
  voided: 'Dibatalkan: pembayaran ditarik kembali setelah struk ini diberikan.',
  none: 'Struk ini tidak ada',
  mistyped: 'Mungkin tautannya salah ketik. Tanyakan ke toko yang memberikannya.',
}

const CHINESE: typeof ENGLISH = {
  title: '收据',
  shop: '商店',
  address: '地址',
  registration: '注册号',
  number: '编号',
  product: '产品',
  account: '账户',
  amount: '金额',
  time: '时间',
  use: '使用方法',
  genuine: '此收据真实有效：签名正确，与我们的记录一致。',
  forged: '此收据不真实：签署的内容与我们的记录不符。请询问商店。',
  succeeded: '已付款并交付。',
  voided: '已作废：开出此收据后，付款已被撤回。',
  none: '没有此收据',
  mistyped: '链接可能输入有误。请询问给您链接的商店。',
}

const TAMIL: typeof ENGLISH = {
  title: 'ரசீது',
  shop: 'கடை',
  address: 'முகவரி',
  registration: 'பதிவு எண்',
  number: 'எண்',
  product: 'பொருள்',
  account: 'கணக்கு',
  amount: 'தொகை',
  time: 'நேரம்',
  use: 'பயன்படுத்தும் முறை',
  genuine: 'இந்த ரசீது உண்மையானது: கையொப்பம் சரியானது, எங்கள் பதிவேடும் இதையே கூறுகிறது.',
  forged: 'இந்த ரசீது உண்மையானதல்ல: கையொப்பமிட்டது எங்கள் பதிவேட்டுடன் பொருந்தவில்லை. கடையைக் கேட்கவும்.',
  succeeded: 'செலுத்தப்பட்டு வழங்கப்பட்டது.',
  voided: 'ரத்து செய்யப்பட்டது: இந்த ரசீது கொடுத்த பின் கட்டணம் திரும்பப் பெறப்பட்டது.',
  none: 'அத்தகைய ரசீது இல்லை',
  mistyped: 'இணைப்பில் தட்டச்சுப் பிழை இருக்கலாம். அதைக் கொடுத்த கடையைக் கேட்கவும்.',
}

const OTHERS = { ms: MALAY, id: INDONESIAN, zh: CHINESE, ta: TAMIL }

/** Chooses the language that the browser prefers. */
function wordsFor(accepted: string): { readonly lang: string; readonly words: typeof ENGLISH } {
  const lang = preferredLanguage(accepted, ['ms', 'id', 'zh', 'ta'])
  return lang === undefined ? { lang: 'en', words: ENGLISH } : { lang, words: OTHERS[lang] }
}

/** Shows a receipt, without PIN, link and serial, and what is true of it now. */
export function receiptPage(
  { payment, shop, number, claims, header, isGenuine }: VerifiedReceipt,
  redemption: string | null,
  accepted: string,
): string {
  const { lang, words } = wordsFor(accepted)
  const known: readonly (readonly [string, string])[] = [
    [words.shop, header.name || shop],
    [words.address, header.address],
    [words.registration, header.registrationNumber],
    [words.number, number],
    [words.product, payment.productName],
    [words.account, claims.account],
    [words.amount, `RM ${formatMoney(payment.faceValue)}`],
    [words.time, `${formatSeconds(payment.createdAt)} (GMT+8)`],
    ...(redemption === null || payment.code === VOIDED ? [] : [[words.use, redemption] as const]),
  ]
  const facts = known.filter(([, value]) => value !== '')
  const logo = header.logo?.toString('base64')
  return renderPage({
    lang,
    title: `${words.title} ${number}`,
    description: words.title,
    body: html`<main id="content" tabindex="-1">
${logo === undefined ? '' : html`<p><img src="data:image/png;base64,${logo}" alt=""></p>`}
<h1>${words.title} ${number}</h1>
<p><strong>${payment.code === VOIDED ? words.voided : words.succeeded}</strong></p>
<p>${isGenuine ? words.genuine : words.forged}</p>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${header.footer === '' ? '' : html`<p>${header.footer}</p>`}
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
