import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import {
  AUDIT_ENTRY,
  AUDIT_PROOF,
  AuditListParameters,
  AuditListResponse,
  AuditProofResponse,
} from './audit.codec.ts'
import { createAuditProof, listAuditForOperators } from './audit.service.ts'

const TAG = 'Audit'

export function operatorAuditOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  const prove = createAuditProof(context)
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/audit',
      docs: { operationId: 'listAudit', summary: 'List the audit log, newest first', tag: TAG },
      schemas: {
        query: AuditListParameters,
        responses: { 200: AuditListResponse },
      },
      authenticate: authenticate(...rolesFor('audit.read')),
      async handle({ query }) {
        return {
          status: 200,
          body: pageView(await listAuditForOperators(context, query), (row) => AUDIT_ENTRY.encode(row)),
        }
      },
    }),
    operation({
      method: 'GET',
      path: '/operator/v1/audit/proof',
      docs: {
        operationId: 'proveAudit',
        summary: 'Prove the audit log',
        description: 'Go through the log: whether a row was changed, added or taken away.',
        tag: TAG,
      },
      schemas: { responses: { 200: AuditProofResponse } },
      authenticate: authenticate(...rolesFor('audit.read')),
      async handle() {
        return { status: 200, body: { data: AUDIT_PROOF.encode(await prove()) } }
      },
    }),
  ]
}
