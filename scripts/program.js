// @ts-check
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { complain, mayWrite, NOT_COMPILED } from './checkout.js'
import { load } from './load.js'

// The service as a program of a checkout: its TypeScript and the packages that it uses, bundled into a few files. That
// takes a second; to compile with types takes many, and to load over a thousand files takes longer than to bundle them.
// build/program.ts of the tools makes it; to find one takes no more than this file.

const server = fileURLToPath(new URL('../packages/server', import.meta.url))
const programs = join(server, 'dist', 'program')
const LIST = 'sources.json'

/**
 * Finds the program that was made of the sources as they are now; undefined: there is none, or `npm run build` compiled
 * the service since.
 */
export function findProgram() {
  const found = findCurrent()
  const compiled = statSync(join(server, 'dist', '.tsbuildinfo'), { throwIfNoEntry: false })
  return found === undefined || madeAt(found) < (compiled?.mtimeMs ?? 0) ? undefined : found
}

/**
 * Finds the program or makes it, and says so. Returns its folder; undefined: it could not be made, and the reason was
 * said.
 */
export async function prepareProgram() {
  const found = findCurrent()
  if (found !== undefined) return found
  if (!mayWrite()) {
    complain(NOT_COMPILED)
    return undefined
  }
  process.stderr.write('Bundling the service. The next start bundles only what changed.\n')
  try {
    /** @type {typeof import('../tools/src/build/program.ts')} */
    const { makeProgram } = await load('build/program.ts')
    return await makeProgram(programs, listMade())
  } catch (error) {
    complain(`The service cannot be bundled: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/**
 * Runs the program in this process, with the words of the command line.
 *
 * @param {string} dir
 */
export async function runProgram(dir) {
  await import(pathToFileURL(join(dir, 'bin', 'warungd.js')).href)
}

function findCurrent() {
  return listMade().find((dir) => isCurrent(readList(dir)))
}

/** @param {string} dir */
function madeAt(dir) {
  return statSync(join(dir, LIST)).mtimeMs
}

/** Lists the programs that were made, the newest first. */
function listMade() {
  if (!existsSync(programs)) return []
  return readdirSync(programs)
    .map((name) => join(programs, name))
    .filter((dir) => existsSync(join(dir, LIST)))
    .sort((a, b) => madeAt(b) - madeAt(a))
}

/**
 * Reads the sources of a program: path, time of the last change, size.
 *
 * @param {string} dir
 * @returns {[path: string, mtimeMs: number, size: number][]}
 */
function readList(dir) {
  return JSON.parse(readFileSync(join(dir, LIST), 'utf8'))
}

/**
 * The list holds absolute paths: in a checkout that was moved or copied no program is current.
 *
 * @param {ReturnType<typeof readList>} list
 */
function isCurrent(list) {
  return list.every(([path, mtimeMs, size]) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs === mtimeMs && found.size === size
  })
}
