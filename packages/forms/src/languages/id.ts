import { STANDARD } from '../standard/id.generated.ts'
import { saying } from '../standard/saying.generated.ts'
import type { FormTexts } from '../texts.ts'

/** Indonesian of the texts of every form. */
export const FORM: FormTexts = {
  standard: saying(STANDARD),
  clear: 'Hapus pencarian',
  groups: 'Kelompok',
  allGroups: 'Semua',
  noProduct: 'Tidak ada produk dengan nama ini.',
  optional: 'opsional',
  choose: 'Cari sambil mengetik',
  foundOptions: (shown, total) => `${shown} dari ${total}. Ketik untuk mencari lagi.`,
  loading: 'Memuat',
  noMatch: 'Tidak ada yang bernama ini.',
  optionsFailed: 'Pilihan tidak dapat dimuat.',
  fillFirst: (label) => `Isi dahulu: ${label}`,
  noOptions: 'Tidak ada yang bisa dipilih.',
  required: 'Harap diisi',
  chooseOne: 'Pilih satu',
  pattern: 'Bentuknya tidak benar',
  range: (from, to) => `Masukkan nominal dari ${from} sampai ${to}`,
  atLeast: (from) => `Masukkan paling sedikit ${from}`,
  atMost: (to) => `Masukkan paling banyak ${to}`,
  rangeHint: (from, to) => `Dari ${from} sampai ${to}`,
  billExists: 'Tagihan ini ada',
  askingBill: 'Menanyakan ke penerbit tagihan',
  priceLater: 'Isi formulir untuk melihat harga.',
  askingPrice: 'Menanyakan harga.',
  mend: (count, first) =>
    count === 1
      ? `Satu kolom perlu diperbaiki: ${first}`
      : `${count} kolom perlu diperbaiki. Yang pertama: ${first}`,
}
