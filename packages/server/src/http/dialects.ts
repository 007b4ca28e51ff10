import type { RequestError } from '../lib/errors.ts'

/**
 * Shape of an operation's error bodies. The contract's operations differ: the error is thrown once and rendered here,
 * so that no domain writes an error body. `common` is the default; the 401 of the token operations also carries
 * `errors`. `coded` has the code in every body: its readers are programs of ours in browsers, which decide by it.
 */
export type Dialect = 'common' | 'token' | 'coded'

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
  if (dialect === 'coded') return { error: error.code, message, errors: error.fields ?? {} }
  switch (error.status) {
    case 401: {
      // This one body has the fields of both shapes that the contract shows.
      const body = { error: error.code, message, metadata: { status_code: 401 } }
      return dialect === 'token' ? { ...body, errors: {} } : body
    }
    case 403:
      return { error: error.code, message }
    default:
      return { message, errors: error.fields ?? {} }
  }
}
