import type { Rule } from '../../../lib/input/fields.ts'
import { readFields, textRule } from '../../../lib/input/fields.ts'
import { idRule, parseId } from '../../../lib/input/ids.ts'
import { createAuditLog, listAudit } from '../../../modules/audit/service.ts'
import type { AuditReport, ChainedRecord, NotedHead } from '../../../modules/audit/types.ts'
import { verifyAudit } from '../../../modules/audit/verify.service.ts'
import { AUDIT_ENTRY, AUDIT_PROOF } from '../../../modules/operator/service/audit.codec.ts'
import type { Command, Output } from '../../command.ts'
import { readLimit, readOption } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const HEAD = /^(\d{1,19}):([0-9a-f]{64})$/

const NOTED_HEAD: Rule<NotedHead> = textRule({
  message: 'must be a head as `warungd audit verify` prints it: 123:0af3…',
  schema: { pattern: HEAD.source },
  parse(text) {
    const [, sequence = '', hash = ''] = HEAD.exec(text) ?? []
    const read = parseId(sequence)
    return read === undefined ? undefined : { sequence: read, hash: Buffer.from(hash, 'hex') }
  },
})

const ROW = idRule('must be the number of a row')

export const auditCommands: readonly Command[] = [
  {
    name: 'audit list',
    summary: 'show who did what in the back office, and why; newest first',
    options: {
      actor: { value: 'NAME', help: 'of this operator alone, by email' },
      action: { value: 'WORDS', help: 'an action, or the beginning of several: deposit' },
      target: { value: 'NAME', help: 'the target, such as an account or a payment’s id' },
      before: { value: 'NUMBER', help: 'older than this row' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' },
    },
    async run(call) {
      const limit = readLimit(call, 100)
      const first = call.find('before')
      const before = first === undefined ? null : readOption('before', ROW, first)
      const { database } = await call.runtime()
      const records = await listAudit(
        { database },
        {
          actor: call.find('actor') ?? null,
          action: call.find('action') ?? null,
          target: call.find('target') ?? null,
          targetKind: null,
          fromMs: null,
          untilMs: null,
          beforeSequence: before,
          limit,
        },
      )
      return showRecords(records)
    },
  },
  {
    name: 'audit verify',
    isLong: true,
    summary: 'prove that no row of the audit log was changed, added or removed; ends with 1 if one was',
    details: `Reads the log as it is at one moment, beside a running service, and names the first wrong row. An
older copy of the whole log put in its place looks like a younger log: keep the head that this
command prints at a place that writers of this database cannot change, and give it with --head.`,
    options: {
      head: { value: 'NUMBER:HASH', help: 'a head that was printed earlier', multiple: true },
    },
    async run(call) {
      const noted = call.list('head').map((head) => readFields({ head: NOTED_HEAD }, { head }).head)
      const { database, vault } = await call.runtime()
      return showReport(await verifyAudit(createAuditLog({ database, vault }), noted))
    },
  },
]

function showRecords(records: readonly ChainedRecord[]): Output {
  const rows = records.map((record) => ({
    no: String(record.sequence),
    at: AUDIT_ENTRY.encode(record).at,
    who: record.actor,
    from: record.address ?? record.actorKind,
    action: record.action,
    target: `${record.targetKind} ${record.target}`,
    reason: record.reason,
  }))
  return {
    json: { records: records.map((record) => AUDIT_ENTRY.encode(record)) },
    text: formatTable(rows, 'There is no such row.'),
  }
}

function showReport(report: AuditReport): Output {
  const view = AUDIT_PROOF.encode(report)
  const head = view.head === null ? null : `${view.head.sequence}:${view.head.hash}`
  const { broken } = view
  const lines = [formatFields({ ok: view.is_whole, records: view.records, head: head ?? '(none)' })]
  if (broken !== null) {
    const where = broken.sequence === null ? 'the log' : `row ${broken.sequence}`
    lines.push(
      `\nBROKEN (${broken.kind}) ${where}\n  expected: ${broken.expected}\n  found:    ${broken.found}`,
    )
  }
  const json = { ok: view.is_whole, records: Number(view.records), head, first_break: broken }
  return { json, text: lines.join('\n'), code: view.is_whole ? 0 : 1 }
}
