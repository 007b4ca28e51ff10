import { currentLanguage } from './language.ts'
import { REMARKS } from './remarks.ts'

// The service itself writes into cases, in English. Messages of people stay as they were written.

const WRITTEN_MS: Readonly<Record<string, string>> = {
  'The biller approved the void. The transaction was refunded to the wallet.':
    'Pengebil meluluskan pembatalan. Kos transaksi telah dipulangkan ke dompet.',
  'An operator is looking into it.': 'Pengendali sedang menyiasatnya.',
  'A check of the transaction is requested.': 'Semakan transaksi diminta.',
}

const REFUSED = 'The biller refused the void: '

/** Says a text of the service in the reader's language; any other text as it is. */
export function caseText(text: string): string {
  if (currentLanguage() !== 'ms') return text
  if (!text.startsWith(REFUSED)) return WRITTEN_MS[text] ?? text
  const reason = text.slice(REFUSED.length)
  const known: Readonly<Record<string, string>> = REMARKS.ms
  return `Pengebil menolak pembatalan: ${known[reason] ?? reason}`
}
