import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, describeConfig, readConfig } from '../config.ts'
import { generateKey, groupOfKey } from '../modules/accounts/rules.ts'
import { findGroup, folderOfOutcomes, withPlace } from './groups.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warung-groups-'))
  file = join(folder, 'groups.json')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const EAST = { name: 'east', url: 'https://east.example.com' }
const WEST = {
  name: 'west',
  url: 'https://west.example.com',
  database_url: 'postgres://warung:hunter2@db2.example.com/warung',
}

const SOUTH = { name: 'south', database_url: 'postgres://warung:hunter2@db3.example.com/warung' }

async function read(text: unknown, environment: Record<string, string> = {}) {
  await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text))
  return readConfig({ WARUNG_GROUPS: file, ...environment })
}

async function problemWith(text: unknown, environment: Record<string, string> = {}): Promise<string> {
  try {
    await read(text, environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(([, problem]) => problem).join('; ')
    throw error
  }
  return ''
}

describe('the file of groups', () => {
  it('gives each group a schema, an address and a folder of its own, and the database that it names', async () => {
    const config = await read({ groups: [EAST, WEST] })
    const [east, west] = [findGroup(config, 'east'), findGroup(config, 'west')]
    expect(east).toMatchObject({
      group: 'east',
      schema: 'east',
      publicUrl: EAST.url,
      groups: [],
      demo: 'none',
    })
    expect(east?.database).toEqual(config.database)
    expect(west?.database).toEqual({ kind: 'external', url: WEST.database_url })
    const folders = [config, east, west].map((each) => each && folderOfOutcomes(each))
    expect(new Set(folders).size).toBe(3)
    expect(findGroup(config, 'north')).toBeUndefined()
    expect(JSON.stringify(describeConfig(config))).not.toContain('hunter2')
  })

  it.each([
    ['no JSON', '{', 'readable JSON file'],
    ['no list', { groups: {} }, 'readable JSON file'],
    ['a name that needs quotes', { groups: [{ ...EAST, name: 'East' }] }, 'group 1: name: must be'],
    ['a name with a mark', { groups: [{ ...EAST, name: 'ea_st' }] }, 'group 1: name: must be'],
    ['no address', { groups: [{ name: 'east' }] }, 'group 1: url: must be'],
    ['another member', { groups: [{ ...EAST, database: 'x' }] }, 'unknown member "database"'],
    ['a name twice', { groups: [EAST, { ...WEST, name: 'east' }] }, 'group east is listed twice'],
    ['an address twice', { groups: [EAST, { ...WEST, url: EAST.url }] }, 'another group has its address'],
    [
      'a broken address of a database',
      { groups: [{ ...WEST, database_url: 'hunter2' }] },
      'group 1: database_url',
    ],
    [
      'a search path',
      { groups: [{ ...WEST, database_url: `${WEST.database_url}?options=-c%20search_path%3Dx` }] },
      'has a search_path',
    ],
    ['a server without an address', { groups: [], servers: [{ name: 'south' }] }, 'server 1: database_url'],
    ['a server twice', { groups: [], servers: [SOUTH, SOUTH] }, 'server south is listed twice'],
    ['another member of a server', { groups: [], servers: [{ ...SOUTH, url: 'x' }] }, 'unknown member "url"'],
    [
      'too many',
      { groups: Array.from({ length: 65 }, (_, at) => ({ ...EAST, name: `g${at}` })) },
      'at most 64',
    ],
  ])('is refused with %s, and no password is shown', async (_, text, problem) => {
    const said = await problemWith(text)
    expect(said).toContain(problem)
    expect(said).not.toContain('hunter2')
  })

  it('names the new place of a group that was moved, and keeps everything else', async () => {
    const text = JSON.stringify({ groups: [EAST, WEST], servers: [SOUTH] })
    const moved = withPlace(text, 'east', SOUTH.database_url)
    expect(JSON.parse(moved)).toEqual({
      groups: [{ ...EAST, database_url: SOUTH.database_url }, WEST],
      servers: [SOUTH],
    })
    const config = await read(moved)
    expect(config.servers).toEqual([{ name: 'south', databaseUrl: SOUTH.database_url }])
  })

  it("is refused with the first group's address, and in production without https", async () => {
    expect(await problemWith({ groups: [EAST] }, { WARUNG_PUBLIC_URL: EAST.url })).toContain(
      'has its address',
    )
    const plain = { groups: [{ ...EAST, url: 'http://east.example.com' }] }
    expect(await problemWith(plain)).toBe('')
    expect(await problemWith(plain, { WARUNG_ENV: 'production' })).toContain('needs an https address')
  })
})

describe('an API key', () => {
  it.each(['staging', 'production'] as const)(
    'names its group in %s, and that of the first group none',
    (environment) => {
      expect(groupOfKey(generateKey(environment, 'east'))).toBe('east')
      expect(groupOfKey(generateKey(environment))).toBeUndefined()
    },
  )

  it.each(['', 'wk_stg_', 'wk_stg__', 'wk_stg_East_x', 'xx_stg_east_x', '__proto__'])(
    '%s names no group',
    (key) => expect(groupOfKey(key)).toBeUndefined(),
  )
})
