import type { AuditRecord, AuditReport } from '../../audit/types.ts'

const MICROS_PER_MS = 1_000n

export function auditView(record: AuditRecord) {
  return {
    sequence: String(record.sequence),
    at: new Date(Number(record.atMicros / MICROS_PER_MS)).toISOString(),
    actor: { kind: record.actorKind, name: record.actor, address: record.address },
    action: record.action,
    target: { kind: record.targetKind, id: record.target },
    before: valueIn(record.before),
    after: valueIn(record.after),
    reason: record.reason,
  }
}

function valueIn(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}

export function auditReportView({ broken, recordCount, head }: AuditReport) {
  return {
    is_whole: broken === undefined,
    records: String(recordCount),
    head: head === undefined ? null : { sequence: String(head.sequence), hash: head.hash.toString('hex') },
    broken:
      broken === undefined
        ? null
        : {
            kind: broken.kind,
            sequence: broken.sequence === undefined ? null : String(broken.sequence),
            expected: broken.expected,
            found: broken.found,
          },
  }
}
