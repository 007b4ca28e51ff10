import type { Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import type { Authenticator } from '../auth/service.ts'
import { readNetworkParameters } from './rules.ts'
import { NetworkParameters, NetworkResponse } from './schemas.ts'
import type { Network } from './service.ts'

const HEADERS = { 'Content-Type': 'application/json; charset=utf-8' }

export function networkOperations(authenticate: Authenticator, network: Network): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/networkstatus',
      docs: {
        operationId: 'getNetworkStatus',
        summary: 'Whether a product works at present',
        description:
          'Interruption: payments may take longer, wait or be refused. From what payments of the last minutes ' +
          "met, and from the operators' notices.",
        tag: 'Catalogue',
      },
      schemas: {
        query: NetworkParameters,
        responses: { 200: NetworkResponse },
      },
      also: [404],
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const { product } = readNetworkParameters(query)
        return { status: 200, body: network.statusFor(caller.reseller, product), headers: HEADERS }
      },
    }),
  ]
}
