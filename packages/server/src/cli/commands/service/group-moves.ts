import { readFile, stat } from 'node:fs/promises'
import type pg from 'pg'
import { configOfGroup, withPlace } from '../../../config/groups.ts'
import type { Config } from '../../../config.ts'
import { openDatabase } from '../../../db/database.ts'
import { LONG_STATEMENTS } from '../../../db/long-statements.ts'
import { describePlace } from '../../../db/moves/described.ts'
import { dropKept } from '../../../db/moves/kept.ts'
import { chooseMover } from '../../../db/moves/mover.ts'
import type { Comparison } from '../../../db/moves/proof.ts'
import type { MoveEnds } from '../../../db/moves/types.ts'
import { replaceFile } from '../../../lib/replace-file.ts'
import { countResellers } from '../../../modules/accounts/public.sql.ts'
import { audited, createAuditLog } from '../../../modules/audit/service.ts'
import { openRuntime, reachServer, sealAddress } from '../../../runtime.ts'
import type { Call, Command } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { commandCaller, USUAL_REASON } from '../../record.ts'
import { chosenConfig, NAME } from './chosen-group.ts'

const SERVER_HELP = 'one of the servers in the file of groups, or an address without a password'

export const moveCommands: readonly Command[] = [
  {
    name: 'group move',
    summary: 'move a group to another server or database, while its payments go on',
    details: `The group is copied by logical replication, every row is compared, its writers wait for a moment, and from
one commit on it is served from the new place; nodes follow by themselves, and the file of groups names it. A move that was
broken off is finished by the same command. The older copy refuses everything, and stays until \`group drop-old\`.

The older server needs wal_level = logical, and the new one must reach it at the address by which this machine does. The
role must be allowed to replicate at the older server, and to create subscriptions and set session_replication_role at the
new one: a superuser is.`,
    places: [NAME],
    options: {
      to: { value: 'SERVER', help: SERVER_HELP, required: true },
      abort: { help: 'undo a move that was begun, as long as the older place serves' },
    },
    isLong: true,
    async run(call) {
      const config = chosenConfig(call)
      const address = addressOf(call.config(), call.text('to'))
      return withEnds(call, config, address, async (ends) => {
        const mover = await chooseMover(ends)
        const { group, labels } = ends
        if (call.has('abort')) {
          await mover.abort(ends)
          await record(
            config,
            'group.move.abort',
            group,
            { server: labels.target },
            { server: labels.source },
          )
          return {
            json: { group, state: 'serving', server: labels.source },
            text: `The move is undone: ${group} is served from ${labels.source} as before.`,
          }
        }
        const { kept, heldMs, before, after } = await mover.move(ends)
        const moved = placedAt(config, address)
        await record(moved, 'group.move', group, { server: labels.source }, { server: labels.target })
        return {
          json: {
            group,
            state: 'moved',
            server: labels.target,
            held_ms: heldMs === undefined ? null : Math.round(heldMs),
            before: proofView(before),
            after: proofView(after),
            kept,
          },
          text:
            `${group} is served from ${labels.target}. Its writers waited ${Math.round(heldMs ?? 0)} ms.\n` +
            `Compared before: ${proofText(before)}; at the switch: ${proofText(after)}.\n` +
            `The older copy is the schema ${kept} at ${labels.source}: warungd group drop-old ${group} --at … drops it.`,
        }
      })
    },
  },
  {
    name: 'group drop-old',
    summary: 'drop the copies of a group that a move left behind at a server',
    places: [NAME],
    options: { at: { value: 'SERVER', help: SERVER_HELP, required: true } },
    async run(call) {
      const config = chosenConfig(call)
      const { group } = config
      if (group === undefined) throw new UsageError('give the NAME of a group')
      const database = openAt({ connectionString: addressOf(call.config(), call.text('at')) }, group)
      try {
        const { server, database: name } = await describePlace(database)
        const dropped = await dropKept(database, group)
        await record(config, 'group.drop_old', group, { schemas: dropped }, { server: `${server}/${name}` })
        return { json: { group, dropped }, text: `Dropped: ${dropped.join(', ')}` }
      } finally {
        await database.close()
      }
    },
  },
]

/** Returns the address that a name stands for. A password is no argument: everybody at the machine can read those. */
function addressOf(config: Config, given: string): string {
  const named = config.servers.find(({ name }) => name === given)
  if (named !== undefined) return named.databaseUrl
  if (URL.canParse(given) && /^postgres(ql)?:$/.test(new URL(given).protocol)) {
    if (new URL(given).password === '') return given
    throw new UsageError(
      'an address with a password stands under "servers" in the file of groups, with a name',
    )
  }
  const listed = config.servers.map(({ name }) => name).join(', ') || 'none'
  throw new UsageError(`there is no server "${given.slice(0, 60)}"; the file of groups lists: ${listed}`)
}

function placedAt(config: Config, databaseUrl: string): Config {
  const { group: name = '', publicUrl: url = '' } = config
  return configOfGroup(config, { name, url, databaseUrl })
}

function openAt(connection: pg.ClientConfig, schema: string) {
  return openDatabase({
    connection,
    schema,
    connectionsMax: 4,
    applicationName: 'warungd group move',
    ...LONG_STATEMENTS,
  })
}

/** Opens both places as they are: the one that the group left leads no connection away. */
async function withEnds<T>(
  call: Call,
  config: Config,
  address: string,
  work: (ends: MoveEnds) => Promise<T>,
): Promise<T> {
  const { groupsFile } = config
  const { group } = config
  if (group === undefined || groupsFile === undefined) throw new UsageError('give the NAME of a group')
  const keys = (await call.runtime()).masterKeys
  const [key] = keys
  if (key === undefined) throw new Error('there is no master key')
  const server = await reachServer(config, { purpose: 'command' })
  const connections = { source: server.connection, target: { connectionString: address } }
  const [source, target] = [openAt(connections.source, group), openAt(connections.target, group)]
  const label = async (database: typeof source) => {
    const place = await describePlace(database)
    return `${place.server}/${place.database}`
  }
  try {
    return await work({
      group,
      source,
      target,
      connections,
      labels: { source: await label(source), target: await label(target) },
      sealed: sealAddress(key, group, address),
      isEmpty: async (database) => (await countResellers(database)) === 0,
      async list() {
        const { mode } = await stat(groupsFile)
        const text = await readFile(groupsFile, 'utf8')
        await replaceFile(groupsFile, withPlace(text, group, address), { mode })
      },
      note: (text) => call.note(text),
      reached: () => {},
    })
  } finally {
    await Promise.all([source.close(), target.close()])
    await server.release()
  }
}

/** Writes the line into the log of the group, where it is served now. */
async function record(
  config: Config,
  action: string,
  target: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { database, vault, close } = await openRuntime(config, { purpose: 'command' })
  try {
    const log = createAuditLog({ database, vault })
    const act = { caller: commandCaller(), action, reason: USUAL_REASON }
    await audited(log, act, async () => ({
      target: { kind: 'group', id: target },
      before,
      after,
      result: undefined,
    }))
  } finally {
    await close()
  }
}

function proofView(proof: Comparison | undefined) {
  return proof === undefined ? null : { tables: proof.tables, rows: Number(proof.rows) }
}

function proofText(proof: Comparison | undefined): string {
  return proof === undefined
    ? 'by an earlier run, or not'
    : `${proof.rows} rows of ${proof.tables} tables are equal`
}
