import { readdir, readFile } from 'node:fs/promises'
import { RequestError } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import { readBook } from '../books/book.rules.ts'
import type { Book } from '../books/types.ts'
import type { ConfigProblem } from '../connections/connections.types.ts'
import { readPack } from './pack.rules.ts'
import type { Pack } from './types.ts'

/** Folder of the packs: in a checkout and in a release alike. */
export const PACKS = new URL('../../../../../suppliers/', import.meta.url)

const ID = /^[a-z0-9][a-z0-9-]{0,39}$/
const FILE_BYTES_MAX = 1_024 * 1_024

/** Lists the names of the packs that came with this version. */
export async function listPackIds(folder: URL = PACKS): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((each) => each.isDirectory() && ID.test(each.name))
    .map(({ name }) => name)
    .sort()
}

/** Reads every pack. One with a mistake is none: the tests of this version would not have passed. */
export async function listPacks(folder: URL = PACKS): Promise<Pack[]> {
  return Promise.all((await listPackIds(folder)).map((id) => loadPack(id, folder)))
}

/** Answers 404 where there is none of this name. */
export async function getPack(id: string, folder: URL = PACKS): Promise<Pack> {
  await mustHave(id, folder)
  return loadPack(id, folder)
}

export async function getBook(id: string, folder: URL = PACKS): Promise<Book> {
  await mustHave(id, folder)
  const reading = readBook(await readJson(new URL(`${id}/answers.json`, folder)))
  if (!reading.ok) throw brokenPack(id, reading.problems)
  return reading.book
}

/** The page for operators, as it was written. */
export async function readGuide(id: string, folder: URL = PACKS): Promise<string> {
  await mustHave(id, folder)
  return readText(new URL(`${id}/README.md`, folder))
}

async function mustHave(id: string, folder: URL): Promise<void> {
  const ids = await listPackIds(folder)
  if (ids.includes(id)) return
  throw new RequestError({ status: 404, code: 'not_found', publicText: noSuchName('pack', id, ids) })
}

async function loadPack(id: string, folder: URL): Promise<Pack> {
  const [manifest, connection] = await Promise.all([
    readJson(new URL(`${id}/pack.json`, folder)),
    readJson(new URL(`${id}/connection.json`, folder)),
  ])
  const reading = readPack(id, { manifest, connection })
  if (!reading.ok) throw brokenPack(id, reading.problems)
  return reading.pack
}

function brokenPack(id: string, problems: readonly ConfigProblem[]): Error {
  return new Error(`the pack ${id}: ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
}

async function readJson(file: URL): Promise<unknown> {
  return JSON.parse(await readText(file))
}

async function readText(file: URL): Promise<string> {
  const content = await readFile(file, 'utf8')
  if (content.length > FILE_BYTES_MAX) throw new Error(`${file.pathname} is too long`)
  return content
}
