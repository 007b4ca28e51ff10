import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeDirectory, newMasterKey, runWarungd } from '../service.ts'
import { hasTool, toolPath } from '../tools/installed.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

async function readDeploy(name: string): Promise<string> {
  return readFile(join(ROOT, 'deploy', name), 'utf8')
}

describe('the settings of deploy/warung.env.example', () => {
  it('are all known, and complete once the master key is there', async () => {
    const lines = (await readDeploy('warung.env.example')).split('\n')
    const settings = lines.filter((line) => /^[A-Z_]+=/.test(line)).map((line) => line.split(/=(.*)/s))
    const environment = {
      PATH: process.env.PATH,
      ...Object.fromEntries(settings),
      WARUNG_DATA_DIR: await makeDirectory(),
      WARUNG_MASTER_KEY: newMasterKey(),
    }
    const { code, stdout, stderr } = await runWarungd(environment, ['config'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('https://api.example.com')
    const missing = await runWarungd({ ...environment, WARUNG_MASTER_KEY: '' }, ['config'])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('WARUNG_MASTER_KEY')])
  })
})

describe('deploy/systemd/warung.service', () => {
  it('starts the program that the checkout has', async () => {
    const unit = await readDeploy('systemd/warung.service')
    const [, program = ''] = /^ExecStart=\S+ \S+ \/opt\/warung\/(\S+) serve$/m.exec(unit) ?? []
    await expect(readFile(join(ROOT, program), 'utf8')).resolves.toContain('main')
  })

  it.runIf(hasTool('systemd'))('is a unit without mistakes', async () => {
    const unit = join(ROOT, 'deploy/systemd/warung.service')
    const { stderr } = await promisify(execFile)(toolPath('systemd'), ['verify', unit])
    const problems = stderr.split('\n').filter((line) => line.includes('warung.service'))
    // Node may be at another place on this machine.
    expect(problems.filter((line) => !line.includes('is not executable'))).toEqual([])
  })
})

describe('the two Caddyfiles', () => {
  it('differ in the address of the service alone', async () => {
    const rules = (text: string) =>
      text.split('\n').filter((line) => !line.trim().startsWith('#') && line !== '')
    const alone = rules(await readDeploy('caddy/Caddyfile'))
    const composed = rules(await readDeploy('docker/Caddyfile'))
    expect(composed).toEqual(alone.map((line) => line.replace('127.0.0.1:3000', 'warung:3000')))
  })
})
