import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

/** Texts that several pages of the console use. */
export const PARTS = defineMessages({
  en: {
    ...WORDS.en,
    reason: 'Reason, for the audit log',
    reasonHint: 'Your name stands beside it.',
    clear: 'Clear the filters',
    shown: (rows: number) => `${rows} shown`,
    time: (zone: string) => `Time, ${zone}`,
    seeApproval: 'See the request',
    limitsOfReseller:
      'An entry replaces that of the level for the same payments. What the reseller sets comes on top.',
    limitsOfLevel: 'They hold for each reseller of the level that has none of its own for the same payments.',
    limitOfLevel: 'by the level',
    limitOfReseller: 'by the reseller',
    streams: { callback: 'Callback', catalog: 'Catalogue', balance: 'Balance', order: 'Order' },
  },
  ms: {
    ...WORDS.ms,
    reason: 'Sebab, untuk log audit',
    reasonHint: 'Nama anda tercatat di sebelahnya.',
    clear: 'Kosongkan penapis',
    shown: (rows) => `${rows} ditunjukkan`,
    time: (zone) => `Masa, ${zone}`,
    seeApproval: 'Lihat permintaan',
    limitsOfReseller:
      'Ia menggantikan had tahap bagi bayaran yang sama. Had penjual semula ditambah padanya.',
    limitsOfLevel:
      'Bagi setiap penjual semula pada tahap ini yang tiada had sendiri untuk bayaran yang sama.',
    limitOfLevel: 'oleh tahap',
    limitOfReseller: 'oleh penjual semula',
    streams: { callback: 'Callback', catalog: 'Katalog', balance: 'Baki', order: 'Pesanan' },
  },
})

export const POSTING = defineMessages({
  en: {
    newDeposit: 'New deposit',
    newAdjustment: 'Adjust',
    title: { deposit: 'Ask for a deposit', adjustment: 'Ask for an adjustment' },
    about: {
      deposit: 'Nothing moves now. A second person approves it in Approvals; then it is in the wallet.',
      adjustment:
        'Nothing moves now. A second person approves it in Approvals. A minus takes away, never below what the wallet holds.',
    },
    reseller: 'Reseller',
    amount: 'Amount',
    amountHint: { deposit: 'Such as 1250.00', adjustment: 'Such as 12.50, or -12.50 to take away' },
    remarks: 'Remarks',
    remarksHint: 'The reseller reads them in the statement.',
    reference: 'Reference',
    referenceHint: 'Such as the bank’s. The same one is never posted twice for a reseller. Not required.',
    ask: 'Ask for approval',
    asked: (amount: string) => `${amount} waits for a second person. Nothing has moved yet.`,
  },
  ms: {
    newDeposit: 'Deposit baharu',
    newAdjustment: 'Laraskan',
    title: { deposit: 'Minta deposit', adjustment: 'Minta pelarasan' },
    about: {
      deposit:
        'Tiada apa yang bergerak sekarang. Orang kedua meluluskannya di Kelulusan; selepas itu ia masuk ke dompet.',
      adjustment:
        'Tiada apa yang bergerak sekarang. Orang kedua meluluskannya di Kelulusan. Tanda tolak mengurangkan, tidak pernah melebihi isi dompet.',
    },
    reseller: 'Penjual semula',
    amount: 'Amaun',
    amountHint: {
      deposit: 'Contohnya 1250.00',
      adjustment: 'Contohnya 12.50, atau -12.50 untuk mengurangkan',
    },
    remarks: 'Catatan',
    remarksHint: 'Penjual semula membacanya dalam penyata.',
    reference: 'Rujukan',
    referenceHint:
      'Contohnya rujukan bank. Rujukan yang sama tidak dimasukkan dua kali bagi satu penjual semula. Tidak wajib.',
    ask: 'Minta kelulusan',
    asked: (amount) => `${amount} menunggu orang kedua. Belum ada apa yang bergerak.`,
  },
})
