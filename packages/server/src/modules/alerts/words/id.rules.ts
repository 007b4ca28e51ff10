import type { MailWords } from './types.ts'

export const INDONESIAN: MailWords = {
  account: (account) => `(akun ${account})`,
  facts: {
    balance: 'Saldo',
    threshold: 'Ambang batas',
    time: 'Waktu',
    lasts: 'Bertahan',
    amount: 'Jumlah',
    entry: 'Entri mutasi',
    bankReference: 'Referensi bank',
    reason: 'Alasan',
    depositRequest: 'Permintaan deposit',
    sentTo: 'Dikirim ke',
    error: 'Kesalahan',
    failingSince: 'Gagal sejak',
    request: 'Permintaan',
    reference: 'Referensi',
    state: 'Status',
    message: 'Pesan',
    runOf: 'Jadwal',
    lines: 'Baris',
    unpaid: 'Tidak dibayar',
    cost: 'Biaya',
  },
  forecast(days, perDay) {
    const rate = `dengan laju sekarang ${perDay} per hari`
    if (days === undefined) return `lebih dari setahun ${rate}`
    return days === 0 ? `kurang dari sehari ${rate}` : `sekitar ${days} hari ${rate}`
  },
  low: {
    subject: (threshold, balance) => `Saldo di bawah ${threshold}: tersisa ${balance}`,
    happened: (whose, threshold) => `Saldo ${whose} turun di bawah ${threshold}.`,
    earlier: (count) => `Saldo juga turun di bawahnya ${count} kali dalam satu jam sebelumnya.`,
    todo: 'Isi saldo agar bisa terus menjual: pembayaran yang biayanya melebihi saldo akan ditolak.',
  },
  deposit: {
    subject: (amount) => `Deposit ${amount} diterima`,
    happened: (whose) => `Deposit telah ditambahkan ke saldo ${whose}.`,
    earlier: (count) =>
      `Deposit juga diterima ${count} kali dalam satu jam sebelumnya; mutasi memuat semuanya.`,
    todo: 'Tidak ada yang perlu dilakukan.',
  },
  refused: {
    subject: (amount) => `Permintaan deposit ${amount} ditolak`,
    happened: (whose) => `Transfer yang dilaporkan oleh ${whose} tidak ditambahkan ke saldo.`,
    earlier: (count) => `Permintaan deposit juga ditolak ${count} kali dalam satu jam sebelumnya.`,
    todo: 'Bandingkan alasannya dengan rekening koran Anda, lalu laporkan transfer itu lagi jika sudah sesuai.',
  },
  streams: {
    callback: 'Callback transaksi',
    catalog: 'Webhook katalog',
    balance: 'Webhook saldo',
    other: 'Webhook',
  },
  failed: {
    subject: (stream) => `${stream} tidak dapat dikirim`,
    happened: (whose, stream) => `${stream} dari ${whose} tidak dapat dikirim ke server Anda.`,
    todo:
      'Pastikan server Anda menjawab dengan status 2xx. Kiriman yang gagal tetap ada di log kiriman dan bisa dikirim ' +
      'ulang. Selama masih gagal, email ini datang paling banyak sekali sehari.',
  },
  paused: {
    subject: (stream) => `${stream} dijeda`,
    happened: (whose, stream) =>
      `${stream} dari ${whose} dijeda: tidak ada yang diterima selama beberapa hari.`,
    todo:
      'Perbaiki server Anda, lalu kirim peristiwa uji, atur ulang URL-nya, atau nyalakan lagi webhook itu: masing-masing ' +
      'mengakhiri jeda. Peristiwa selama itu ada di log kiriman dan bisa dikirim ulang.',
  },
  news: {
    subject: (number, state) => `Kasus ${number}: ${state}`,
    happened: (whose, number) => `Ada kabar tentang kasus ${number} dari ${whose}.`,
    todo: 'Sebutkan nomor kasus saat Anda menulis tentangnya.',
  },
  kinds: { dispute: 'sanggahan', void: 'pembatalan' },
  states: { open: 'dibuka', in_progress: 'sedang diproses', resolved: 'selesai', refused: 'ditolak' },
  schedule: {
    named: (name) => `Pembayaran terjadwal ${name}`,
    unnamed: 'Pembayaran terjadwal',
    ran: {
      subject: (name, paid, lines) => `${name}: ${paid} dari ${lines} dibayar`,
      happened: (whose, name, paid, lines) =>
        `${name} milik ${whose} sudah dijalankan: ${paid} dari ${lines} baris dibayar.`,
      todo: 'Halaman Massal menunjukkan hasil setiap baris.',
    },
    stopped: {
      subject: (name) => `${name} berhenti`,
      happened: (whose, name, reason) => `${name} milik ${whose} berhenti: ${reason}.`,
      todo: 'Tidak ada lagi yang dibayar sampai seseorang melanjutkannya di halaman Massal. Yang sudah dibayar tetap dibayar, dan tidak dibayar dua kali.',
    },
    reasons: {
      member: 'orang yang menjadwalkannya sudah dikeluarkan, atau tidak boleh membayar berkas lagi',
      account: 'akun ditangguhkan atau tidak boleh membayar',
      not_allowed:
        'akun hanya menerima pembayaran dengan kunci API, atau bukan dari alamat tempat ia dijadwalkan',
      balance: 'saldo terlalu rendah',
      limit: 'batas sudah tercapai',
      product: 'satu produk tidak lagi dijual seperti sebelumnya',
      price: 'satu baris lebih mahal daripada saat dijadwalkan',
      unavailable: 'satu baris tidak dapat dibayar selama satu jam',
      late: 'waktunya terlewat satu hari',
    },
    earlier: (times) => `Ada kabar seperti ini dalam satu jam sebelumnya: ${times} kali.`,
  },
  token: (token) => `Token: ${token}`,
  forPrograms: (request) => `Untuk program: POST ${request}, sebagai JSON.`,
  reset: {
    subject: 'Kata sandi baru untuk Warung',
    asked: (login) => `Seseorang meminta kata sandi baru untuk ${login}.`,
    once: 'Berlaku sekali, dalam 30 menit. Jika bukan Anda, tidak ada yang perlu dilakukan: kata sandi tetap seperti semula.',
  },
  portalOf: (company) => `portal ${company}`,
  invitation: {
    subject: (where) => `Undangan ke ${where}`,
    invites: (who, where) => `${who} mengundang Anda ke ${where}.`,
    login: (login) => `Nama Anda di sana adalah ${login}.`,
    choose: 'Pilih kata sandi dengan token ini.',
    once: 'Berlaku sekali, dalam 7 hari. Jika Anda tidak tahu tentang ini, tidak ada yang perlu dilakukan.',
  },
}
