import type { Amount } from '../wallet/types.ts'

// What a provider can do for us, one small capability each; a connector offers those it has.

/** Choices that exist for one account only: a person's loan accounts, a number's own plans. */
export type DynamicOptionsRequest = {
  readonly productCode: string
  readonly fieldId: string
  /** What the field depends on: an identity number, a phone number. A secret: never logged. */
  readonly accountNumber: string
}

export type DynamicOption = {
  readonly code: string
  readonly label: string
  readonly description: string | null
  /** The account to pay, where choosing the option chooses it. */
  readonly accountNumber: string | null
  /** Options of a pricing field: face value or quantity. */
  readonly denomination: Amount | null
  readonly validity: string | null
  readonly features: readonly string[] | null
}

export type DynamicOptionsAnswer =
  | { readonly kind: 'found'; readonly options: readonly DynamicOption[] }
  | { readonly kind: 'unavailable'; readonly reason: string }

export type DynamicOptionsCapability = {
  listOptions(request: DynamicOptionsRequest, signal: AbortSignal): Promise<DynamicOptionsAnswer>
}
