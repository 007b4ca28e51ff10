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

const SETTING = 'WARUNG_GROUPS'
const GROUPS_MAX = 64
const FILE_BYTES_MAX = 100_000
const MEMBERS = new Set(['name', 'url', 'database_url'])

/** Reads the groups that a file lists. Its text is not quoted in problems: it holds the passwords of databases. */
export function readGroups(
  read: ReadSetting,
  { environment, publicUrl }: { environment: 'staging' | 'production'; publicUrl: string | undefined },
  problems: SettingProblem[],
): readonly GroupConfig[] {
  const path = read(SETTING)
  if (path === undefined) return []
  const refuse = (text: string) => {
    problems.push([SETTING, text])
    return []
  }
  const listed = listedIn(path)
  if (listed === undefined) {
    return refuse(
      'must be the path of a readable JSON file {"groups": [{"name": …, "url": …, "database_url": …}]}',
    )
  }
  if (listed.length > GROUPS_MAX) return refuse(`lists ${listed.length} groups, at most ${GROUPS_MAX}`)
  const groups: GroupConfig[] = []
  for (const [index, given] of listed.entries()) {
    const group = groupOf(given)
    if (typeof group === 'string') return refuse(`group ${index + 1}: ${group}`)
    if (environment === 'production' && !group.url.startsWith('https://')) {
      return refuse(`group ${group.name}: production needs an https address`)
    }
    const hosts = [publicUrl, ...groups.map(({ url }) => url)].flatMap((url) => url ?? []).map(hostOf)
    if (hosts.includes(hostOf(group.url))) return refuse(`group ${group.name}: another group has its address`)
    if (groups.some(({ name }) => name === group.name)) return refuse(`group ${group.name} is listed twice`)
    groups.push(group)
  }
  return groups
}

function listedIn(path: string): readonly unknown[] | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    const listed =
      text.length > FILE_BYTES_MAX ? undefined : (JSON.parse(text) as { groups?: unknown }).groups
    return Array.isArray(listed) ? listed : undefined
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
  const databaseUrl = address === undefined ? undefined : DATABASE_ADDRESS.read(address)
  if (address !== undefined && databaseUrl === undefined) return `database_url: ${DATABASE_ADDRESS.message}`
  if (databaseUrl?.includes('search_path')) return 'database_url: has a search_path; the schema is the name'
  return { name: read.name, url: read.url, databaseUrl }
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

export function describeGroups({ group, groups }: Pick<OfGroup, 'group' | 'groups'>): string {
  if (group !== undefined) return group
  return groups.map(({ name, url }) => `${name} at ${url}`).join(', ') || '(one)'
}
