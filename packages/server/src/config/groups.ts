import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASE_URL } from '../lib/input/urls.ts'
import type { DatabaseSource } from './database.ts'
import { DATABASE_ADDRESS, SCHEMA_NAME } from './fields.ts'
import type { ReadSetting, SettingProblem } from './reader.ts'

/** Group of resellers beside the first one: an installation in a schema of its own, that the same service serves. */
export type GroupConfig = {
  /** Name of the group and of its schema. Its API keys carry it in their first characters. */
  readonly name: string
  /** Address of its portal, console and checkout. */
  readonly url: string
  /** Address of its database; undefined: that of the first group. */
  readonly databaseUrl: string | undefined
}

/** Server to which groups can be moved. */
export type ServerConfig = { readonly name: string; readonly databaseUrl: string }

/** Content of the file of groups. */
export type GroupsFile = {
  readonly groups: readonly GroupConfig[]
  readonly servers: readonly ServerConfig[]
}

type Installation = {
  readonly environment: 'staging' | 'production'
  readonly publicUrl: string | undefined
}

const SETTING = 'WARUNG_GROUPS'
const NOTHING: GroupsFile = { groups: [], servers: [] }
const GROUPS_MAX = 64
const FILE_BYTES_MAX = 100_000
const MEMBERS = new Set(['name', 'url', 'database_url'])

/** Reads the file that the setting names. */
export function readGroups(
  read: ReadSetting,
  installation: Installation,
  problems: SettingProblem[],
): GroupsFile & { readonly groupsFile: string | undefined } {
  const path = read(SETTING)
  if (path === undefined) return { ...NOTHING, groupsFile: undefined }
  const found = readGroupsFile(path, installation)
  if (typeof found !== 'string') return { ...found, groupsFile: path }
  problems.push([SETTING, found])
  return { ...NOTHING, groupsFile: path }
}

/** Reads what a file lists, or returns the problem with it. Its text is not quoted: it holds passwords of databases. */
export function readGroupsFile(path: string, { environment, publicUrl }: Installation): GroupsFile | string {
  const listed = listedIn(path)
  if (listed === undefined) {
    return 'must be the path of a readable JSON file {"groups": [{"name": …, "url": …, "database_url": …}], "servers": [{"name": …, "database_url": …}]}'
  }
  if (listed.groups.length > GROUPS_MAX) {
    return `lists ${listed.groups.length} groups, at most ${GROUPS_MAX}`
  }
  const groups: GroupConfig[] = []
  for (const [index, given] of listed.groups.entries()) {
    const group = groupOf(given)
    if (typeof group === 'string') return `group ${index + 1}: ${group}`
    if (environment === 'production' && !group.url.startsWith('https://')) {
      return `group ${group.name}: production needs an https address`
    }
    const hosts = [publicUrl, ...groups.map(({ url }) => url)].flatMap((url) => url ?? []).map(hostOf)
    if (hosts.includes(hostOf(group.url))) return `group ${group.name}: another group has its address`
    if (groups.some(({ name }) => name === group.name)) return `group ${group.name} is listed twice`
    groups.push(group)
  }
  const servers: ServerConfig[] = []
  for (const [index, given] of listed.servers.entries()) {
    const server = serverOf(given)
    if (typeof server === 'string') return `server ${index + 1}: ${server}`
    if (servers.some(({ name }) => name === server.name)) return `server ${server.name} is listed twice`
    servers.push(server)
  }
  return { groups, servers }
}

function listedIn(path: string): { groups: readonly unknown[]; servers: readonly unknown[] } | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > FILE_BYTES_MAX) return undefined
    const { groups, servers = [] } = JSON.parse(text) as { groups?: unknown; servers?: unknown }
    if (!Array.isArray(groups) || !Array.isArray(servers) || servers.length > GROUPS_MAX) return undefined
    return { groups, servers }
  } catch {
    return undefined
  }
}

