import type { TSchema } from 'typebox'
import type { Authenticate } from '../../../http/operation.ts'
import type { PersonKind } from './people.types.ts'
import type { MemberCaller, OperatorCaller } from './types.ts'

/** One of the two APIs to which people sign in. Both have the same operations, with their own names. */
export type SignInApi = {
  readonly kind: PersonKind
  readonly prefix: '/operator/v1' | '/portal/v1'
  /** Part of the operation ids. */
  readonly name: 'Operator' | 'Portal'
  /** Name of the field that people sign in with. */
  readonly loginField: 'email' | 'username'
  /**
   * Accepts a session only, and none that a PIN opened: a script, or somebody at a shared till, has no need to change
   * passwords and sessions.
   */
  readonly inSession: Authenticate<OperatorCaller | MemberCaller>
  /** Accepts a session, also one without the required second factor, or a token. */
  readonly anybody: Authenticate<OperatorCaller | MemberCaller>
  /** Accepts a session, also one without the required second factor: its person sets one up. */
  readonly enrolling: Authenticate<OperatorCaller | MemberCaller>
  /** Accepts every session: its person signs out. */
  readonly leaving: Authenticate<OperatorCaller | MemberCaller>
  readonly schemas: { readonly signIn: TSchema; readonly session: TSchema; readonly reset: TSchema }
}
