import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

export const BLOCKS = defineMessages({
  en: {
    ...WORDS.en,
    about: 'Addresses that sent more requests than the limit. They are refused until their time is over.',
    since: (zone: string) => `Since, ${zone}`,
    until: (zone: string) => `Until, ${zone}`,
    left: (time: string) => `${time} left`,
    requests: 'Requests it had sent',
    caption: 'Blocked addresses',
    none: 'No address is blocked',
    noneAbout: 'An address appears here when it sends more requests than the limit allows.',
    lift: 'Lift',
    liftTitle: (address: string) => `Lift the block of ${address}?`,
    liftAbout: 'Its requests are taken again at once. It is blocked anew when it sends too many again.',
    keep: 'Keep the block',
    lifted: (address: string) => `The block of ${address} is lifted.`,
  },
  ms: {
    ...WORDS.ms,
    about: 'Alamat yang menghantar permintaan melebihi had. Ia ditolak sehingga masanya tamat.',
    since: (zone) => `Sejak, ${zone}`,
    until: (zone) => `Hingga, ${zone}`,
    left: (time) => `${time} lagi`,
    requests: 'Permintaan yang dihantar',
    caption: 'Alamat yang disekat',
    none: 'Tiada alamat disekat',
    noneAbout: 'Alamat muncul di sini apabila ia menghantar permintaan melebihi had.',
    lift: 'Tarik sekatan',
    liftTitle: (address) => `Tarik sekatan ${address}?`,
    liftAbout:
      'Permintaannya diterima semula serta-merta. Ia disekat semula jika menghantar terlalu banyak lagi.',
    keep: 'Kekalkan sekatan',
    lifted: (address) => `Sekatan ${address} telah ditarik.`,
  },
})
