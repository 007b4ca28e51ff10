import { defineMessages } from '../text/language.ts'
import { stateTable } from '../ui/state.tsx'

/** States of all that the portal shows, but for payments, whose words follow the API's. */
export const { StateOf, toneOf, namesOf, useWords } = stateTable(
  {
    case: { open: 'info', in_progress: 'wait', resolved: 'ok', refused: 'bad' },
    deposit: { reported: 'wait', accepted: 'wait', credited: 'ok', refused: 'bad', withdrawn: 'off' },
    order: {
      draft: 'info',
      awaiting_payment: 'wait',
      confirmed: 'wait',
      completed: 'ok',
      partially_completed: 'warning',
      failed: 'bad',
      cancelled: 'off',
      timeout: 'off',
    },
    item: {
      pending: 'off',
      processing: 'wait',
      succeeded: 'ok',
      failed: 'bad',
      partially_succeeded: 'warning',
    },
  },
  defineMessages(
    {
      en: {
        case: { open: 'Open', in_progress: 'In progress', resolved: 'Resolved', refused: 'Refused' },
        deposit: {
          reported: 'Reported',
          accepted: 'Being approved',
          credited: 'In the wallet',
          refused: 'Refused',
          withdrawn: 'Withdrawn',
        },
        order: {
          draft: 'Draft',
          awaiting_payment: 'Awaiting payment',
          confirmed: 'Confirmed',
          completed: 'Completed',
          partially_completed: 'Partly completed',
          failed: 'Failed',
          cancelled: 'Cancelled',
          timeout: 'Timed out',
        },
        item: {
          pending: 'Not paid yet',
          processing: 'Processing',
          succeeded: 'Successful',
          failed: 'Failed',
          partially_succeeded: 'Partly successful',
        },
      },
      ms: {
        case: { open: 'Dibuka', in_progress: 'Sedang diurus', resolved: 'Selesai', refused: 'Ditolak' },
        deposit: {
          reported: 'Dilaporkan',
          accepted: 'Sedang diluluskan',
          credited: 'Dalam dompet',
          refused: 'Ditolak',
          withdrawn: 'Ditarik balik',
        },
        order: {
          draft: 'Draf',
          awaiting_payment: 'Menunggu bayaran',
          confirmed: 'Disahkan',
          completed: 'Selesai',
          partially_completed: 'Selesai sebahagian',
          failed: 'Gagal',
          cancelled: 'Dibatalkan',
          timeout: 'Tamat tempoh',
        },
        item: {
          pending: 'Belum dibayar',
          processing: 'Diproses',
          succeeded: 'Berjaya',
          failed: 'Gagal',
          partially_succeeded: 'Berjaya sebahagian',
        },
      },
    },
    'STATES',
  ),
)
