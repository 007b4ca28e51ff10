import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import {
  AlertListParameters,
  AlertListResponse,
  AlertParameters,
  AlertResponse,
  ClearAlertBody,
} from './alerts.schemas.ts'
import { clearForOperators, listAlertsForOperators } from './alerts.service.ts'
import { alertView } from './alerts.view.ts'

const TAG = 'Alerts'
const PATH = '/operator/v1/alerts'

export function operatorAlertOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listAlerts', summary: 'List alerts, newest first', tag: TAG },
      schemas: {
        query: AlertListParameters,
        responses: { 200: AlertListResponse },
      },
      authenticate: authenticate(...rolesFor('alerts.read')),
      async handle({ query }) {
        const alerts = await listAlertsForOperators(context, query)
        return { status: 200, body: { data: alerts.map(alertView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:id/clear`,
      docs: {
        operationId: 'clearAlert',
        summary: 'Clear an alert',
        description: 'Clear it when its cause is mended; if the cause remains, a new one is raised.',
        tag: TAG,
      },
      schemas: {
        params: AlertParameters,
        body: ClearAlertBody,
        responses: { 200: AlertResponse },
      },
      authenticate: authenticate(...rolesFor('alerts.write')),
      async handle({ caller, params, body }) {
        const alert = await clearForOperators(context, caller, params.id, body.reason)
        return { status: 200, body: { data: alertView(alert) } }
      },
    }),
  ]
}
