import type { Database, Tx } from '../../db/database.ts'
import type { AuditCaller, Done, Target } from '../audit/types.ts'

export const APPROVAL_STATES = ['pending', 'approved', 'refused', 'withdrawn', 'expired'] as const
/** `expired`: pending, and its time is over. */
export type ApprovalState = (typeof APPROVAL_STATES)[number]

export type ApprovalOperator = Extract<AuditCaller, { kind: 'operator' }>

/** What is to be done, as JSON can hold it; money and ids are text. */
export type ApprovalCommand = Readonly<Record<string, string | null>>

/** What is asked for, sealed as one piece. */
export type ApprovalRequest = {
  /** Names the executor: `deposit`. */
  readonly kind: string
  readonly target: Target
  readonly command: ApprovalCommand
  readonly reason: string
}

export type Approval = ApprovalRequest & {
  readonly id: bigint
  readonly state: ApprovalState
  readonly requestedBy: OperatorName
  readonly requestedAt: Date
  readonly expiresAt: Date
  readonly decision: Decision | null
}

export type OperatorName = { readonly id: bigint; readonly email: string }

export type Decision = {
  readonly by: OperatorName
  readonly at: Date
  readonly reason: string
  /** What came of it, when it was approved. */
  readonly outcome: unknown
}

/** Carries out what was approved, in the approving commit; what it throws leaves the request pending. */
export type Executor = (
  tx: Tx,
  /** The same transaction, for services that open one of their own. */
  database: Database,
  approval: Pick<Approval, 'id' | 'command'>,
) => Promise<Done<unknown>>

/** The requests that somebody may read: those of some kinds, and their own. */
export type ApprovalSight = { readonly kinds: readonly string[]; readonly operatorId: bigint }

export type ApprovalFilter = {
  /** Left out or null: every request. */
  readonly sight?: ApprovalSight | null
  readonly state: ApprovalState | null
  readonly kind: string | null
  readonly beforeId: bigint | null
  readonly limit: number
}

export type Approvals = {
  request(caller: ApprovalOperator, asked: NewApproval): Promise<Approval>
  /** Carries it out. Again by the same operator: what came of it, and nothing is done twice. */
  approve(caller: ApprovalOperator, id: bigint, reason: unknown): Promise<Approval>
  refuse(caller: ApprovalOperator, id: bigint, reason: unknown): Promise<Approval>
  /** By whoever asked. */
  withdraw(caller: ApprovalOperator, id: bigint, reason: unknown): Promise<Approval>
  /** 404 also for a request that is out of sight. */
  get(id: bigint, sight?: ApprovalSight | null): Promise<Approval>
  /** Newest first. */
  list(filter: ApprovalFilter): Promise<Approval[]>
}

export type NewApproval = Omit<ApprovalRequest, 'reason'> & {
  readonly reason: unknown
  /**
   * An equal request of the same operator that is pending is this one: an answer that got lost is asked for by sending
   * the request again. For what would be done twice if both were approved.
   */
  readonly isRepeatable?: boolean
}
