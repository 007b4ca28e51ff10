import type { SessionTill } from '../people/people.types.ts'

/** Browser at which people of a shop take over by PIN. */
export type SharedTill = SessionTill & {
  readonly resellerId: bigint
  /** True: so many wrong PINs came from it that it takes none. */
  readonly isLocked: boolean
}

export type ListedTill = SharedTill & {
  readonly openedBy: string
  /** People whose PIN is locked at this till. */
  readonly locked: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

/** Member who may take over at a till. */
export type TillPerson = {
  readonly id: bigint
  readonly name: string
  readonly isLocked: boolean
}

export type StoredPin = { readonly sealedHash: Buffer; readonly setAt: string }

/** Guess that was counted before it is judged. */
export type Guess = {
  readonly till: SharedTill
  readonly userId: bigint
  /** Wrong PINs in a row of the person at this till, and of everybody there within a day, if this one is wrong. */
  readonly ofPerson: number
  readonly ofTill: number
  readonly pin: StoredPin | undefined
}
