import type { Database, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'

export const ACTOR_KINDS = ['operator', 'token', 'member', 'command', 'system'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Person or program that acted, and its address. */
export type Actor = {
  readonly kind: ActorKind
  readonly id: bigint | null
  /** Name that people know: an operator's email, a member's username, a command's name. */
  readonly name: string
  /** Id of the session or the token. */
  readonly credential: string | null
  readonly address: string | null
}

/** Proof that a person gave again for an act. */
export type ActProof = {
  /** True: the act needs it, whatever it changes. */
  readonly isRequired: boolean
  /** Checks in the commit of the act that the proof counts still. Call it before other rows are locked. */
  readonly hold: (tx: Tx) => Promise<void>
}

/**
 * Callers as sessions know them, and the operator's command. Sessions write to the log, so this module does not
 * import them.
 */
export type AuditCaller =
  | {
      readonly kind: 'operator'
      readonly operatorId: bigint
      readonly email: string
      readonly via: 'session' | 'token'
      readonly credentialId: string
      readonly address: string
      readonly proof?: ActProof | undefined
    }
  | {
      readonly kind: 'member'
      readonly userId: bigint
      readonly username: string
      readonly credentialId: string
      readonly address: string
      readonly proof?: ActProof | undefined
    }
  | { readonly kind: 'command' | 'system'; readonly name: string }

/** Description of an act before it is done: caller, action, reason. */
export type Act = {
  readonly caller: AuditCaller
  /** Words joined by dots: `reseller.suspend`, `deposit.approve`. */
  readonly action: string
  /** Reason as it was given; a missing or too long one is a 400 about `reason`. */
  readonly reason: unknown
}

/** Target of an act, and the change to it. Values are masked and bounded before they are written. */
export type Done<T> = {
  /** `{ kind: 'reseller', id: '1000234' }`; the id is the one that people know. */
  readonly target: Target
  /** State before; null: it did not exist. */
  readonly before: unknown
  /** State after; null: it no longer exists. */
  readonly after: unknown
  readonly result: T
}

export type Target = { readonly kind: string; readonly id: string }

/** Row as the chain covers it. The texts have no narrower types, because the row may have been tampered with. */
export type AuditRecord = {
  readonly sequence: bigint
  readonly atMicros: bigint
  readonly actorKind: ActorKind
  readonly actorId: bigint | null
  readonly actor: string
  readonly credential: string | null
  readonly address: string | null
  readonly action: string
  readonly targetKind: string
  readonly target: string
  /** JSON exactly as stored. */
  readonly before: string | null
  readonly after: string | null
  readonly reason: string
}

export type ChainedRecord = AuditRecord & { readonly hash: Buffer }

export type AuditHead = { readonly sequence: bigint; readonly hash: Buffer; readonly seal: Buffer }

/** Head of the log at some time, as somebody noted it elsewhere. */
export type NotedHead = { readonly sequence: bigint; readonly hash: Buffer }

export type AuditBreak = {
  readonly kind: 'key' | 'sequence' | 'hash' | 'head' | 'noted_head'
  readonly sequence: bigint | undefined
  readonly expected: string
  readonly found: string
}

export type AuditReport = {
  /** First break in the log; undefined: the log is intact. */
  readonly broken: AuditBreak | undefined
  readonly recordCount: bigint
  readonly head: NotedHead | undefined
}

/** Filter of the log, newest first; null: any. */
export type AuditFilter = {
  readonly actor: string | null
  /** Action, or the first words of actions: `reseller`. */
  readonly action: string | null
  readonly targetKind: string | null
  readonly target: string | null
  readonly fromMs: number | null
  readonly untilMs: number | null
  readonly beforeSequence: bigint | null
  readonly limit: number
}

/** Dependencies of `audited`. */
export type AuditLog = {
  readonly database: Database
  readonly vault: Vault
  /** Key of the chain; made when the first row is written. */
  readonly key: () => Promise<Buffer>
}
