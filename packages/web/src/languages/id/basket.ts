import type { PortalTexts } from '../dictionaries.ts'

export const BASKET: PortalTexts['BASKET'] = {
  title: 'Keranjang',
  add: 'Masukkan ke keranjang',
  full: (most) => `Keranjang paling banyak ${most} baris. Bayar dahulu.`,
  sameTitle: 'Masukkan yang sama dua kali?',
  sameAbout: 'Produk dan nominal yang sama untuk akun ini sudah ada di keranjang.',
  addAnyway: 'Masukkan lagi',
  keepOne: 'Cukup satu',
  goesOn: (lines) => `Sebuah keranjang masih berjalan: ${lines}.`,
  lines: (count) => `${count} baris`,
  open: 'Buka keranjang',
  remove: (name) => `Keluarkan ${name}`,
  empty: 'Kosongkan keranjang',
  asking: 'Menanyakan harga',
  refused: 'Keluarkan: akan ditolak.',
  total: 'Pelanggan membayar',
  cash: 'Uang diterima',
  cashHint: 'Boleh kosong',
  cashKey: 'Enter di kolom kosong menuju ke sini',
  cashForm: 'Tulis nominal seperti 50 atau 50.50',
  missing: (amount) => `kurang ${amount}`,
  change: 'Kembalian',
  lowBalance: (amount) => `Saldo dompet kurang ${amount} untuk semua baris.`,
  pay: 'Bayar keranjang',
  payAmount: (amount) => `Bayar ${amount}`,
  paid: 'Hasil setiap baris',
  notCharged: 'Tidak ditagih.',
  notMade: 'Tidak jadi: layanan tidak punya transaksi dengan refid itu.',
  back: 'Uangnya kembali ke dompet.',
  sending: 'Baris sedang dikirim.',
  sendingAbout:
    'Biarkan halaman ini terbuka. Memuat ulang meneruskan dengan refid yang sama, dan tidak ada yang dibayar dua kali.',
  allSold: 'Semua baris terjual.',
  someFailed: (count) => `${count} baris tidak terjual, dan tidak ditagih.`,
  someGoOn: 'Beberapa baris masih diproses. Lihat di Transaksi.',
  next: 'Pelanggan berikutnya',
  printPins: 'Cetak PIN di struk',
  of: (name, account) => `${name}, ${account}`,
}

export const DEVICE: PortalTexts['DEVICE'] = {
  title: 'Tidak ada koneksi',
  about: 'Sekarang tidak ada yang bisa dijual. Halaman ini berlanjut sendiri saat layanan menjawab.',
  since: (at) => `Diketahui pukul ${at}; mungkin sudah berubah.`,
  balance: 'Saldo',
  sales: 'Penjualan yang sedang berjalan',
  salesAbout:
    'Jangan jual lagi. Saat layanan menjawab, hasilnya ditanyakan; tidak ada yang dibayar dua kali.',
  sentAt: (at) => `dikirim pukul ${at}`,
  recents: 'Nomor terakhir Anda',
  tryAgain: 'Coba lagi',
}

export const SCAN = {
  scan: 'Pindai tagihan',
  title: 'Pindai tagihan',
  about: 'Arahkan kode batang atau QR tagihan ke kamera. Tidak ada gambar yang keluar dari perangkat ini.',
  picture: 'Yang dilihat kamera',
  close: 'Tutup',
  troubles: {
    camera: 'Kamera tidak bisa dipakai. Izinkan di peramban, atau ketik yang tertulis pada tagihan.',
    unread: 'Kode ini bukan tagihan. Coba yang lain, atau ketik yang tertulis pada tagihan.',
  },
  asking: 'Menanyakan penerbit tagihan kode ini.',
  unknown: (code: string) => `Tidak ada penerbit tagihan dengan kode ${code}. Cari menurut nama.`,
}