/** Returns the group, or the problem with it. */
function groupOf(given: unknown): GroupConfig | string {
  if (typeof given !== 'object' || given === null) return 'is no object'
  const unknown = Object.keys(given).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) return `has an unknown member "${unknown.slice(0, 40)}"`
  const { name, url, database_url: address } = given as Record<string, unknown>
  const read = { name: SCHEMA_NAME.read(name), url: BASE_URL.read(url) }
  if (read.name === undefined) return `name: ${SCHEMA_NAME.message}`
  if (read.url === undefined) return `url: ${BASE_URL.message}`
  const problem = address === undefined ? undefined : addressProblem(address)
  if (problem !== undefined) return problem
  return { name: read.name, url: read.url, databaseUrl: DATABASE_ADDRESS.read(address) }
}

/** Returns the server, or the problem with it. */
function serverOf(given: unknown): ServerConfig | string {
  if (typeof given !== 'object' || given === null) return 'is no object'
  const { name, database_url: address, ...others } = given as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `has an unknown member "${unknown.slice(0, 40)}"`
  const read = { name: SCHEMA_NAME.read(name), databaseUrl: DATABASE_ADDRESS.read(address) }
  if (read.name === undefined) return `name: ${SCHEMA_NAME.message}`
  const { databaseUrl } = read
  if (databaseUrl === undefined) return addressProblem(address) ?? 'database_url: is missing'
  return addressProblem(address) ?? { name: read.name, databaseUrl }
}

function addressProblem(address: unknown): string | undefined {
  const url = DATABASE_ADDRESS.read(address)
  if (url === undefined) return `database_url: ${DATABASE_ADDRESS.message}`
  return url.includes('search_path') ? 'database_url: has a search_path; the schema is the name' : undefined
}

/** Returns the host and port that requests name. */
export function hostOf(url: string): string {
  return new URL(url).host
}

/** Settings that differ between the groups of an installation. */
type OfGroup = {
  readonly schema: string | undefined
  readonly group: string | undefined
  readonly groups: readonly GroupConfig[]
  readonly groupsFile: string | undefined
  readonly publicUrl: string | undefined
  readonly dashboardUrl: string | undefined
  readonly demo: string
  readonly database: DatabaseSource
}

/** Builds the settings of a group: those of the installation, with a schema, an address and answers of its own. */
export function configOfGroup<Config extends OfGroup>(
  config: Config,
  { name, url, databaseUrl }: GroupConfig,
): Config {
  return {
    ...config,
    schema: name,
    group: name,
    groups: [],
    publicUrl: url,
    dashboardUrl: url,
    demo: 'none',
    database: databaseUrl === undefined ? config.database : { kind: 'external', url: databaseUrl },
  }
}

/** Returns the settings of the group with this name; undefined: the file lists none. */
export function findGroup<Config extends OfGroup>(config: Config, name: string): Config | undefined {
  const given = config.groups.find((group) => group.name === name)
  return given && configOfGroup(config, given)
}

/** Returns the folder of suppliers' answers that the database has not taken; each group has its own. */
export function folderOfOutcomes({ dataDir, group }: { dataDir: string; group: string | undefined }): string {
  return join(dataDir, group === undefined ? 'outcomes' : `outcomes-${group}`)
}

/** Returns the text of a file of groups with another database for one of them; the rest of it stays as it was. */
export function withPlace(text: string, name: string, databaseUrl: string): string {
  const file = JSON.parse(text) as { groups: Record<string, unknown>[] }
  const groups = file.groups.map((group) =>
    group.name === name ? { ...group, database_url: databaseUrl } : group,
  )
  return `${JSON.stringify({ ...file, groups }, null, 2)}\n`
}

export function describeGroups(
  config: Pick<OfGroup, 'group' | 'groups'> &
    Pick<GroupsFile, 'servers'> & { readonly groupsFile: string | undefined },
) {
  const { group, groups, groupsFile = '(none)', servers } = config
  return {
    groups: group ?? (groups.map(({ name, url }) => `${name} at ${url}`).join(', ') || '(one)'),
    groups_file: groupsFile,
    group_servers: servers.map(({ name }) => name).join(', ') || '(none)',
  }
}
