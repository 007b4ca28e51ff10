import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'

export const ACTOR_KINDS = ['operator', 'token', 'member', 'command', 'system'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who did it, and from where. */
export type Actor = {
  readonly kind: ActorKind
  readonly id: bigint | null
  /** As people know them: an operator's email, a member's username, a command's name. */
  readonly name: string
  /** Of the session or the token. */
  readonly credential: string | null
  readonly address: string | null
}

/** Callers as the sessions know them, and the operator's command; sessions write to the log, and are not known here. */
export type AuditCaller =
  | {
      readonly kind: 'operator'
      readonly operatorId: bigint
      readonly email: string
      readonly via: 'session' | 'token'
      readonly credentialId: string
      readonly address: string
    }
  | {
      readonly kind: 'member'
      readonly userId: bigint
      readonly username: string
      readonly credentialId: string
      readonly address: string
    }
  | { readonly kind: 'command' | 'system'; readonly name: string }

/** What is done, before it is: who does what, and why. */
export type Act = {
  readonly caller: AuditCaller
  /** Words with dots between: `reseller.suspend`, `deposit.approve`. */
  readonly action: string
  /** As it was given; one that is missing or too long is a 400 about `reason`. */
  readonly reason: unknown
}

/** To what it was done, and what that changed. Values are masked and bounded before they are written. */
export type Done<T> = {
  /** `{ kind: 'reseller', id: '1000234' }`, by the name that people know it by. */
  readonly target: Target
  /** null: there was nothing. */
  readonly before: unknown
  /** null: there is nothing any more. */
  readonly after: unknown
  readonly result: T
}

export type Target = { readonly kind: string; readonly id: string }

/** A row as the chain covers it. Words are not narrowed: they may have been changed. */
export type AuditRecord = {
  readonly sequence: bigint
  readonly atMicros: bigint
  readonly actorKind: string
  readonly actorId: bigint | null
  readonly actor: string
  readonly credential: string | null
  readonly address: string | null
  readonly action: string
  readonly targetKind: string
  readonly target: string
  /** JSON, to the letter. */
  readonly before: string | null
  readonly after: string | null
  readonly reason: string
}

export type ChainedRecord = AuditRecord & { readonly hash: Buffer }

export type AuditHead = { readonly sequence: bigint; readonly hash: Buffer; readonly seal: Buffer }

/** Where the log stood at some time, as somebody wrote it down elsewhere. */
export type NotedHead = { readonly sequence: bigint; readonly hash: Buffer }

export type AuditBreak = {
  readonly kind: 'key' | 'sequence' | 'hash' | 'head' | 'noted_head'
  readonly sequence: bigint | undefined
  readonly expected: string
  readonly found: string
}

export type AuditReport = {
  /** Where the log first stops being what it should be; undefined: nowhere. */
  readonly broken: AuditBreak | undefined
  readonly recordCount: bigint
  readonly head: NotedHead | undefined
}

/** Newest first; null: any. */
export type AuditFilter = {
  readonly actor: string | null
  /** An action, or the beginning of some: `reseller`. */
  readonly action: string | null
  readonly targetKind: string | null
  readonly target: string | null
  readonly fromMs: number | null
  readonly untilMs: number | null
  readonly beforeSequence: bigint | null
  readonly limit: number
}

/** What `audited` stands on. */
export type AuditLog = {
  readonly database: Database
  readonly vault: Vault
  /** The chain's key; made when the first row is to be written. */
  readonly key: () => Promise<Buffer>
}
