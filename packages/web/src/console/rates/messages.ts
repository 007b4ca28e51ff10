import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

export const RATES = defineMessages({
  en: {
    ...WORDS.en,
    about:
      'What one unit of a supplier’s currency is worth in ringgit, and who said so. Wallets and prices are in ringgit.',
    currency: 'Currency',
    rate: 'Rate, MYR',
    worth: (currency: string) => `1 ${currency} in MYR`,
    since: (zone: string) => `From, ${zone}`,
    why: 'Reason',
    who: 'Asked and approved by',
    machine: 'set at the machine',
    caption: 'Rates by currency, the latest first',
    isNone: 'No rate',
    noneAbout: 'Amounts in a currency without a rate are shown as they are, without ringgit.',
    set: 'Set a rate',
    again: 'Set anew',
    setTitle: 'Set the rate of a currency?',
    setAbout:
      'Another operator approves it. Floats are shown in ringgit by it, and costs that suppliers say from then on. What was told by an earlier rate stays so.',
    currencyHint: 'ISO 4217, such as USD',
    rateHint: 'Ringgit for one unit, up to 8 decimals',
    fromHint: 'Left out: from when it is approved. A time that is over, only where the currency had no rate.',
    ask: 'Ask for the rate',
    asked: 'Another operator approves the rate.',
  },
  ms: {
    ...WORDS.ms,
    about:
      'Nilai satu unit mata wang pembekal dalam ringgit, dan siapa yang menetapkannya. Dompet dan harga adalah dalam ringgit.',
    currency: 'Mata wang',
    rate: 'Kadar, MYR',
    worth: (currency) => `1 ${currency} dalam MYR`,
    since: (zone) => `Mulai, ${zone}`,
    why: 'Sebab',
    who: 'Diminta dan diluluskan oleh',
    machine: 'ditetapkan pada pelayan',
    caption: 'Kadar mengikut mata wang, yang terbaharu dahulu',
    isNone: 'Tiada kadar',
    noneAbout: 'Amaun dalam mata wang tanpa kadar ditunjukkan seadanya, tanpa ringgit.',
    set: 'Tetapkan kadar',
    again: 'Tetapkan semula',
    setTitle: 'Tetapkan kadar mata wang?',
    setAbout:
      'Pengendali lain meluluskannya. Baki di pembekal dan kos yang dinyatakan pembekal selepas itu ditunjukkan dalam ringgit mengikutnya. Yang sudah dikira dengan kadar lama kekal.',
    currencyHint: 'ISO 4217, seperti USD',
    rateHint: 'Ringgit bagi satu unit, hingga 8 tempat perpuluhan',
    fromHint:
      'Jika kosong: mulai apabila diluluskan. Masa yang sudah lalu hanya jika mata wang itu belum ada kadar.',
    ask: 'Minta kadar ini',
    asked: 'Pengendali lain meluluskan kadar itu.',
  },
})
