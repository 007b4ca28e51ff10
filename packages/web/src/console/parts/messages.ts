import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

/** Texts that several pages of the console use. */
export const PARTS = defineMessages({
  en: {
    ...WORDS.en,
    reason: 'Reason, for the audit log',
    reasonHint: 'Your name stands beside it.',
    clear: 'Clear the filters',
    shown: (rows: number) => `${rows} shown`,
    time: (zone: string) => `Time, ${zone}`,
    seeApproval: 'See the request',
    streams: { callback: 'Callback', catalog: 'Catalogue', balance: 'Balance', order: 'Order' },
  },
  ms: {
    ...WORDS.ms,
    reason: 'Sebab, untuk log audit',
    reasonHint: 'Nama anda tercatat di sebelahnya.',
    clear: 'Kosongkan penapis',
    shown: (rows) => `${rows} ditunjukkan`,
    time: (zone) => `Masa, ${zone}`,
    seeApproval: 'Lihat permintaan',
    streams: { callback: 'Callback', catalog: 'Katalog', balance: 'Baki', order: 'Pesanan' },
  },
})
