import type { MailWords } from './types.ts'

export const MALAY: MailWords = {
  account: (account) => `(akaun ${account})`,
  facts: {
    balance: 'Baki',
    threshold: 'Ambang',
    time: 'Masa',
    lasts: 'Bertahan',
    amount: 'Jumlah',
    entry: 'Catatan penyata',
    bankReference: 'Rujukan bank',
    reason: 'Sebab',
    depositRequest: 'Permintaan deposit',
    sentTo: 'Dihantar ke',
    error: 'Ralat',
    failingSince: 'Gagal sejak',
    request: 'Permintaan',
    reference: 'Rujukan',
    state: 'Keadaan',
    message: 'Mesej',
    runOf: 'Larian pada',
    lines: 'Baris',
    unpaid: 'Tidak dibayar',
    cost: 'Kos',
  },
  forecast(days, perDay) {
    const rate = `pada kadar sekarang ${perDay} sehari`
    if (days === undefined) return `lebih setahun ${rate}`
    return days === 0 ? `kurang sehari ${rate}` : `kira-kira ${days} hari ${rate}`
  },
  low: {
    subject: (threshold, balance) => `Baki di bawah ${threshold}: tinggal ${balance}`,
    happened: (whose, threshold) => `Baki ${whose} jatuh di bawah ${threshold}.`,
    earlier: (count) => `Baki juga jatuh di bawahnya ${count} kali dalam sejam sebelumnya.`,
    todo: 'Tambah baki untuk terus menjual: bayaran yang kosnya melebihi baki akan ditolak.',
  },
  deposit: {
    subject: (amount) => `Deposit ${amount} diterima`,
    happened: (whose) => `Deposit telah ditambah kepada baki ${whose}.`,
    earlier: (count) =>
      `Deposit juga diterima ${count} kali dalam sejam sebelumnya; penyata menyenaraikan semuanya.`,
    todo: 'Tiada apa-apa yang perlu dibuat.',
  },
  refused: {
    subject: (amount) => `Permintaan deposit ${amount} ditolak`,
    happened: (whose) => `Pindahan yang dilaporkan oleh ${whose} tidak ditambah kepada baki.`,
    earlier: (count) => `Permintaan deposit juga ditolak ${count} kali dalam sejam sebelumnya.`,
    todo: 'Bandingkan sebabnya dengan penyata bank anda, dan laporkan pindahan itu semula jika itu membetulkannya.',
  },
  streams: {
    callback: 'Panggil balik transaksi',
    catalog: 'Webhook katalog',
    balance: 'Webhook baki',
    other: 'Webhook',
  },
  failed: {
    subject: (stream) => `${stream} tidak dapat dihantar`,
    happened: (whose, stream) => `${stream} bagi ${whose} tidak dapat dihantar ke pelayan anda.`,
    todo:
      'Pastikan pelayan anda menjawab dengan status 2xx. Hantaran yang gagal kekal dalam log hantaran dan boleh ' +
      'dihantar semula. Selagi ia gagal, mel ini datang paling banyak sekali sehari.',
  },
  paused: {
    subject: (stream) => `${stream} dijeda`,
    happened: (whose, stream) =>
      `${stream} bagi ${whose} dijeda: tiada apa-apa diterima selama beberapa hari.`,
    todo:
      'Baiki pelayan anda, kemudian hantar peristiwa ujian kepadanya, tetapkan URL-nya semula atau hidupkan webhook ' +
      'semula: setiap satu menamatkan jeda. Peristiwa sepanjang masa itu ada dalam log hantaran dan boleh dihantar semula.',
  },
  news: {
    subject: (number, state) => `Kes ${number}: ${state}`,
    happened: (whose, number) => `Ada berita tentang kes ${number} bagi ${whose}.`,
    todo: 'Sebut nombor kes apabila anda menulis tentangnya.',
  },
  kinds: { dispute: 'pertikaian', void: 'pembatalan' },
  states: { open: 'dibuka', in_progress: 'sedang diurus', resolved: 'selesai', refused: 'ditolak' },
  schedule: {
    named: (name) => `Bayaran berjadual ${name}`,
    unnamed: 'Bayaran berjadual',
    ran: {
      subject: (name, paid, lines) => `${name}: ${paid} daripada ${lines} dibayar`,
      happened: (whose, name, paid, lines) =>
        `${name} bagi ${whose} telah dijalankan: ${paid} daripada ${lines} baris telah dibayar.`,
      todo: 'Halaman Pukal menunjukkan hasil setiap baris.',
    },
    stopped: {
      subject: (name) => `${name} telah berhenti`,
      happened: (whose, name, reason) => `${name} bagi ${whose} telah berhenti: ${reason}.`,
      todo: 'Tiada apa-apa lagi dibayar sehingga seseorang meneruskannya di halaman Pukal. Yang sudah dibayar kekal dibayar, dan tidak dibayar dua kali.',
    },
    reasons: {
      member: 'orang yang menjadualkannya telah dikeluarkan, atau tidak boleh membayar fail lagi',
      account: 'akaun digantung atau tidak boleh membayar',
      not_allowed:
        'akaun hanya menerima bayaran melalui kunci API, atau bukan dari alamat tempat ia dijadualkan',
      balance: 'baki terlalu rendah',
      limit: 'had telah dicapai',
      product: 'satu produk tidak lagi dijual seperti sebelumnya',
      price: 'satu baris lebih mahal daripada semasa dijadualkan',
      unavailable: 'satu baris tidak dapat dibayar selama sejam',
      late: 'masanya sudah terlepas sehari',
    },
    earlier: (times) => `Ada berita seperti ini dalam sejam sebelumnya: ${times} kali.`,
  },
  token: (token) => `Token: ${token}`,
  forPrograms: (request) => `Untuk program: POST ${request}, sebagai JSON.`,
  reset: {
    subject: 'Kata laluan baharu untuk Warung',
    asked: (login) => `Seseorang meminta kata laluan baharu untuk ${login}.`,
    once: 'Ia berfungsi sekali, dalam masa 30 minit. Jika bukan anda, tiada apa-apa yang perlu dibuat: kata laluan kekal seperti sedia ada.',
  },
  portalOf: (company) => `portal ${company}`,
  invitation: {
    subject: (where) => `Jemputan ke ${where}`,
    invites: (who, where) => `${who} menjemput anda ke ${where}.`,
    login: (login) => `Nama anda di sana ialah ${login}.`,
    choose: 'Pilih kata laluan dengan token ini.',
    once: 'Ia berfungsi sekali, dalam masa 7 hari. Jika anda tidak tahu hal ini, tiada apa-apa yang perlu dibuat.',
  },
}
