import { networkOf } from '../../lib/addresses.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { failuresDigestOf } from './tokens.rules.ts'

// Failures are counted twice. The count per name and place: ten in 15 minutes lock the name out at that place only, so
// that strangers do not keep the owner out. The count per name over all unknown places: a slower limit for guesses from
// many networks. A device or network that has succeeded before has its own count only.

export const LOGIN_FAILURES_MAX = 10
export const LOGIN_FAILURES_WINDOW_SECONDS = 15 * 60
export const LOGIN_FAILURES_EVERYWHERE_MAX = 50
export const LOGIN_FAILURES_EVERYWHERE_WINDOW_SECONDS = 60 * 60

/** Name that is guessed at, and the place of the guess, as failures are counted. */
export type Guess = {
  readonly name: Buffer
  readonly place: Buffer
  /** True: failures at this place do not add to the count over all places, and are not limited by it. */
  readonly isKnown: boolean
}

export function digestOfNetwork(address: string): Buffer {
  return digestOf(`network:${networkOf(address)}`)
}

export type Guesser = {
  readonly kind: 'member' | 'operator'
  readonly name: string
  readonly address: string
  /** Digest of a device by which the person is known. */
  readonly device: Buffer | undefined
}

export function guessOf({ kind, name, address, device }: Guesser): Guess {
  return {
    name: failuresDigestOf(kind, name),
    place: device === undefined ? digestOfNetwork(address) : digestOf(`device:${device.toString('hex')}`),
    isKnown: device !== undefined,
  }
}

/** Extent of a lockout: the place that guessed, or every unknown place. */
export type LockoutScope = 'place' | 'everywhere'
