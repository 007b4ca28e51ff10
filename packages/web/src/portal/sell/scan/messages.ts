import { defineMessages } from '../../../text/language.ts'

export const SCAN = defineMessages({
  en: {
    scan: 'Scan a bill',
    title: 'Scan a bill',
    about: 'Hold the barcode or the QR of the bill before the camera. No picture leaves this device.',
    picture: 'What the camera sees',
    close: 'Close',
    troubles: {
      camera: 'The camera cannot be used. Allow it in the browser, or type what stands on the bill.',
      unread: 'This code names no bill. Try the other one, or type what stands on the bill.',
    },
    asking: 'Asking for the biller of this code.',
    unknown: (code: string) => `No biller has the code ${code}. Find it by name.`,
  },
  ms: {
    scan: 'Imbas bil',
    title: 'Imbas bil',
    about: 'Halakan kod bar atau QR bil kepada kamera. Tiada gambar meninggalkan peranti ini.',
    picture: 'Apa yang dilihat kamera',
    close: 'Tutup',
    troubles: {
      camera:
        'Kamera tidak dapat digunakan. Benarkannya dalam pelayar, atau taip apa yang tertulis pada bil.',
      unread: 'Kod ini tidak menamakan bil. Cuba yang lain, atau taip apa yang tertulis pada bil.',
    },
    asking: 'Bertanya pengebil kod ini.',
    unknown: (code) => `Tiada pengebil dengan kod ${code}. Cari mengikut nama.`,
  },
})
