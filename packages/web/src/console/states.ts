import { defineMessages } from '../text/language.ts'
import { stateTable } from '../ui/state.tsx'

/** States of all that the console shows. */
export const { StateOf, toneOf, namesOf, useWords } = stateTable(
  {
    approval: { pending: 'wait', approved: 'ok', refused: 'bad', withdrawn: 'off', expired: 'off' },
    breaker: { closed: 'ok', open: 'bad', half_open: 'wait' },
    case: { open: 'warning', in_progress: 'wait', resolved: 'ok', refused: 'bad' },
    deposit: { reported: 'wait', accepted: 'back', credited: 'ok', refused: 'bad', withdrawn: 'off' },
    payment: { accepted: 'wait', processing: 'wait', succeeded: 'ok', failed: 'bad', voided: 'back' },
    rate: { in_force: 'ok', planned: 'info', past: 'off' },
    receiver: { well: 'ok', untried: 'info', failing: 'bad', paused: 'wait', disabled: 'off' },
    reseller: { active: 'ok', suspended: 'bad' },
  },
  defineMessages(
    {
      en: {
        approval: {
          pending: 'Waiting',
          approved: 'Approved',
          refused: 'Refused',
          withdrawn: 'Withdrawn',
          expired: 'Expired',
        },
        breaker: { closed: 'Takes orders', open: 'No orders', half_open: 'Probing' },
        case: { open: 'Open', in_progress: 'In progress', resolved: 'Resolved', refused: 'Refused' },
        deposit: {
          reported: 'To be checked',
          accepted: 'Waits for a second person',
          credited: 'In the wallet',
          refused: 'Refused',
          withdrawn: 'Withdrawn',
        },
        payment: {
          accepted: 'Accepted',
          processing: 'Processing',
          succeeded: 'Succeeded',
          failed: 'Failed',
          voided: 'Voided',
        },
        rate: { in_force: 'In force', planned: 'Planned', past: 'Past' },
        receiver: {
          well: 'Well',
          untried: 'Not used yet',
          failing: 'Failing',
          paused: 'Paused',
          disabled: 'Switched off',
        },
        reseller: { active: 'Active', suspended: 'Suspended' },
      },
      ms: {
        approval: {
          pending: 'Menunggu',
          approved: 'Diluluskan',
          refused: 'Ditolak',
          withdrawn: 'Ditarik balik',
          expired: 'Tamat tempoh',
        },
        breaker: { closed: 'Menerima pesanan', open: 'Tiada pesanan', half_open: 'Menguji' },
        case: { open: 'Terbuka', in_progress: 'Sedang diurus', resolved: 'Selesai', refused: 'Ditolak' },
        deposit: {
          reported: 'Perlu disemak',
          accepted: 'Menunggu orang kedua',
          credited: 'Dalam dompet',
          refused: 'Ditolak',
          withdrawn: 'Ditarik balik',
        },
        payment: {
          accepted: 'Diterima',
          processing: 'Diproses',
          succeeded: 'Berjaya',
          failed: 'Gagal',
          voided: 'Dibatalkan',
        },
        rate: { in_force: 'Berkuat kuasa', planned: 'Dirancang', past: 'Lepas' },
        receiver: {
          well: 'Baik',
          untried: 'Belum digunakan',
          failing: 'Gagal menjawab',
          paused: 'Dijeda',
          disabled: 'Dimatikan',
        },
        reseller: { active: 'Aktif', suspended: 'Digantung' },
      },
    },
    'STATES',
  ),
)
