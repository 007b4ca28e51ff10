import type { Config } from '../../../config.ts'
import { ConfigError, describeDatabase } from '../../../config.ts'
import { openStandby, reachDatabase } from '../../../runtime.ts'
import type { Call, Command, Output } from '../../command.ts'
import type { Finding } from '../../diagnosis.ts'
import {
  checkArchive,
  checkBackups,
  checkDisk,
  checkMailNames,
  checkMigrations,
  checkRestores,
  checkSelling,
  checkServer,
  checkSettings,
  checkStandby,
  fail,
  ok,
} from '../../diagnosis.ts'
import { describeError, formatTable } from '../../text.ts'

const EXIT_CODES = { ok: 0, warn: 1, fail: 2 } as const

export const doctorCommand: Command = {
  name: 'doctor',
  isLong: true,
  summary: 'check settings, database, clock, master key, disk, backups and products, and say what to do',
  details:
    'Works while the database is down, too. Each line is ok, warn or fail, with a remedy.\n' +
    'Exit code: 0 everything is ok, 1 something should be looked at, 2 something keeps the service from working.',
  options: {},
  async run(call) {
    return show(await examine(call))
  },
}

async function examine(call: Call): Promise<Finding[]> {
  const config = readSettings(call)
  if (Array.isArray(config)) return config
  const early = [
    ...checkSettings(config),
    ...(await checkMailNames(config)),
    await checkDisk(config),
    ...(await checkBackups(config)),
  ]
  const server = await examineServer(call, config)
  const later = server.some(({ state }) => state === 'fail') ? [] : await examineContent(call, config)
  return [...early, ...server, ...later]
}

function readSettings(call: Call): Config | Finding[] {
  try {
    return call.config()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(([name, text]) =>
      fail('settings', `${name}: ${text}`, 'See docs/configuration.md.'),
    )
  }
}

/** Checks the server on a connection of its own: no runtime opens on a database with an old schema. */
async function examineServer(call: Call, config: Config): Promise<Finding[]> {
  try {
    const reached = await reachDatabase(config, { purpose: 'command', note: call.note })
    const standby = openStandby(config, 'command')
    try {
      const name = describeDatabase(config)
      return [
        ...(await checkServer(reached.database, name)),
        ...(standby === undefined ? [] : [await checkStandby(reached.database, standby)]),
        await checkMigrations(reached.database),
        ...(await checkArchive(config, reached.database)),
      ]
    } finally {
      await standby?.close()
      await reached.close()
    }
  } catch (error) {
    const remedy =
      config.database.kind === 'external'
        ? 'Start the server, and compare DATABASE_URL and the network with it.'
        : 'Start the service once, or say where its data is: WARUNG_DATA_DIR.'
    return [fail('database', describeError(error), remedy)]
  }
}

/** Checks the content. The vault opens with the runtime, so a wrong master key is found here. */
async function examineContent(call: Call, config: Config): Promise<Finding[]> {
  try {
    const { database } = await call.runtime()
    const opened = ok('master key', 'it opens the secrets in the database')
    return [opened, ...(await checkRestores(database)), ...(await checkSelling(database, config))]
  } catch (error) {
    const remedy = 'Set WARUNG_MASTER_KEY to the key that the database was used with, or put its file back.'
    return [fail('master key', describeError(error), remedy)]
  }
}

function show(findings: readonly Finding[]): Output {
  const states = findings.map(({ state }) => state)
  const worst = (['fail', 'warn'] as const).find((state) => states.includes(state)) ?? 'ok'
  const rows = findings.map(({ state, check, text, remedy }) => ({ state, check, text, remedy }))
  return {
    json: { state: worst, checks: rows },
    text: formatTable(rows, ''),
    code: EXIT_CODES[worst],
  }
}
