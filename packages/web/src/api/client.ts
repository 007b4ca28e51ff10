import { ApiProblem, problemOf } from './errors.ts'

type AnyOperation = { params: unknown; query: unknown; body: unknown; answer: unknown }

/** Input of an operation: only the parts that it has. */
export type InputOf<O> = O extends AnyOperation
  ? Part<'params', O['params']> & Part<'query', O['query']> & Part<'body', O['body']>
  : never

type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : Record<string, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

export type AnswerOf<O> = O extends AnyOperation ? O['answer'] : never

type CallOptions = { readonly signal?: AbortSignal }

export type Client<Operations> = {
  call<Id extends keyof Operations & string>(
    id: Id,
    input: InputOf<Operations[Id]>,
    options?: CallOptions,
  ): Promise<AnswerOf<Operations[Id]>>
  /** Address of a GET operation, for links to files. */
  urlOf<Id extends keyof Operations & string>(id: Id, input: InputOf<Operations[Id]>): string
  /** Keeps the token that every change must carry. */
  setCsrfToken(token: string | null): void
}

type ClientOptions = {
  /** Called when the service says that nobody is signed in. */
  readonly onSignedOut: () => void
  /** Called when the service refuses the person for want of a second factor. */
  readonly onSecondFactorMissing?: () => void
  /** Called when an act asks for a fresh proof. True: it was given, and the act is sent again. */
  readonly onProofRequired?: () => Promise<boolean>
}

type LooseInput = { params?: unknown; query?: unknown; body?: unknown }

/** Makes a client of one of the service's APIs from its table of routes. */
export function createClient<Operations>(
  routes: Readonly<Record<keyof Operations & string, string>>,
  options: ClientOptions,
): Client<Operations> {
  let csrfToken: string | null = null

  function requestOf(id: keyof Operations & string, input: LooseInput) {
    const [method = 'GET', path = ''] = routes[id].split(' ')
    return { method, url: fillPath(path, input.params) + queryText(input.query) }
  }

  return {
    async call(id, input, { signal } = {}) {
      const { method, url } = requestOf(id, input as LooseInput)
      const { body } = input as LooseInput
      const headers: Record<string, string> = {
        Accept: 'application/json',
        // Language of the page, which may be another than the browser's.
        'Accept-Language': document.documentElement.lang,
      }
      if (method !== 'GET' && csrfToken !== null) headers['X-CSRF-Token'] = csrfToken
      if (body !== undefined) headers['Content-Type'] = contentTypeOf(body)
      const init: RequestInit = {
        method,
        headers,
        credentials: 'same-origin',
        cache: 'no-store',
        ...(body === undefined ? {} : { body: encode(body) }),
        ...(signal === undefined ? {} : { signal }),
      }
      let response = await send(url, init)
      while (!response.ok) {
        const problem = await problemOf(response)
        tell(problem, options)
        if (problem.code !== 'proof_required' || !(await options.onProofRequired?.())) throw problem
        response = await send(url, init)
      }
      if (response.status === 204) return null as never
      const type = response.headers.get('content-type') ?? ''
      return (type.includes('json') ? await response.json() : await response.text()) as never
    },
    urlOf: (id, input) => requestOf(id, input as LooseInput).url,
    setCsrfToken(token) {
      csrfToken = token
    },
  }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiProblem('', { status: 0, code: 'no_answer' })
  }
}

/** Tells the shell what an error answer means for the session. */
function tell({ status, code }: ApiProblem, options: ClientOptions): void {
  if (status === 401 && isSignedOut(code)) options.onSignedOut()
  if (code === 'second_factor_required') options.onSecondFactorMissing?.()
}

/** A wrong password or code is also a 401, and does not end a session. */
function isSignedOut(code: string): boolean {
  return code === 'unauthorized' || code === 'invalid_session'
}

function contentTypeOf(body: unknown): string {
  if (typeof body === 'string') return 'text/csv'
  return 'application/json'
}

function encode(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function fillPath(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, string | number>
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

function queryText(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null || value === '') continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Input of the read that tells who is signed in. It is no error that nobody is: the answer is then empty. */
export const SESSION_READ = { query: { quiet: true } } as const
