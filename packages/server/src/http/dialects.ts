import type { RequestError } from '../lib/errors.ts'

/**
 * How an operation words its troubles. The contract's operations differ; the trouble is thrown once and
 * rendered here, so that no domain spells an error body. `common` is every operation's unless it says
 * otherwise; the token operations' 401 also carries `errors`.
 */
export type Dialect = 'common' | 'token'

export type RenderedError = { status: number; body: object; headers: Readonly<Record<string, string>> }

export function renderError(dialect: Dialect, error: RequestError): RenderedError {
  return {
    status: error.status,
    body: { ...bodyOf(dialect, error), ...error.extra },
    headers: error.headers ?? {},
  }
}

function bodyOf(dialect: Dialect, error: RequestError): object {
  const message = error.publicText
  switch (error.status) {
    case 401: {
      // One body for both shapes the contract shows.
      const body = { error: error.code, message, metadata: { status_code: 401 } }
      return dialect === 'token' ? { ...body, errors: {} } : body
    }
    case 403:
      return { error: error.code, message }
    default:
      return { message, errors: error.fields ?? {} }
  }
}
