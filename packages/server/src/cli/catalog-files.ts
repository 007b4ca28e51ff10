import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unwritable } from '../lib/replace-file.ts'
import { printCsvFile, printDocument } from '../modules/catalog/transfer/print.rules.ts'
import { FILE_BYTES_MAX, kindByName } from '../modules/catalog/transfer/read.rules.ts'
import type { CatalogDocument, SourceFile } from '../modules/catalog/transfer/types.ts'
import { CSV_KINDS } from '../modules/catalog/transfer/types.ts'
import { UsageError } from './command.ts'

// ── Reading ──

/** Reads the given files, and the files of the folder by name. */
export async function listSources(
  paths: readonly string[],
  dir: string | undefined,
): Promise<readonly SourceFile[]> {
  const found = dir === undefined ? [] : await listFolder(dir)
  const all = [...paths, ...found]
  if (all.length === 0) {
    throw new UsageError(
      dir === undefined ? 'give --file or --dir' : `there is no .json or .csv file in ${dir}`,
    )
  }
  const repeated = all.find((path, index) => all.indexOf(path) !== index)
  if (repeated !== undefined) throw new UsageError(`${repeated} is given twice`)
  return Promise.all(all.map(readSource))
}

async function listFolder(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => unreadable(dir, error))
  return names
    .filter((name) => /\.(json|csv)$/i.test(name))
    .sort()
    .map((name) => join(dir, name))
}

async function readSource(path: string): Promise<SourceFile> {
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new Error(`is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`)
    return { name: path, bytes: await readFile(path) }
  } catch (error) {
    return unreadable(path, error)
  }
}

function unreadable(path: string, cause: unknown): never {
  throw new Error(`${path} cannot be read`, { cause })
}

// ── Writing ──

export type Target =
  | { readonly kind: 'output' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'dir'; readonly path: string; readonly format: 'json' | 'csv' }

export type Printed = { readonly path: string; readonly content: string }

export function printTo(document: CatalogDocument, target: Target): readonly Printed[] {
  if (target.kind === 'output') return [{ path: '', content: printDocument(document) }]
  if (target.kind === 'file') return [{ path: target.path, content: printFile(document, target.path) }]
  const within = (name: string) => join(target.path, name)
  if (target.format === 'json') return [{ path: within('catalog.json'), content: printDocument(document) }]
  return [
    ...CSV_KINDS.map((kind) => ({ path: within(`${kind}.csv`), content: printCsvFile(document, kind) })),
    { path: within('products.json'), content: printDocument(document, ['products', 'levels']) },
  ]
}

function printFile(document: CatalogDocument, path: string): string {
  if (/\.json$/i.test(path)) return printDocument(document)
  const kind = kindByName(path)
  if (kind !== undefined) return printCsvFile(document, kind)
  const names = CSV_KINDS.map((each) => `${each}.csv`).join(', ')
  throw new UsageError(`--file: the name must end in .json, or be one of ${names}`)
}

/**
 * Writes the files. A reader sees the old file or the new one, never a half-written one; a write that fails leaves no
 * temporary file.
 */
export async function writeExport(printed: readonly Printed[]): Promise<{ file: string; bytes: number }[]> {
  const written: { file: string; bytes: number }[] = []
  for (const { path, content } of printed) {
    const fresh = `${path}.${process.pid}.tmp`
    try {
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(fresh, content)
      await rename(fresh, path)
    } catch (error) {
      // The first error is the one to show, whether or not the file can be removed.
      await rm(fresh, { force: true }).catch(() => {})
      unwritable(path, error)
    }
    written.push({ file: path, bytes: Buffer.byteLength(content) })
  }
  return written
}
