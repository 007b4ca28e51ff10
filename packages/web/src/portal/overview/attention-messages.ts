import type { Overview } from '../../api/portal.generated.ts'
import { dateTimeText } from '../../text/dates.ts'
import { defineMessages } from '../../text/language.ts'

type Item = Overview['attention'][number]
export type AttentionLines = { readonly [Kind in Item['kind']]: (item: Item) => string }

/** Lines of the service, which writes English. */
const asWritten = ({ text }: Item) => text

const ENGLISH: AttentionLines = {
  account_suspended: asWritten,
  account_read_only: asWritten,
  balance_low: asWritten,
  balance_runs_out: asWritten,
  endpoint_paused: asWritten,
  endpoint_failing: asWritten,
  endpoint_disabled: asWritten,
  payments_pending: asWritten,
  cases_open: asWritten,
  products_at_loss: asWritten,
  key_ends: asWritten,
}

const STREAMS: Readonly<Record<string, string>> = {
  callback: 'panggilan balik',
  catalog: 'katalog',
  balance: 'baki',
  order: 'pesanan',
}

const streamOf = ({ subject }: Item) => STREAMS[subject ?? ''] ?? subject ?? ''

/** Number, or time, that the service's line names. */
const namedIn = ({ text }: Item, pattern: RegExp) => pattern.exec(text)?.[1] ?? ''

function keyEnd(item: Item): string {
  const at = namedIn(item, /ends at (\S+Z)/)
  return at === '' ? '' : ` pada ${dateTimeText(at)}`
}

/** Lines about what needs attention, by their kind. */
export const ATTENTION = defineMessages({
  en: ENGLISH,
  ms: {
    account_suspended: () => 'Akaun digantung: tiada apa-apa boleh dibayar.',
    account_read_only: () => 'Akaun untuk bacaan sahaja: tiada apa-apa boleh dibayar.',
    balance_low: () => 'Baki berada di bawah ambang anda.',
    balance_runs_out: (item) =>
      `Pada kadar sekarang, baki cukup untuk kurang daripada ${namedIn(item, /(\d+) days/)} hari.`,
    endpoint_paused: (item) =>
      `Penerima ${streamOf(item)} gagal selama beberapa hari dan dijeda: tiada apa-apa dihantar.`,
    endpoint_failing: (item) => `Penerima ${streamOf(item)} tidak menerima yang dihantar.`,
    endpoint_disabled: (item) => `Penerima ${streamOf(item)} dimatikan.`,
    payments_pending: () => 'Beberapa bayaran daripada hari-hari sebelumnya belum berakhir.',
    cases_open: () => 'Beberapa kes belum ditutup.',
    products_at_loss: () => 'Beberapa produk boleh dijual di bawah kosnya.',
    key_ends: (item) => `Kunci API ${item.subject ?? ''} telah diganti dan tamat${keyEnd(item)}.`,
  },
})
