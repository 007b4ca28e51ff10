import { defineMessages } from '../../text/language.ts'

/** Texts of the import and of the preview of every catalogue change. */
export const CHANGE = defineMessages({
  en: {
    title: 'Import into the catalogue',
    about: 'CSV or JSON files. First you see what changes for whom; nothing is written before you import.',
    files: 'Files',
    filesHint:
      'JSON documents, or CSV files of groups, categories, options or prices. Together they are one change.',
    chosen: (count: number, size: string) => `${count} ${count === 1 ? 'file' : 'files'}, ${size}`,
    missing: 'Switch off options that are not in the files',
    missingAbout: 'For each list of which the files have at least one option.',
    preview: 'Preview',
    again: 'Choose other files',
    whatChanges: 'What changes',
    kind: 'Kind',
    created: 'New',
    updated: 'Changed',
    deactivated: 'Switched off',
    unchanged: 'The same',
    resellers: (count: number) =>
      count === 0
        ? 'No reseller sees a difference.'
        : count === 1
          ? '1 reseller sees a difference:'
          : `${count} resellers see a difference:`,
    differences: 'Differences',
    difference: 'Line',
    actions: { create: 'New', update: 'Changed', deactivate: 'Switched off' },
    change: 'Change',
    more: (count: number) => `and ${count} more, which the import makes as well`,
    nothing: 'Nothing changes: the catalogue is already as the files say.',
    import: 'Import',
    importing: 'Importing',
    imported: 'The catalogue is changed.',
    progress: 'Progress of the import',
    steps: {
      read: 'Read the files',
      preview: 'Check every line and compare with the catalogue',
      review: 'You look at what changes',
      import: 'Write all of it, or nothing',
    },
    elapsed: (time: string) => `running for ${time}`,
    done: 'Done: the catalogue has version',
    toCatalog: 'To the catalogue',
    another: 'Import another file',
    empty: 'nothing',
    tooLarge: 'The files are larger than 64 MB together.',
  },
  ms: {
    title: 'Import ke dalam katalog',
    about:
      'Fail CSV atau JSON. Mula-mula anda lihat apa yang berubah bagi siapa; tiada apa-apa ditulis sebelum anda import.',
    files: 'Fail',
    filesHint:
      'Dokumen JSON, atau fail CSV bagi kumpulan, kategori, pilihan atau harga. Bersama-sama ia satu perubahan.',
    chosen: (count, size) => `${count} fail, ${size}`,
    missing: 'Matikan pilihan yang tiada dalam fail',
    missingAbout: 'Bagi setiap senarai yang sekurang-kurangnya satu pilihannya ada dalam fail.',
    preview: 'Pratonton',
    again: 'Pilih fail lain',
    whatChanges: 'Apa yang berubah',
    kind: 'Jenis',
    created: 'Baharu',
    updated: 'Berubah',
    deactivated: 'Dimatikan',
    unchanged: 'Sama',
    resellers: (count) =>
      count === 0
        ? 'Tiada penjual semula yang melihat perbezaan.'
        : `${count} penjual semula melihat perbezaan:`,
    differences: 'Perbezaan',
    difference: 'Baris',
    actions: { create: 'Baharu', update: 'Berubah', deactivate: 'Dimatikan' },
    change: 'Perubahan',
    more: (count) => `dan ${count} lagi, yang turut dibuat oleh import`,
    nothing: 'Tiada perubahan: katalog sudah seperti dalam fail.',
    import: 'Import',
    importing: 'Mengimport',
    imported: 'Katalog telah diubah.',
    progress: 'Kemajuan import',
    steps: {
      read: 'Baca fail',
      preview: 'Semak setiap baris dan bandingkan dengan katalog',
      review: 'Anda lihat apa yang berubah',
      import: 'Tulis semuanya, atau tiada langsung',
    },
    elapsed: (time) => `berjalan selama ${time}`,
    done: 'Selesai: versi katalog ialah',
    toCatalog: 'Ke katalog',
    another: 'Import fail lain',
    empty: 'tiada',
    tooLarge: 'Jumlah saiz fail melebihi 64 MB.',
  },
})
