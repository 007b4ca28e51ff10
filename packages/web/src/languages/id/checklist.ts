import type { PortalTexts } from '../dictionaries.ts'

export const CHECKLIST: PortalTexts['CHECKLIST'] = {
  title: 'Memulai',
  count: (done, all) => `${done} dari ${all}`,
  open: 'Siapkan',
  steps: {
    key_made: 'Buat kunci API',
    first_signed_call: 'Kirim permintaan bertanda tangan pertama',
    callback_verified: 'Terima callback',
    first_payment: 'Kirim pembayaran pertama',
    second_factor: 'Aktifkan faktor kedua Anda',
    low_balance_threshold: 'Tetapkan ambang saldo rendah',
    allowlist: 'Izinkan hanya alamat Anda sendiri',
    go_live: 'Mulai sungguhan',
  },
  why: {
    key_made: 'program menandatangani permintaannya dengan kunci',
    first_signed_call: 'menunjukkan tanda tangan Anda benar',
    callback_verified: 'penerima Anda menjawab 2xx atas kiriman bertanda tangan',
    first_payment: 'dari Jual, atau lewat API',
    second_factor: 'melindungi pembayaran jika kata sandi bocor',
    low_balance_threshold: 'memberi tahu lewat email sebelum uang habis',
    allowlist: 'kunci curian tidak berguna di tempat lain',
    go_live: 'operator membuka akun untuk pembayaran sungguhan',
  },
}
