export type SecondFactor = { readonly confirmedAt: Date | null; readonly recoveryCodesLeft: number }

/** A secret at the one moment it is shown. */
export type Enrolment = { readonly secret: Buffer; readonly uri: string }
