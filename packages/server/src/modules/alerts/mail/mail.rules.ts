import { isInNetworks, parseNetwork } from '../../../lib/addresses.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import { UNITS_PER_RINGGIT } from '../../../lib/money.ts'

const MINUTE_MS = 60_000

/** After each failed attempt; the last one comes most of a day after the first. */
const RETRY_AFTER_MINUTES = [1, 5, 15, 60, 180, 360, 720]

/** How long after that many attempts the next one is made; undefined: it is given up. */
export function retryAfterMs(attemptsMade: number): number | undefined {
  const minutes = RETRY_AFTER_MINUTES[attemptsMade - 1]
  return minutes === undefined ? undefined : minutes * MINUTE_MS
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseNetwork).filter((each) => each !== undefined)

export function isLoopback(address: string): boolean {
  return isInNetworks(address, LOOPBACK)
}

/** By its name or an address that never leaves it. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

const DAYS_MANY = 365

/** How long a balance lasts when so much is taken from it each day, in words. */
export function forecastOf(balance: bigint, perDay: bigint): string {
  const days = balance / perDay
  if (days < 1n) return 'less than a day'
  if (days === 1n) return 'about 1 day'
  return days > DAYS_MANY ? 'more than a year' : `about ${days} days`
}

/** To whole sen: a rate is no sum of money that anybody holds. */
export function roundRate(perDay: bigint): bigint {
  const sen = UNITS_PER_RINGGIT / 100n
  return ((perDay + sen / 2n) / sen) * sen
}

/** Where, without what may be secret: neither query nor credentials. */
export function publicPartOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host, pathname } = new URL(url)
  return oneLine(`${protocol}//${host}${pathname}`, 200)
}
