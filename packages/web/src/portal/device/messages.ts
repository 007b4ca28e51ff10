import { defineMessages } from '../../text/language.ts'

export const DEVICE = defineMessages({
  en: {
    title: 'No connection',
    about: 'Nothing can be sold now. This page goes on by itself when the service answers.',
    since: (at: string) => `Known at ${at}; it may have changed since.`,
    balance: 'Balance',
    sales: 'Sales under way',
    salesAbout:
      'Do not sell them again. When the service answers, it is asked how they ended; nothing is paid twice.',
    sentAt: (at: string) => `sent at ${at}`,
    recents: 'Your recent numbers',
    tryAgain: 'Try again',
  },
  ms: {
    title: 'Tiada sambungan',
    about:
      'Tiada apa-apa boleh dijual sekarang. Halaman ini bersambung sendiri apabila perkhidmatan menjawab.',
    since: (at) => `Diketahui pada ${at}; ia mungkin telah berubah.`,
    balance: 'Baki',
    sales: 'Jualan yang sedang berjalan',
    salesAbout:
      'Jangan jual semula. Apabila perkhidmatan menjawab, ia ditanya tentang kesudahannya; tiada apa-apa dibayar dua kali.',
    sentAt: (at) => `dihantar pada ${at}`,
    recents: 'Nombor terkini anda',
    tryAgain: 'Cuba lagi',
  },
})
