import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

export const LEVELS = defineMessages({
  en: {
    ...WORDS.en,
    about: 'Each reseller buys at one level. A product without a price at a level cannot be bought there.',
    add: 'New level',
    addTitle: 'Add a price level',
    addAbout: 'It begins without prices. Set them one by one, or import them.',
    codeHint: 'Capital letters, digits and _; it never changes',
    added: 'The level is added.',
    level: 'Level',
    prices: 'Prices',
    none: 'No price level yet',
    noneAbout: 'Resellers need a level to buy at.',
    caption: 'Price levels',
    renamed: 'The level has another name.',
    find: 'Code of a product',
    noPrice: 'No price matches',
    noPriceAbout: 'The level has no price for such a product.',
    set: 'Set a price',
    edit: (product: string) => `Set the price of ${product}`,
    setTitle: (level: string) => `Price at ${level}`,
    kind: 'How the price is made',
    percentage: 'Part of the face value',
    fixed: 'Amount off the face value',
    takeAway: 'No price: not sold at this level',
    percent: 'Per cent of the face value that is paid',
    percentHint: 'Such as 97.25',
    amount: 'Taken off the face value',
    amountHint: 'Such as 0.50',
    bad: 'Type a number with a point, such as 97.25',
    saved: 'The price is set.',
    affects: (count: number) =>
      count === 0
        ? 'No reseller buys at another price.'
        : count === 1
          ? '1 reseller buys at another price.'
          : `${count} resellers buy at another price.`,
    becomes: 'Price afterwards',
    isNone: 'none',
    shown: (shown: number, all: number) => `${shown} of ${all} prices`,
  },
  ms: {
    ...WORDS.ms,
    about:
      'Setiap penjual semula membeli pada satu tahap. Produk tanpa harga pada sesuatu tahap tidak boleh dibeli di situ.',
    add: 'Tahap baharu',
    addTitle: 'Tambah tahap harga',
    addAbout: 'Ia bermula tanpa harga. Tetapkan satu demi satu, atau import.',
    codeHint: 'Huruf besar, digit dan _; ia tidak akan berubah',
    added: 'Tahap telah ditambah.',
    level: 'Tahap',
    prices: 'Harga',
    none: 'Belum ada tahap harga',
    noneAbout: 'Penjual semula memerlukan tahap untuk membeli.',
    caption: 'Tahap harga',
    renamed: 'Tahap ini mempunyai nama lain.',
    find: 'Kod produk',
    noPrice: 'Tiada harga yang sepadan',
    noPriceAbout: 'Tahap ini tiada harga untuk produk seperti itu.',
    set: 'Tetapkan harga',
    edit: (product) => `Tetapkan harga ${product}`,
    setTitle: (level) => `Harga pada ${level}`,
    kind: 'Cara harga dibuat',
    percentage: 'Sebahagian nilai muka',
    fixed: 'Amaun ditolak daripada nilai muka',
    takeAway: 'Tiada harga: tidak dijual pada tahap ini',
    percent: 'Peratus nilai muka yang dibayar',
    percentHint: 'Seperti 97.25',
    amount: 'Ditolak daripada nilai muka',
    amountHint: 'Seperti 0.50',
    bad: 'Taip nombor dengan titik, seperti 97.25',
    saved: 'Harga telah ditetapkan.',
    affects: (count) =>
      count === 0
        ? 'Tiada penjual semula yang membeli pada harga lain.'
        : `${count} penjual semula membeli pada harga lain.`,
    becomes: 'Harga selepas itu',
    isNone: 'tiada',
    shown: (shown, all) => `${shown} daripada ${all} harga`,
  },
})
