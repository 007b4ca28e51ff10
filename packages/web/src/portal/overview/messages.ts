import type { Overview } from '../../api/portal.generated.ts'
import { dateTimeText } from '../../text/dates.ts'
import { defineMessages } from '../../text/language.ts'
import { WORDS } from '../../text/messages.ts'

export const OVERVIEW = defineMessages({
  en: {
    ...WORDS.en,
    about: (day: string, time: string) => `${day}, figures of ${time} GMT+8`,
    sell: 'Sell',
    thresholds: 'Thresholds',
    lasts: (days: string) => `Lasts ${days} days`,
    lastsAbout: (until: string, perDay: string) =>
      `, until about ${until}, at ${perDay} a day, the rate of the last 7 whole days.`,
    belowFrom: (threshold: string, day: string) =>
      ` Below ${threshold} from ${day} on: hatched, and you are told by mail.`,
    noRate: 'Nothing was sold in the last 7 whole days, so it is not known how long the balance lasts.',
    runwayLabel: (days: string) => `The balance lasts ${days} days.`,
    paymentsOfToday: 'Payments of today',
    margin: 'Margin',
    ended: (successful: string, all: string) => `${successful} of ${all} that ended`,
    noneEnded: 'nothing has ended yet',
    attention: 'Needs attention',
    nothingNeeded: 'Nothing needs you now',
    nothingNeededAbout:
      'Endpoints answer, prices cover their cost, and no payment is waiting from before today.',
    interruptions: 'Interruptions now',
    since: (time: string) => `Since ${time}. New payments are turned away with 49; those that exist go on.`,
    restIsHealthy: 'Everything else that you may sell is healthy.',
    last30: 'Last 30 days',
    last30About: (from: string, to: string) =>
      `${from} to ${to}, by day GMT+8; today is hatched, it is not over`,
    axisFrom: (percent: string) => `axis begins at ${percent}%`,
    deliveries: 'Deliveries that arrived',
    balanceByDay: 'Balance',
    salesLabel: (total: string) => `Sales by day, ${total} in 30 days`,
    rateLabel: (lowest: string) => `Success rate by day, lowest ${lowest} percent`,
    marginLabel: (total: string) => `Margin by day, ${total} in 30 days`,
    balanceLabel: 'Balance at the end of each day',
    latest: 'Latest payments',
    status: 'Status',
    noPayments: 'No payments yet',
    noPaymentsAbout: 'Sell something, or send a first payment by the API.',
    open: 'Open',
    targets: {
      account: 'Your account',
      deposits: 'Deposits',
      endpoint: 'Open webhook',
      payments: 'Show them',
      cases: 'Open cases',
      catalogue: 'Review prices',
      keys: 'API keys',
    },
  },
  ms: {
    ...WORDS.ms,
    about: (day, time) => `${day}, angka pada ${time} GMT+8`,
    sell: 'Jual',
    thresholds: 'Ambang',
    lasts: (days) => `Cukup untuk ${days} hari`,
    lastsAbout: (until, perDay) =>
      `, sehingga kira-kira ${until}, pada ${perDay} sehari, kadar 7 hari penuh yang lepas.`,
    belowFrom: (threshold, day) =>
      ` Di bawah ${threshold} mulai ${day}: berlorek, dan anda dimaklumkan melalui e-mel.`,
    noRate: 'Tiada jualan dalam 7 hari penuh yang lepas, jadi tempoh baki tidak diketahui.',
    runwayLabel: (days) => `Baki cukup untuk ${days} hari.`,
    paymentsOfToday: 'Bayaran hari ini',
    margin: 'Margin',
    ended: (successful, all) => `${successful} daripada ${all} yang selesai`,
    noneEnded: 'belum ada yang selesai',
    attention: 'Perlu perhatian',
    nothingNeeded: 'Tiada yang memerlukan anda sekarang',
    nothingNeededAbout:
      'Titik akhir menjawab, harga menampung kos, dan tiada bayaran menunggu dari sebelum hari ini.',
    interruptions: 'Gangguan sekarang',
    since: (time) => `Sejak ${time}. Bayaran baharu ditolak dengan 49; yang sedia ada diteruskan.`,
    restIsHealthy: 'Semua yang lain yang boleh anda jual berjalan baik.',
    last30: '30 hari lepas',
    last30About: (from, to) =>
      `${from} hingga ${to}, mengikut hari GMT+8; hari ini berlorek kerana belum tamat`,
    axisFrom: (percent) => `paksi bermula pada ${percent}%`,
    deliveries: 'Penghantaran yang tiba',
    balanceByDay: 'Baki',
    salesLabel: (total) => `Jualan mengikut hari, ${total} dalam 30 hari`,
    rateLabel: (lowest) => `Kadar kejayaan mengikut hari, terendah ${lowest} peratus`,
    marginLabel: (total) => `Margin mengikut hari, ${total} dalam 30 hari`,
    balanceLabel: 'Baki pada akhir setiap hari',
    latest: 'Bayaran terkini',
    status: 'Status',
    noPayments: 'Belum ada bayaran',
    noPaymentsAbout: 'Jual sesuatu, atau hantar bayaran pertama melalui API.',
    open: 'Buka',
    targets: {
      account: 'Akaun anda',
      deposits: 'Deposit',
      endpoint: 'Buka webhook',
      payments: 'Tunjukkan',
      cases: 'Buka kes',
      catalogue: 'Semak harga',
      keys: 'Kunci API',
    },
  },
})

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
