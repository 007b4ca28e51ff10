import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { listInstalled, packageDir } from '../sdk/drivers.ts'
import { makeDirectory } from '../service.ts'

// The command as users get it. Its SDK is inside, because its name may belong to somebody else in a registry.

const run = promisify(execFile)

describe('the package', () => {
  it('installs from its packed file alone, asks no registry for another package, and runs', async () => {
    const dir = await makeDirectory()
    await writeFile(join(dir, 'package.json'), '{ "private": true }')
    const pack = ['pack', '--json', '--pack-destination', dir]
    const { stdout: packed } = await run('npm', pack, { cwd: packageDir('cli') })
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
    const install = ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`]
    await run('npm', [...install, '--cache', join(dir, 'cache')], { cwd: dir })
    expect(await listInstalled(dir)).toEqual(['@warung/cli'])
    const { stdout } = await run(join(dir, 'node_modules/.bin/warung'), ['--version'])
    expect(stdout).toBe('warung 0.1.0\n')
    const installed = join(dir, 'node_modules/@warung/cli')
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest[kind], kind).toBeUndefined()
    }
    const entries = manifest.exports['.'] as Record<'import' | 'require', { types: string; default: string }>
    for (const { types, default: program } of Object.values(entries)) {
      for (const path of [types, program]) expect((await stat(join(installed, path))).isFile()).toBe(true)
    }
    // The SDK is inside.
    expect(await readFile(join(installed, entries.import.default), 'utf8')).not.toMatch(
      /(from|import\() ?["']@warung/,
    )
  })

  it('installs from its folder without a registry', async () => {
    const dir = await makeDirectory()
    await writeFile(join(dir, 'package.json'), '{ "private": true }')
    const install = ['install', '--offline', '--no-audit', '--no-fund', packageDir('cli')]
    await run('npm', [...install, '--cache', join(dir, 'cache')], { cwd: dir })
    expect(await listInstalled(dir)).toEqual(['@warung/cli'])
    const { stdout } = await run(join(dir, 'node_modules/.bin/warung'), ['--version'])
    expect(stdout).toBe('warung 0.1.0\n')
  })
})
