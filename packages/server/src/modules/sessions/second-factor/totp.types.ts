export type SecondFactor = { readonly confirmedAt: Date | null; readonly recoveryCodesLeft: number }

/** Secret at the one moment when it is shown. */
export type Enrolment = { readonly secret: Buffer; readonly uri: string }
