import { networkOf } from '../../lib/addresses.ts'
import { digestOf, failuresDigestOf } from './tokens.rules.ts'

// Failures are counted twice. Per name and place: ten in 15 minutes shut the name out at that place, and nowhere else,
// so strangers do not keep the owner out. Per name over all places that are not known: a slower bound for guesses that
// come from many networks. A device or network that has proven itself before is held by its own count alone.

export const LOGIN_FAILURES_MAX = 10
export const LOGIN_FAILURES_WINDOW_SECONDS = 15 * 60
export const LOGIN_FAILURES_EVERYWHERE_MAX = 50
export const LOGIN_FAILURES_EVERYWHERE_WINDOW_SECONDS = 60 * 60

/** Who is guessed at, and from where, as failures are counted. */
export type Guess = {
  readonly name: Buffer
  readonly place: Buffer
  /** A failure at a known place does not count over all places, and is not held by that count. */
  readonly isKnown: boolean
}

export function networkPlace(address: string): Buffer {
  return digestOf(`network:${networkOf(address)}`)
}

export type Guesser = {
  readonly kind: 'member' | 'operator'
  readonly name: string
  readonly address: string
  /** The digest of a device that the person is known by. */
  readonly device: Buffer | undefined
}

export function guessOf({ kind, name, address, device }: Guesser): Guess {
  return {
    name: failuresDigestOf(kind, name),
    place: device === undefined ? networkPlace(address) : digestOf(`device:${device.toString('hex')}`),
    isKnown: device !== undefined,
  }
}

/** Where a name is shut out: at the place that guessed, or at every place that is not known. */
export type LockoutScope = 'place' | 'everywhere'
