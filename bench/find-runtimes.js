import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { delimiter, join } from 'node:path'

/** Folder of an npm project with other runtimes, as the acceptance tests have it; several are written as in PATH. */
const FOLDERS_SETTING = 'WARUNG_TEST_TOOLS'
const NODE_MAJORS = [20, 22, 24]

const nodePackage = (major) =>
  `node-${major}@npm:node-${platform() === 'win32' ? 'win' : platform()}-${arch()}@${major}`

/**
 * Finds the runtimes to compare. `install` is the command that brings a missing one. Node of the present major version is
 * the program that runs this file.
 */
export function findRuntimes() {
  const folders = split(process.env[FOLDERS_SETTING])
  const path = split(process.env.PATH)
  const nodes = NODE_MAJORS.map((major) => ({
    name: `Node ${major}`,
    isWanted: (version) => version.startsWith(`v${major}.`),
    // Node's own collector has a nursery of this size with `npm start`.
    args: ['--max-semi-space-size=64'],
    places: [
      process.execPath,
      ...folders.map((folder) => join(folder, 'node_modules', `node-${major}`, 'bin', 'node')),
      ...path.map((folder) => join(folder, 'node')),
    ],
    install: installOf(nodePackage(major)),
  }))
  const bun = {
    name: 'Bun',
    isWanted: (version) => /^\d/.test(version),
    args: [],
    places: [
      ...folders.map((folder) => join(folder, 'node_modules', '.bin', 'bun')),
      ...[...folders, ...path].map((folder) => join(folder, 'bun')),
    ],
    install: installOf('bun'),
  }
  return [...nodes, bun].map(({ places, isWanted, ...runtime }) => ({
    ...runtime,
    ...firstOf(places, isWanted),
  }))
}

function installOf(name) {
  return `npm install --prefix ~/warung-tools ${name}; export ${FOLDERS_SETTING}=~/warung-tools`
}

function split(list = '') {
  return list.split(delimiter).filter((folder) => folder !== '')
}

function firstOf(places, isWanted) {
  for (const program of places.filter((place) => existsSync(place))) {
    const version = versionOf(program)
    if (isWanted(version)) return { program, version }
  }
  return undefined
}

function versionOf(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
