// @ts-check
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const tools = fileURLToPath(new URL('../tools', import.meta.url))

/**
 * Imports a module of the tools before anything is compiled: bundles its TypeScript into a file, which Node imports. The
 * file is as deep below the root as the source of the module is, so that its code finds the same files.
 *
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function load(path) {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(tools, 'src', path),
    platform: 'node',
    external: /^(node:|@?[a-z][\w-]*(\/|$))/,
    logLevel: 'silent',
  })
  mkdirSync(join(tools, 'dist'), { recursive: true })
  const dir = mkdtempSync(join(tools, 'dist', 'loaded-'))
  try {
    const file = join(dir, 'module.mjs')
    await bundle.write({ file, format: 'esm', codeSplitting: false })
    return await import(pathToFileURL(file).href)
  } finally {
    await bundle.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
