import type { ApprovalCommand } from '../approvals/types.ts'
import type { SessionsOptions } from '../sessions/people/settings.types.ts'

export const GRANT_KINDS = [
  'user_create',
  'user_change',
  'reseller_email',
  'operator_create',
  'operator_change',
] as const
/** Acts that give a person access, or that decide who is warned of it. */
export type GrantKind = (typeof GRANT_KINDS)[number]

/** Dependencies of the acts. */
export type GrantWorld = { readonly sessions: SessionsOptions }

/** Reseller as letters name it. */
export type Company = {
  readonly id: bigint
  readonly account: string
  readonly name: string
  readonly email: string
}

/** Acts that only the machine does, without a second person: it is told, not asked for. */
export type MachineGrantKind = 'password' | 'two_factor' | 'api_key'

export type Grant = {
  readonly kind: GrantKind | MachineGrantKind
  readonly command: ApprovalCommand
  /** null: a grant to an operator. */
  readonly company: Company | null
}

export const STOP_OUTCOMES = ['refused', 'undone', 'nothing'] as const
/** refused: the request is stopped. undone: the change was undone. nothing: it was never carried out, and will not be. */
export type StopOutcome = (typeof STOP_OUTCOMES)[number]
