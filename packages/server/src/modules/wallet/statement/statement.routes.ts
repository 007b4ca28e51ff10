import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import type { Authenticator } from '../../auth/service.ts'
import { StatementResponse, statementView } from './statement.codec.ts'
import { DAYS_MAX, readStatementParameters, STATEMENT_RULES } from './statement.rules.ts'
import type { Statements } from './statement.service.ts'

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
        query: Type.Object({
          date: parameter(
            STATEMENT_RULES.date,
            `yyyy-MM-dd, or yyyy-MM-dd - yyyy-MM-dd with both ends included; at most ${DAYS_MAX} days, GMT+8`,
          ),
          type: parameter(STATEMENT_RULES.type, 'Entries of this type alone. Blank: all'),
          page: parameter(STATEMENT_RULES.page, 'Number of the page'),
          limit: parameter(STATEMENT_RULES.limit, 'Entries of a page'),
        }),
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
