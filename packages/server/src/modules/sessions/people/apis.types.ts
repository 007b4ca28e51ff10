import type { TSchema } from 'typebox'
import type { Authenticate } from '../../../http/operation.ts'
import type { PersonKind } from './people.types.ts'
import type { MemberCaller, OperatorCaller } from './types.ts'

/** The two APIs people sign in to have the same operations, in their own words. */
export type SignInApi = {
  readonly kind: PersonKind
  readonly prefix: '/operator/v1' | '/portal/v1'
  /** In operation ids. */
  readonly name: 'Operator' | 'Portal'
  /** What people sign in by. */
  readonly loginField: 'email' | 'username'
  /** Signed in: a script has no business with passwords and sessions. */
  readonly inSession: Authenticate<OperatorCaller | MemberCaller>
  /** Signed in, also without the second factor that is required; or with a token. */
  readonly anybody: Authenticate<OperatorCaller | MemberCaller>
  /** Signed in, also without the second factor that is required: they set one up, or sign out. */
  readonly enrolling: Authenticate<OperatorCaller | MemberCaller>
  readonly schemas: { readonly signIn: TSchema; readonly session: TSchema; readonly reset: TSchema }
}
