import { isInNetworks, parseNetwork } from '../../../lib/addresses.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import { UNITS_PER_RINGGIT } from '../../../lib/money.ts'

const MINUTE_MS = 60_000

/** Pause after each failed attempt. The last attempt comes most of a day after the first. */
const RETRY_AFTER_MINUTES = [1, 5, 15, 60, 180, 360, 720]

/** Milliseconds until the next attempt. undefined: the mail is given up. */
export function retryAfterMs(attemptsMade: number): number | undefined {
  const minutes = RETRY_AFTER_MINUTES[attemptsMade - 1]
  return minutes === undefined ? undefined : minutes * MINUTE_MS
}

/** Days after which a mail is of no use any more. */
export const USEFUL_DAYS = 3

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseNetwork).filter((each) => each !== undefined)

export function isLoopback(address: string): boolean {
  return isInNetworks(address, LOOPBACK)
}

/** Tells whether the host is this machine, by its name or by a loopback address. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

const DAYS_MANY = 365

/** Time that a balance lasts when `perDay` is taken from it each day, in words. */
export function forecastOf(balance: bigint, perDay: bigint): number | undefined {
  const days = balance / perDay
  return days > DAYS_MANY ? undefined : Number(days)
}

/** Rounds to whole sen: a rate is not an amount of money that anybody holds. */
export function roundRate(perDay: bigint): bigint {
  const sen = UNITS_PER_RINGGIT / 100n
  return ((perDay + sen / 2n) / sen) * sen
}

/** URL without the parts that may be secret: the query and the credentials. */
export function publicPartOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host, pathname } = new URL(url)
  return oneLine(`${protocol}//${host}${pathname}`, 200)
}
