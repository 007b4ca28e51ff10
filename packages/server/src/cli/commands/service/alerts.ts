import { runbookPathOf } from '../../../modules/alerts/alert/kinds.rules.ts'
import { listAlerts } from '../../../modules/alerts/alert/service.ts'
import type { Alert } from '../../../modules/alerts/alert/types.ts'
import { clearForOperators } from '../../../modules/operator/watch/alerts.service.ts'
import type { Command } from '../../command.ts'
import { readId, readLimit } from '../../options.ts'
import { openAct } from '../../record.ts'
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
      const guide = alerts.length === 0 ? '' : '\n\ndocs/runbooks.md has the runbook of each kind.'
      return { json: { alerts }, text: `${formatTable(rows, 'No alert is open.')}${guide}` }
    },
  },
  {
    name: 'alert clear',
    summary: 'clear an alert whose cause is mended; if the cause remains, a new one is raised',
    options: { id: { value: 'NUMBER', help: 'as alert list shows it', required: true } },
    async run(call) {
      const id = readId(call, 'id')
      const { caller, reason, ...context } = await openAct(call)
      const view = alertView(await clearForOperators(context, caller, String(id), reason))
      return { json: view, text: formatFields(view) }
    },
  },
]

function alertView(alert: Alert) {
  return {
    id: String(alert.id),
    severity: alert.severity,
    kind: alert.kind,
    subject: alert.subject,
    text: alert.text,
    times: Number(alert.times),
    raised_at: alert.raisedAt.toISOString(),
    last_seen_at: alert.lastSeenAt.toISOString(),
    cleared_at: alert.clearedAt?.toISOString() ?? null,
    runbook: runbookPathOf(alert.kind) ?? null,
  }
}
