import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes generated files, or compares them. */
export type Keeper = { keep(path: string, text: string): void }

/** Returns a keeper, which only compares when `isCheck` says so, and then lists the files that are out of date. */
export function fileKeeper(isCheck: boolean): Keeper & { stale: string[] } {
  const stale: string[] = []
  return {
    stale,
    keep(path, text) {
      if (existsSync(at(path)) && read(path) === text) return
      if (isCheck) stale.push(path)
      else {
        mkdirSync(dirname(at(path)), { recursive: true })
        writeFileSync(at(path), text)
        process.stdout.write(`${path}\n`)
      }
    },
  }
}

/** Reads a file of the repository. */
export function read(path: string) {
  return readFileSync(at(path), 'utf8')
}

function at(path: string) {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}
