import { defineMessages } from '../../text/language.ts'

/** Texts that several pages of the console use. */
export const PARTS = defineMessages({
  en: {
    reason: 'Reason, for the audit log',
    reasonHint: 'Your name stands beside it.',
    from: 'From',
    to: 'To',
    all: 'All',
    clear: 'Clear the filters',
    shown: (rows: number) => `${rows} shown`,
    account: 'Account',
    amount: 'Amount',
    amountMyr: 'Amount, MYR',
    state: 'State',
    time: (zone: string) => `Time, ${zone}`,
    seeApproval: 'See the request',
    streams: { callback: 'Callback', catalog: 'Catalogue', balance: 'Balance', order: 'Order' },
    never: 'never',
  },
  ms: {
    reason: 'Sebab, untuk log audit',
    reasonHint: 'Nama anda tercatat di sebelahnya.',
    from: 'Dari',
    to: 'Hingga',
    all: 'Semua',
    clear: 'Kosongkan penapis',
    shown: (rows) => `${rows} ditunjukkan`,
    account: 'Akaun',
    amount: 'Amaun',
    amountMyr: 'Amaun, MYR',
    state: 'Keadaan',
    time: (zone) => `Masa, ${zone}`,
    seeApproval: 'Lihat permintaan',
    streams: { callback: 'Callback', catalog: 'Katalog', balance: 'Baki', order: 'Pesanan' },
    never: 'tidak pernah',
  },
})
