export const CHALLENGE_PURPOSES = ['register', 'sign_in', 'prove'] as const
/** Purpose of a challenge: an answer counts for this purpose alone. */
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number]

export type Passkey = {
  readonly id: bigint
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
  /** Name that its person gave it. */
  readonly label: string
  readonly isBackedUp: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** Answer of a device to a registration, as a browser sends it. */
export type Attestation = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}

/** Answer of a device to a sign-in, as a browser sends it. */
export type Assertion = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

/** Site that a passkey belongs to, as browsers compare it. */
export type RelyingParty = {
  readonly id: string
  /** Origins of the pages that may ask for a passkey of this site. */
  readonly origins: readonly string[]
}

/** Challenge at the moment it is handed out. */
export type Ceremony = {
  /** Secret that belongs to the challenge; it comes back with the answer. */
  readonly ceremony: string
  readonly challenge: string
  readonly rpId: string
}
