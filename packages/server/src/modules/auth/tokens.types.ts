import type { JWK } from 'jose'
import type { Tx } from '../../db/database.ts'
import type { DirectoryUser } from '../accounts/types.ts'

/** Tokens that one request returns. */
export type TokenResult = {
  readonly accessToken: string
  readonly idToken: string
  readonly expiresInSeconds: number
  /** null: the caller keeps the refresh token it has. */
  readonly refreshToken: string | null
}

export type SignedTokens = Omit<TokenResult, 'refreshToken'>

/**
 * Use of a token. Only the ID token gives access to operations; the access token exists because the contract shows one.
 */
export type TokenUse = 'id' | 'access'

/** Subject of a token, as its claims carry it. */
export type TokenSubject = {
  readonly userId: bigint
  readonly resellerId: bigint
  readonly account: string
  readonly username: string
}

export type PublishedKeys = { readonly keys: readonly JWK[] }

export type Tokens = {
  /** Answers 401 `invalid_credentials` or `second_factor_enabled`, 403 `ip_not_allowed`, 429 `too_many_requests`. */
  issue(request: { username: string; password: string; address: string }): Promise<TokenResult>
  /** Answers 401 `invalid_refresh_token` or `second_factor_enabled`, 403 `ip_not_allowed`, 429 `too_many_requests`. */
  refresh(request: { refreshToken: string; address: string }): Promise<TokenResult>
  /**
   * Finds the active user of an ID token. Answers 401 `invalid_token` for anything else. A change of password does not
   * end ID tokens already issued: they last their hour. Those of a disabled user end at once.
   */
  verify(bearer: string): Promise<{ user: DirectoryUser }>
  /** Ends every refresh token of a user; see the function of the same name. */
  revokeUserTokens(tx: Tx, resellerId: bigint, userId: bigint): Promise<number>
  /** Public keys that may verify a token now. */
  jwks(): PublishedKeys
  /** Signs a document. It verifies for as long as its reader keeps the public key: `type` keeps it apart from tokens. */
  signDocument(
    type: string,
    claims: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly jws: string; readonly kid: string; readonly publicJwk: JWK }>
  /** Signs with a new key from now on. The old key verifies until everything it signed has expired. */
  rotateKey(): Promise<{ kid: string }>
  /** Deletes rows that no limit and no token needs any more, in small steps. */
  cleanUp(): Promise<{ deleted: number }>
  close(): Promise<void>
}
