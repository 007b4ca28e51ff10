import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import { readStatementParameters } from './statement.rules.ts'
import { StatementParameters, StatementResponse } from './statement.schemas.ts'
import type { Statements } from './statement.service.ts'
import { statementView } from './statement.view.ts'

const PATH = '/v2/balance-statement'

/** Lists the statement's operations. `baseUrl` is the start of the page links. */
export function statementOperations(
  authenticate: Authenticator,
  statements: Statements,
  baseUrl: () => string,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'getBalanceStatement',
        summary: "The wallet's entries over a time",
        description: 'Newest first. The balance of each entry is that of the one before and its own amount.',
        tag: 'Wallet',
      },
      schemas: {
        query: StatementParameters,
        responses: { 200: StatementResponse },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const asked = readStatementParameters(query)
        const page = await statements.read(caller.reseller.id, asked)
        return { status: 200, body: statementView(`${baseUrl()}${PATH}`, asked, page) }
      },
    }),
  ]
}
