import { defineMessages } from '../../text/language.ts'

/** Texts about limits of payments. */
export const LIMITS = defineMessages({
  en: {
    title: 'Limits',
    about:
      'How much may be paid in a day or a month of GMT+8. The operator’s limits and your own hold together.',
    none: 'No limits',
    noneAbout: 'Your wallet alone limits what can be paid.',
    of: 'For',
    scopes: { account: 'each account', reseller: 'all payments' },
    periods: { day: 'a day', month: 'a month' },
    category: (code: string) => `of ${code}`,
    most: 'At most',
    payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
    used: 'Used',
    setBy: 'Set by',
    setters: { operator: 'the operator', reseller: 'you' },
  },
  ms: {
    title: 'Had',
    about:
      'Banyaknya yang boleh dibayar dalam sehari atau sebulan, GMT+8. Had pengendali dan had anda berkuat kuasa bersama.',
    none: 'Tiada had',
    noneAbout: 'Hanya dompet anda mengehadkan bayaran.',
    of: 'Untuk',
    scopes: { account: 'setiap akaun', reseller: 'semua bayaran' },
    periods: { day: 'sehari', month: 'sebulan' },
    category: (code: string) => `bagi ${code}`,
    most: 'Paling banyak',
    payments: (count: number) => `${count} bayaran`,
    used: 'Digunakan',
    setBy: 'Ditetapkan oleh',
    setters: { operator: 'pengendali', reseller: 'anda' },
  },
})
