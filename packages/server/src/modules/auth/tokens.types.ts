import type { JWK } from 'jose'
import type { Tx } from '../../db/database.ts'
import type { DirectoryUser } from '../accounts/types.ts'

/** What one token request hands out. */
export type TokenResult = {
  readonly accessToken: string
  readonly idToken: string
  readonly expiresInSeconds: number
  /** null: the caller keeps the refresh token it has. */
  readonly refreshToken: string | null
}

export type SignedTokens = Omit<TokenResult, 'refreshToken'>

/** The ID token alone opens operations; the access token exists because the contract shows one. */
export type TokenUse = 'id' | 'access'

/** Who a token speaks for, as its claims carry it. */
export type TokenSubject = {
  readonly userId: bigint
  readonly resellerId: bigint
  readonly account: string
  readonly username: string
}

export type PublishedKeys = { readonly keys: readonly JWK[] }

export type Tokens = {
  /** 401 `invalid_credentials` or `second_factor_enabled`, 403 `ip_not_allowed`, 429 `too_many_requests`. */
  issue(request: { username: string; password: string; address: string }): Promise<TokenResult>
  /** 401 `invalid_refresh_token` or `second_factor_enabled`, 403 `ip_not_allowed`, 429 `too_many_requests`. */
  refresh(request: { refreshToken: string; address: string }): Promise<TokenResult>
  /**
   * The active user an ID token speaks for; 401 `invalid_token` for anything else. A changed password does
   * not end ID tokens already issued: they last their hour. A disabled user's end at once.
   */
  verify(bearer: string): Promise<{ user: DirectoryUser }>
  /** Ends every refresh token of a user; see the function of the same name. */
  revokeUserTokens(tx: Tx, resellerId: bigint, userId: bigint): Promise<number>
  /** The public keys that may verify a token now. */
  jwks(): PublishedKeys
  /** Signs with a new key from now on; the old one verifies until everything it signed has expired. */
  rotateKey(): Promise<{ kid: string }>
  /** Deletes what no limit and no token needs any more, in small steps. */
  cleanUp(): Promise<{ deleted: number }>
  close(): Promise<void>
}
