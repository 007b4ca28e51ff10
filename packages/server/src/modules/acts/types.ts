import type { Database, Tx } from '../../db/database.ts'
import type { InputCodec } from '../../http/codec.ts'
import type { RequestError } from '../../lib/errors.ts'
import type { AuditCaller, AuditLog, Done, Target } from '../audit/types.ts'

/**
 * One use case that changes something. The operations of every API, the commands, the imports and the approvals run the
 * same object, so that lock, audit line and consent cannot differ between them.
 */
export type Act<World, Input, Result> = {
  /** Action in the audit log; read before the transaction where it follows from what is stored. */
  readonly name: string | ((input: NoInfer<Input>, world: NoInfer<World>) => string | Promise<string>)
  readonly input: InputCodec<Input>
  /** Takes the lock that every change of the subject takes, before `run` reads anything. */
  readonly lock?: (tx: Tx, input: Input, by: By<World>) => Promise<void>
  /** Form of the request to a second person; left out: one person alone may always do it. */
  readonly approval?: ApprovalForm<World, Input>
  /** Makes the change in the transaction. Anything but `Done` undoes it. */
  readonly run: (tx: Tx, input: Input, by: By<World>) => Promise<Ran<Result>>
}

/** Circumstances of one run. */
export type By<World> = {
  readonly caller: AuditCaller
  readonly reason: string
  readonly consent: Consent
  /** The open transaction as a `Database`, for services that open one of their own. */
  readonly database: Database
  /** Services that the act needs and that the process holds. */
  readonly world: World
}

/** Consent with which an act runs. */
export type Consent =
  /** None: the change is only rehearsed, and undone. */
  | { readonly kind: 'none needed' }
  /** One operator or member alone. */
  | { readonly kind: 'alone' }
  /** Person at the machine, who needs no second one. `loss`: the figure that was shown and is repeated. */
  | { readonly kind: 'accepted'; readonly loss: bigint | undefined }
  /** Second person, who has seen the change with this seal. */
  | { readonly kind: 'approved'; readonly seal: string | undefined; readonly approval: ApprovedRequest }

export type ApprovedRequest = {
  readonly id: bigint
  /** Reason that was given with the request. */
  readonly reason: string
  readonly requestedBy: { readonly id: bigint; readonly email: string }
  readonly approvedBy: { readonly kind: string; readonly id: bigint | null; readonly name: string }
}

/** Result of a run: the change, or the reason why it is undone. */
export type Ran<Result> = Done<Result> | Unchanged<Result> | NeedsSecondPerson | Refused

/** Nothing is changed, and no line is written: it was done before with this result, or the result says why not. */
export type Unchanged<Result> = { readonly unchanged: Result }

/** One person alone may not do it. `shown` is added to the stored request; `view` is shown to the asker. */
export type NeedsSecondPerson = {
  readonly ask: { readonly shown: Texts; readonly view: unknown }
}

/** It is not done, with the error that the caller gets. */
export type Refused = { readonly refuse: RequestError }

export type Texts = Readonly<Record<string, string | null>>

/** Request to a second person: how an input is stored and read again. Stored requests outlive a release. */
export type ApprovalForm<World, Input> = {
  readonly kind: string
  /** `command`: the stored input, with what was shown. */
  readonly target: (input: Input, command: Texts) => Target
  readonly write: (input: Input) => Texts
  readonly read: (command: Texts) => Input
  /** False: each request is a new one, because approving two of them does the act once. Default: true. */
  readonly isRepeatable?: (input: Input) => boolean
  /** Reseller whose admins may decide it too. */
  readonly resellerId?: (database: Database, input: Input) => Promise<bigint | undefined>
  /** Work in the commit of the request, such as letters to those who watch. */
  readonly alongside?: (
    tx: Tx,
    request: { readonly id: bigint; readonly command: Texts },
    input: Input,
    by: By<World>,
  ) => Promise<void>
}

/** Request that `perform` hands to the approvals. */
export type AskedAct = {
  readonly kind: string
  readonly target: Target
  readonly command: Texts
  readonly reason: string
  readonly resellerId: bigint | undefined
  readonly isRepeatable: boolean
  readonly alongside: (tx: Tx, id: bigint) => Promise<void>
}

/** Parts of the process that every act needs. `Asked` is what the approvals return for a request. */
export type Stage<World, Asked> = {
  readonly log: AuditLog
  readonly world: World
  readonly ask: (caller: AuditCaller, asked: AskedAct) => Promise<Asked>
}

export type Given = {
  readonly caller: AuditCaller
  /** Values by their names on the wire. */
  readonly input: Readonly<Record<string, unknown>>
  readonly reason: unknown
  /** Default: one person alone. */
  readonly consent?: Consent
  /** True: everything is checked and done, and then undone. */
  readonly isDry?: boolean
}

export type Outcome<Result, Asked> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'asked'; readonly asked: Asked; readonly view: unknown }
  | { readonly kind: 'refused'; readonly error: RequestError }
