import type { ClientAnswer, Records, Violation } from './records.ts'

/** Line of a story: an instant of the run and what happened then. */
type Line = { readonly atMs: number; readonly text: string }

/** Faults count as being around a payment when they lie this close to one of its requests. */
const AROUND_MS = 3_000
const LINES_MAX = 80

/**
 * Tells the life of the one payment, or the one account, that a violation is about: what its client sent and was told,
 * the faults around it, and all rows about it. The seed gives the same choices again.
 */
export function tellStory(records: Records, violation: Violation, seed: number): string {
  const { check, text, account, refid } = violation
  const title = `${check}: ${text}\n  seed ${seed}${account === undefined ? '' : `, account ${account}`}`
  if (refid === undefined || account === undefined) {
    const lines = records.events.map(({ atMs, text: what }) => ({ atMs, text: what }))
    return [title, ...format(lines)].join('\n')
  }
  const own = linesOf(records, account, refid)
  const lines = [...own, ...faultsAround(records, own)].sort((a, b) => a.atMs - b.atMs)
  return [`${title}, refid ${refid}`, ...format(lines), ...rowsOf(records, account, refid)].join('\n')
}

function format(lines: readonly Line[]): string[] {
  const shown = lines.slice(0, LINES_MAX).map(({ atMs, text }) => `  ${seconds(atMs)}  ${text}`)
  const left = lines.length - shown.length
  return left > 0 ? [...shown, `  … ${left} more`] : shown
}

function seconds(atMs: number): string {
  return `${(atMs / 1_000).toFixed(3).padStart(8)} s`
}

function linesOf({ exchanges, voids, steps }: Records, account: string, refid: string): Line[] {
  const isOwn = (each: { account: string; refid: string }) => each.account === account && each.refid === refid
  return [
    ...exchanges.filter(isOwn).flatMap(({ node, sentMs, toldMs, told, isReplay }) => [
      { atMs: sentMs, text: `client → node ${node}: ${isReplay ? 'the same bytes again' : 'pay'}` },
      { atMs: toldMs, text: `client ← node ${node}: ${wordsOf(told)}` },
    ]),
    ...voids
      .filter(isOwn)
      .map(({ atMs, told }) => ({ atMs, text: `client asks to void: ${told ?? 'unknown'}` })),
    ...steps
      .filter((step) => step.account === account && step.subject === refid)
      .map(({ atMs, kind, told, detail }) => ({ atMs, text: `operator: ${kind}, ${told} ${detail}` })),
  ]
}

function wordsOf(told: ClientAnswer): string {
  switch (told.kind) {
    case 'payment':
      return `${told.http}, payment ${told.id} is ${told.code}`
    case 'rejected':
      return `400, rejected with ${told.code} ${told.remarks}`
    case 'unknown':
      return `no answer to rely on (${told.why})`
    case 'nonce_reused':
      return '401, the nonce was used'
    case 'strange':
      return `strange: ${told.why}`
  }
}

function faultsAround({ events }: Records, own: readonly Line[]): Line[] {
  if (own.length === 0) return []
  return events
    .filter(({ atMs, untilMs }) =>
      own.some((line) => line.atMs > atMs - AROUND_MS && line.atMs < untilMs + AROUND_MS),
    )
    .map(({ atMs, untilMs, text }) => ({
      atMs,
      text: `fault: ${text}${untilMs > atMs ? `, until ${seconds(untilMs).trim()}` : ''}`,
    }))
}

function rowsOf(records: Records, account: string, refid: string): string[] {
  const payments = records.payments.filter((row) => row.account === account && row.refid === refid)
  const ids = new Set(payments.map(({ id }) => id))
  const isAbout = ({ account: whose, paymentId }: { account: string; paymentId: string | null }) =>
    whose === account && paymentId !== null && ids.has(paymentId)
  const rows = (name: string, list: readonly object[]) =>
    list.map((row) => `  ${name}: ${JSON.stringify(row)}`)
  return [
    ...rows('payment', payments),
    ...rows('entry', records.entries.filter(isAbout)),
    ...rows('change', records.changes.filter(isAbout)),
    ...rows(
      'supplier',
      records.lines.filter(({ reference }) => ids.has(/^W(\d+)-/.exec(reference)?.[1] ?? '')),
    ),
    ...rows('delivery', records.deliveries.filter(isAbout)),
    ...rows(
      'received',
      records.received.filter((each) => each.account === account && each.body.includes(`"${refid}"`)),
    ),
    ...rows(
      'webhook',
      records.webhooks.filter(
        (each) => each.account === account && [...ids].some((id) => each.body.includes(id)),
      ),
    ),
    ...rows('feed', records.feed.filter(isAbout)),
  ]
}
