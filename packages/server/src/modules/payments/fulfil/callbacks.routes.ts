import type { IncomingRequest, Method, Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { CallbackRequest } from '../../providers/port/types.ts'
import { CALLBACK_BYTES_MAX } from '../../providers/port/types.ts'
import { CallbackParams, CallbackTaken } from './callbacks.schemas.ts'
import type { Callbacks } from './callbacks.service.ts'

const METHODS: readonly Method[] = ['POST', 'GET']

/**
 * Operations for providers, not for resellers. The provider's own signature proves a callback; its connector judges it.
 */
export function callbackOperations(
  callbacks: Pick<Callbacks, 'expects' | 'receive' | 'answerOf'>,
): Operation[] {
  return METHODS.map((method) =>
    operation({
      method,
      path: '/callbacks/:provider',
      docs: {
        operationId: method === 'POST' ? 'receiveCallback' : 'receiveCallbackByQuery',
        summary: 'Take a callback of a provider',
        tag: 'Providers',
        hidden: true,
      },
      schemas: {
        params: CallbackParams,
        responses: { 200: CallbackTaken },
      },
      authenticate: anyone,
      bodyLimits: { bytesMax: CALLBACK_BYTES_MAX },
      ...(method === 'GET' && { answersHead: true }),
      // No header proves anything yet, so the name in the address must be a provider's.
      recognize(request, { provider = '' }) {
        if (!isProbe(method, request) && !callbacks.expects(provider)) throw notFound()
      },
      async handle({ params, request }) {
        if (isProbe(method, request)) return { status: 200, body: {} }
        const result = await callbacks.receive(params.provider, asCallback(request))
        if (result === 'unknown') throw notFound()
        if (result === 'refused') throw refused()
        return { status: 200, body: callbacks.answerOf(params.provider) }
      },
    }),
  )
}

/** Tells whether somebody only tries the address, as suppliers do when it is set. The answer is the same for every name. */
function isProbe(method: Method, { rawQuery }: IncomingRequest): boolean {
  return method === 'GET' && rawQuery === ''
}

function asCallback({ headers, rawQuery, body }: IncomingRequest): CallbackRequest {
  const joined: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { headers: joined, query: rawQuery, body }
}

function notFound(): RequestError {
  return new RequestError({
    status: 404,
    code: 'not_found',
    publicText: 'There is nothing at this address.',
  })
}

/**
 * Refuses a callback without a reason. The reason is in the log: an attacker who tries signatures learns nothing from
 * the answer.
 */
function refused(): RequestError {
  return new RequestError({
    status: 401,
    code: 'unauthorized',
    publicText: 'The callback was not accepted.',
  })
}
