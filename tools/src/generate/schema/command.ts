// Writes packages/server/schema.sql from a database that the built server migrates. A test compares it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../../packages/server/dist/db/database.js'
import { migrate } from '../../../../packages/server/dist/db/migrate.js'
import { startEmbedded } from '../../../../packages/server/dist/embedded/server.js'
import { describeSchema, SCHEMA_FILE } from './describe.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'warung-schema-'))
const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
const database = openDatabase({
  connection: server.connection,
  connectionsMax: 2,
  applicationName: 'schema',
})
try {
  await migrate(database)
  const text = await describeSchema(
    async <Row extends object>(statement: string) => (await database.query<Row>(statement)).rows,
  )
  writeFileSync(SCHEMA_FILE, text)
  process.stdout.write(`packages/server/schema.sql: ${text.split('\n').length - 1} lines\n`)
} finally {
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
