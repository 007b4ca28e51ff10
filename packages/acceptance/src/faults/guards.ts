import type { Node, TestReseller } from '../edge.ts'
import { untilKnown } from '../edge.ts'

// Guards of the resellers: windows of duplicates, limits, keys with caps. Each is reached in a run of minutes.

export type Guards = {
  readonly account: string
  /** Seconds in which the same payment again is refused. */
  readonly windowSeconds: number
  /** Payments of a day to each account, and of a month of the whole reseller. */
  readonly perAccount: number
  readonly perMonth: number
  /** Cost that the key may pay in a day, in ringgit. */
  readonly dailyCap: number
}

const USUAL = { windowSeconds: 3, perAccount: 3, perMonth: 1_000_000, dailyCap: 1_000_000 }
const POOR = { ...USUAL, perMonth: 40 }
const CAPPED = { ...USUAL, dailyCap: 900 }

/** Guards a reseller. It pays with a key that has a cap, which is returned. The first reseller can always pay. */
export async function guard(
  service: Node,
  { account, name }: TestReseller,
  index: number,
  isPoor: boolean,
): Promise<{ readonly reseller: TestReseller; readonly guards: Guards }> {
  const guards = { account, ...(isPoor ? POOR : index === 1 ? CAPPED : USUAL) }
  const of = ['--reseller', account]
  const limit = (scope: string, period: string, payments: number) =>
    service.warungd(
      'limit',
      'set',
      ...of,
      '--scope',
      scope,
      '--period',
      period,
      '--payments',
      String(payments),
    )
  await limit('account', 'day', guards.perAccount)
  await limit('reseller', 'month', guards.perMonth)
  await service.warungd(
    'reseller',
    'update',
    ...of,
    '--duplicate-window-seconds',
    String(guards.windowSeconds),
  )
  const cap = ['--daily-cap', String(guards.dailyCap)]
  const made = await service.warungd<{ key: string; signing_secret: string }>('key', 'create', ...of, ...cap)
  const key = { apiKey: made.key, secretBase64: made.signing_secret }
  await untilKnown(service, key)
  return { reseller: { account, name, ...key }, guards }
}
