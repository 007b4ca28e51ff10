import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

/** Texts of the checkout's settings. */
export const SETTINGS = defineMessages({
  en: {
    ...WORDS.en,
    about: 'How the checkout looks to your customers, and which of your sites may show it',
    displayName: 'Name that customers see',
    displayNameHint: 'At the head of the checkout.',
    look: 'Look',
    lookAbout:
      'These values become properties of the form on the hosted page and on your own site. Colours that you leave unchanged follow the look of the checkout, in light and dark.',
    accent: 'Accent',
    background: 'Background',
    surface: 'Surface',
    ink: 'Text',
    pick: (name: string) => `Pick a colour: ${name}`,
    radius: 'Corners',
    radiusHint: '0 to 24 pixels.',
    font: 'Font',
    fonts: { system: 'System', serif: 'Serif', rounded: 'Rounded', mono: 'Monospaced' },
    pale: (name: string, ratio: string) =>
      `${name} is hard to read: the contrast is ${ratio}, and 4.5 is the least. The checkout uses its own colour instead.`,
    previewAbout: 'With the values as they are typed',
    previewOf: (name: string) => `Preview of the checkout of ${name}`,
    sampleProduct: 'Nova reload 10',
    sampleAccount: '60123456789',
    samplePrice: 'RM 10.00',
    pay: 'Continue to payment',
    origins: 'Sites that may show it',
    originsLabel: 'Origins, one in each line',
    originsHint:
      'Scheme and host, such as https://shop.example. At most 20. Other sites can neither frame the checkout nor use its form.',
    originsHintStaging:
      'Scheme and host, such as https://shop.example or http://localhost:8080. At most 20. Other sites can neither frame the checkout nor use its form.',
    loss: 'Cost above price',
    acceptsLoss: 'Confirm orders that cost more than their price',
    lossOff:
      'Prices are locked when an item enters the basket. If its cost rises above the price before you confirm, the confirmation is refused, and you decide.',
    lossOn:
      'A cost that rises above the locked price is paid from your wallet without a question: you lose the difference on each such item.',
    events: 'Events',
    eventsAbout: 'The order webhook tells your server how each order ended.',
    toWebhook: 'To the order webhook',
    saved: 'The settings are saved.',
  },
  ms: {
    ...WORDS.ms,
    about: 'Rupa halaman bayaran kepada pelanggan anda, dan laman anda yang boleh menunjukkannya',
    displayName: 'Nama yang pelanggan lihat',
    displayNameHint: 'Di kepala halaman bayaran.',
    look: 'Rupa',
    lookAbout:
      'Nilai ini menjadi sifat borang di halaman kami dan di laman anda sendiri. Warna yang tidak diubah mengikut rupa halaman bayaran, cerah dan gelap.',
    accent: 'Aksen',
    background: 'Latar',
    surface: 'Permukaan',
    ink: 'Teks',
    pick: (name) => `Pilih warna: ${name}`,
    radius: 'Bucu',
    radiusHint: '0 hingga 24 piksel.',
    font: 'Fon',
    fonts: { system: 'Sistem', serif: 'Serif', rounded: 'Bulat', mono: 'Selebar' },
    pale: (name, ratio) =>
      `${name} sukar dibaca: kontrasnya ${ratio}, sedangkan 4.5 ialah had terendah. Halaman bayaran menggunakan warnanya sendiri.`,
    previewAbout: 'Dengan nilai seperti yang ditaip',
    previewOf: (name) => `Pratonton halaman bayaran ${name}`,
    sampleProduct: 'Tambah nilai Nova 10',
    sampleAccount: '60123456789',
    samplePrice: 'RM 10.00',
    pay: 'Teruskan ke bayaran',
    origins: 'Laman yang boleh menunjukkannya',
    originsLabel: 'Asal, satu setiap baris',
    originsHint:
      'Skema dan hos, seperti https://shop.example. Paling banyak 20. Laman lain tidak boleh membingkai halaman bayaran atau menggunakan borangnya.',
    originsHintStaging:
      'Skema dan hos, seperti https://shop.example atau http://localhost:8080. Paling banyak 20. Laman lain tidak boleh membingkai halaman bayaran atau menggunakan borangnya.',
    loss: 'Kos melebihi harga',
    acceptsLoss: 'Sahkan pesanan yang kosnya melebihi harga',
    lossOff:
      'Harga dikunci apabila item masuk ke bakul. Jika kosnya naik melebihi harga sebelum anda mengesahkan, pengesahan ditolak, dan anda memutuskan.',
    lossOn:
      'Kos yang naik melebihi harga terkunci dibayar daripada dompet anda tanpa ditanya: anda rugi bezanya bagi setiap item itu.',
    events: 'Peristiwa',
    eventsAbout: 'Webhook pesanan memberitahu pelayan anda bagaimana setiap pesanan berakhir.',
    toWebhook: 'Ke webhook pesanan',
    saved: 'Tetapan disimpan.',
  },
})
