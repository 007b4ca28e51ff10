import type { Database, Tx } from '../../db/database.ts'
import type { OperatorRole } from '../accounts/types.ts'
import type { AuditCaller, AuditLog, Done, Target } from '../audit/types.ts'

export const APPROVAL_STATES = ['pending', 'approved', 'refused', 'withdrawn', 'expired'] as const
/** State of a request; `expired`: pending, but its time is over. */
export type ApprovalState = (typeof APPROVAL_STATES)[number]

export type Verdict = 'approved' | 'refused' | 'withdrawn'

export type ApprovalOperator = Extract<AuditCaller, { kind: 'operator' }>

/** Admin of a reseller, who may decide a request about that reseller. */
export type ApprovalMember = Extract<AuditCaller, { kind: 'member' }> & {
  readonly reseller: { readonly id: bigint }
}

/** Arguments of the act, in a form that JSON can hold; money and ids are text. */
export type ApprovalCommand = Readonly<Record<string, string | null>>

/** Content of a request, sealed as one piece. */
export type ApprovalRequest = {
  /** Name of the executor: `deposit`. */
  readonly kind: string
  readonly target: Target
  readonly command: ApprovalCommand
  readonly reason: string
  /** Reseller whose admins may decide it too; left out: operators alone decide it. */
  readonly resellerId?: bigint | undefined
}

export type Approval = ApprovalRequest & {
  readonly id: bigint
  readonly state: ApprovalState
  readonly requestedBy: OperatorName
  readonly requestedAt: Date
  readonly expiresAt: Date
  readonly decision: Decision | null
}

export type PendingApproval = Approval & {
  /** The operator made the request. */
  readonly isOwn: boolean
  /** The operator may decide it: another person's request, in a session, by the rules for second persons. */
  readonly mayDecide: boolean
}

export type OperatorName = { readonly id: bigint; readonly email: string }

export const DECIDER_KINDS = ['operator', 'member', 'link'] as const
/** member: an admin of the reseller. link: the link in a mail, which can only stop a request. */
export type DeciderKind = (typeof DECIDER_KINDS)[number]

/** Decider, by the name that people know: an e-mail address, or a member's user name. */
export type DeciderName = {
  readonly kind: DeciderKind
  /** null: a link has nobody who is signed in. */
  readonly id: bigint | null
  readonly name: string
}

export type Decision = {
  readonly by: DeciderName
  readonly at: Date
  readonly reason: string
  /** Result of the executor, when the request was approved. */
  readonly outcome: unknown
}

/** Executes an approved request in the approving commit; if it throws, the request stays pending. */
export type Executor = (
  tx: Tx,
  /** Same transaction, for services that open one of their own. */
  database: Database,
  approval: Pick<Approval, 'id' | 'command' | 'reason' | 'requestedBy'> & {
    readonly approvedBy: DeciderName
  },
) => Promise<Done<unknown>>

/** Requests that an operator may read: those of some kinds, and their own. */
export type ApprovalScope = { readonly kinds: readonly string[]; readonly operatorId: bigint }

export type ApprovalFilter = {
  /** Limit of the requests to read; absent or null: every request. */
  readonly scope?: ApprovalScope | null
  readonly state: ApprovalState | null
  readonly kind: string | null
  readonly beforeId: bigint | null
  readonly limit: number
}

export type Decider = ApprovalOperator | ApprovalMember

/** Checks the session or the proof of the decider again, in the deciding commit, before other rows are locked. */
export type Hold = (
  tx: Tx,
  approval: Pick<Approval, 'kind'>,
  caller: Decider,
  verdict: Verdict,
) => Promise<void>

export type ApprovalSettings = {
  readonly log: AuditLog
  readonly executors: Readonly<Record<string, Executor>>
  /** Tells whether a role may decide requests of this kind; asked with the operator's role in the deciding commit. */
  readonly mayDecide: (role: OperatorRole, kind: string) => boolean
  /**
   * Tells whether a role may make a request of this kind; asked again for the requester before the request is
   * executed.
   */
  readonly mayRequest: (role: OperatorRole, kind: string) => boolean
  /** Time until a pending request expires. */
  readonly ttlMs?: number
}

/** Parts of the process that a decision needs. */
export type DecisionWorld = ApprovalSettings & {
  /** Check of the caller of this face; left out: they proved who they are for this very decision. */
  readonly hold?: Hold
}

export type Approvals = {
  request(caller: ApprovalOperator, asked: NewApproval): Promise<Approval>
  /** World of the acts that decide. */
  readonly world: DecisionWorld
  /** Throws a 404, also for a request that the operator may not read. */
  get(id: bigint, scope?: ApprovalScope | null): Promise<Approval>
  /** Lists the newest first. */
  list(filter: ApprovalFilter): Promise<Approval[]>
  /** Lists the requests whose decision the reseller's admins may take, newest first. */
  listOfReseller(resellerId: bigint, limit: number): Promise<Approval[]>
  /** Locks the request until the commit: it stays in the state in which it is returned. */
  lock(tx: Tx, id: bigint): Promise<Approval>
  /** Refuses a locked pending request in the name of a mail address, whose owner used the link in a mail. */
  stop(tx: Tx, approval: Approval, address: string, reason: string): Promise<Approval>
  /** Lists the requests that wait for a decision, newest first, as they concern this operator. */
  listPending(
    caller: ApprovalOperator,
    page: { readonly scope: ApprovalScope | null; readonly limit: number },
  ): Promise<PendingApproval[]>
}

export type NewApproval = Omit<ApprovalRequest, 'reason'> & {
  readonly reason: unknown
  /**
   * Returns an equal pending request of the same operator instead of a new one, so that a client that lost the
   * answer can send the request again. Needed for acts that would be done twice if both were approved.
   */
  readonly isRepeatable?: boolean
  /** Binds the subject to the request, in the same commit. If it throws, nothing was asked for. */
  readonly alongside?: (tx: Tx, id: bigint) => Promise<void>
}
