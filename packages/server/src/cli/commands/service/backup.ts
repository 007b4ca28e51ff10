import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { keepNewest, takeBackup } from '../../../backup/copy.ts'
import type { Base } from '../../../backup/folder.ts'
import { ignoreMissing, listBases } from '../../../backup/folder.ts'
import { planRestore } from '../../../backup/restore.ts'
import { wholeNumber } from '../../../lib/input/fields.ts'
import { proveCopy, readContent } from '../../backup/proving.ts'
import type { Call, Command, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { readOption } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const KEEP = wholeNumber(1, 10_000)

const FOLDER = 'by default WARUNG_BACKUP_DIR'

export const backupCommands: readonly Command[] = [
  {
    name: 'backup verify',
    isLong: true,
    summary:
      'restore a backup beside the service and prove its ledger and audit log; ends with 1 on any fault',
    details: `Unpacks the copy into a directory of its own, where each file is compared with its sum, replays the log to
its end, and runs there what \`ledger verify\` and \`audit verify\` run. The heads that were noted when the backup
was taken must be in it. Needs the master key, and free space for the database. Changes nothing.`,
    options: {
      from: { value: 'DIR', help: `the folder of backups; ${FOLDER}` },
      base: { value: 'NAME', help: 'this backup, by default the newest' },
      work: { value: 'DIR', help: 'where to unpack it, by default the directory for temporary files' },
    },
    run: verify,
  },
  {
    name: 'backup list',
    summary: 'list the backups of a folder, oldest first',
    options: { from: { value: 'DIR', help: `the folder of backups; ${FOLDER}` } },
    async run(call) {
      const folder = folderOf(call, 'from')
      await refuseMissing(folder)
      const rows = (await listBases(folder)).map(baseView)
      return { json: { backups: rows }, text: formatTable(rows, 'There is no backup.') }
    },
  },
  {
    name: 'backup',
    isLong: true,
    summary: 'copy the whole database while the service runs',
    details: `Writes a complete copy of the embedded server into a folder. A service with WARUNG_BACKUP_DIR archives
the log into the same folder, so that every moment since the oldest backup can be restored. The master key is in
neither: keep it elsewhere. A PostgreSQL of your own is copied by its own tools: docs/guides/backups.md.`,
    options: {
      to: { value: 'DIR', help: `the folder of backups; ${FOLDER}` },
      keep: {
        value: 'NUMBER',
        help: 'keep the newest ones and the log since the oldest of them; remove the rest',
      },
    },
    run: takeOne,
  },
]

export function folderOf(call: Call, option: string): string {
  const given = call.find(option)
  const folder = given === undefined ? call.config().backup.dir : resolve(given)
  if (folder !== undefined) return folder
  throw new UsageError(`--${option} missing: name the folder of backups, or set WARUNG_BACKUP_DIR`)
}

/** Refuses a server that is not ours to copy or to restore. */
export function refuseExternal(call: Call): void {
  if (call.config().database.kind === 'embedded') return
  throw new Error(
    'DATABASE_URL names a PostgreSQL of your own: it is copied and restored by its own tools, as docs/guides/backups.md\n' +
      'says. After a restore of it: warungd restore mark',
  )
}

/** Refuses a folder that does not exist: a wrong name must not look like a folder without backups. */
async function refuseMissing(folder: string): Promise<void> {
  const found = await stat(folder).catch(ignoreMissing)
  if (found === undefined) throw new Error(`the folder ${folder} does not exist`)
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`)
}

async function takeOne(call: Call): Promise<Output> {
  const folder = folderOf(call, 'to')
  const kept = call.find('keep')
  const keep = kept === undefined ? undefined : readOption('keep', KEEP, kept)
  refuseExternal(call)
  const runtime = await call.runtime()
  const base = await takeBackup({
    connection: runtime.connection,
    folder,
    content: () => readContent(runtime),
    note: call.has('json') ? () => {} : call.note,
  })
  const removed = keep === undefined ? { backups: 0, segments: 0 } : await keepNewest(folder, keep)
  const view = {
    folder,
    ...baseView(base),
    removed_backups: removed.backups,
    removed_segments: removed.segments,
  }
  return { json: view, text: formatFields(view) }
}

function baseView({ name, manifest }: Base) {
  return {
    name,
    finished_at: manifest.finishedAt,
    position: manifest.endPosition,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    payments: manifest.content.payments,
    migration: manifest.content.migration,
    version: manifest.content.serviceVersion,
  }
}

async function verify(call: Call): Promise<Output> {
  const folder = folderOf(call, 'from')
  const plan = await planRestore(folder, { name: call.find('base') })
  const note = call.has('json') ? () => {} : call.note
  const files = {
    backup: plan.base.name,
    files: plan.base.manifest.files.length,
    segments: plan.segments.length + plan.unfinished.length,
    partial_segments: plan.unfinished.length,
  }
  const workDir = await mkdtemp(join(resolve(call.find('work') ?? tmpdir()), 'warung-verify-'))
  try {
    const proof = await proveCopy({ config: call.config(), plan, workDir, note })
    return report({ ...files, ...proof.figures }, proof.faults)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

function report(figures: Readonly<Record<string, unknown>>, faults: readonly string[]): Output {
  const isWhole = faults.length === 0
  const lines = [formatFields({ ok: isWhole, ...figures }), ...faults.map((fault) => `\nFAULT ${fault}`)]
  return { json: { ok: isWhole, ...figures, faults }, text: lines.join('\n'), code: isWhole ? 0 : 1 }
}
