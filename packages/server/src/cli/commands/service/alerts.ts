import { closeAlert } from '../../../modules/alerts/acts.ts'
import { ALERT } from '../../../modules/alerts/core/alerts.codec.ts'
import { listAlerts } from '../../../modules/alerts/core/service.ts'
import type { Alert } from '../../../modules/alerts/core/types.ts'
import type { Command } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { readLimit } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

export const alertCommands: readonly Command[] = [
  {
    name: 'alert list',
    summary: 'list alerts, newest first',
    options: {
      all: { help: 'those that were cleared as well' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' },
    },
    async run(call) {
      const limit = readLimit(call, 100)
      const { database } = await call.runtime()
      const alerts = (await listAlerts(database, { limit, withCleared: call.has('all') })).map(alertView)
      const rows = alerts.map(({ runbook: _runbook, ...row }) => row)
      const guide =
        alerts.length === 0
          ? ''
          : '\n\nThe page /docs/operators/runbooks of the service has what to do about each kind.'
      return { json: { alerts }, text: `${formatTable(rows, 'No alert is open.')}${guide}` }
    },
  },
  actCommand({
    name: 'alert clear',
    summary: 'clear an alert whose cause is mended; if the cause remains, a new one is raised',
    act: closeAlert,
    world: () => undefined,
    show(alert) {
      const view = alertView(alert)
      return { json: view, text: formatFields(view) }
    },
  }),
]

/** Shows an alert with the severity first, and a number where the API has text. */
function alertView(alert: Alert) {
  const { id, severity, kind, subject, text, times, ...rest } = ALERT.encode(alert)
  return { id, severity, kind, subject, text, times: Number(times), ...rest }
}
