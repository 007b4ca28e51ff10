import { Type } from 'typebox'
import { isForwarded } from '../../../http/intake/forwarding.ts'
import { hasNearHost } from '../../../http/intake/host-header.ts'
import type { IncomingRequest, Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { enumOf } from '../../../http/schemas.ts'
import { isPrivateAddress } from '../../../lib/addresses.ts'
import { RequestError } from '../../../lib/errors.ts'
import { OPERATOR_ROLES, USER_ROLES } from '../../accounts/types.ts'
import type { SignInApi } from '../people/apis.types.ts'
import type { DemoAccounts } from '../people/demo.service.ts'
import { listDemoAccounts } from '../people/demo.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'

const DemoAccountsResponse = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        login: Type.String({ description: 'The email of an operator, the username of a member' }),
        password: Type.String(),
        name: Type.String(),
        role: enumOf([...OPERATOR_ROLES, ...USER_ROLES]),
        reseller: Type.Union([Type.Object({ account: Type.String(), name: Type.String() }), Type.Null()]),
      }),
    ),
  },
  { title: 'Demo accounts' },
)

/** Shows the demo's accounts on the page to sign in. Production, and staging without the demo, have none. */
export function demoAccountOperations(
  options: SessionsOptions,
  api: SignInApi,
  accounts: DemoAccounts,
  trustsProxies: boolean,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${api.prefix}/demo-accounts`,
      docs: {
        operationId: `list${api.name}DemoAccounts`,
        summary: 'Accounts of the demo, to try the service with',
        description:
          'In staging with the demo’s data; 404 everywhere else.' +
          (api.kind === 'operator'
            ? ' Shown to private addresses alone, not through an unknown proxy, and not under a name of others.'
            : ''),
        tag: 'Session',
      },
      schemas: { responses: { 200: DemoAccountsResponse } },
      also: [404, 503, 504],
      authenticate: anyone,
      async handle({ request }) {
        // An operator sees every account: a staging service that the world can reach does not hand that out.
        const isShown = api.kind === 'member' || isNear(options, request, trustsProxies)
        const found = isShown ? await listDemoAccounts(options, api.kind, accounts) : []
        if (found.length === 0) throw noDemo()
        return { status: 200, body: { data: found } }
      },
    }),
  ]
}

/**
 * Tells whether the request comes from a private address, not from a proxy there that nobody named, and not from a page
 * of a stranger who points a name of theirs at this service.
 */
function isNear(
  { config: { publicUrl, dashboardUrl } }: SessionsOptions,
  { address, headers }: IncomingRequest,
  trustsProxies: boolean,
): boolean {
  const own = [publicUrl, dashboardUrl].filter((url) => url !== undefined)
  return isPrivateAddress(address) && (trustsProxies || !isForwarded(headers)) && hasNearHost(headers, own)
}

function noDemo(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There are no demo accounts here.' })
}
