import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Payer } from '../payments.ts'
import { createPayer } from '../payments.ts'
import { makeDirectory, stopServices } from '../service.ts'
import { blocksOf } from './blocks.ts'

// The front page: short, and its payments run as they are printed, in a folder like a checkout beside a running service.

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const LINES_MAX = 70

const run = promisify(execFile)

let payer: Payer
let checkout: string
let env: Record<string, string | undefined>

beforeAll(async () => {
  const { service } = await shareDemo()
  payer = await createPayer(service, '100')
  checkout = await makeDirectory()
  env = { PATH: process.env.PATH, HOME: checkout }
  const { apiKey, secretBase64 } = payer.credentials
  const demo = { base_url: service.baseUrl, resellers: [{ api_key: apiKey, signing_secret: secretBase64 }] }
  await mkdir(join(checkout, '.warung'))
  await writeFile(join(checkout, '.warung', 'demo.json'), JSON.stringify(demo))
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
})

afterAll(() => stopServices())

function blockWith(word: string): string {
  const found = blocksOf('README.md').find(({ text }) => text.includes(word))
  if (found === undefined) throw new Error(`the README has no block with ${word}`)
  return found.text
}

it('the README has at most 70 lines', async () => {
  const lines = (await readFile(join(ROOT, 'README.md'), 'utf8')).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX)
})

it('its commands pay, from the demo’s file alone', async () => {
  const before = await payer.balance()
  const { stdout } = await run('bash', ['-ec', blockWith('npx warung pay')], { cwd: checkout, env })
  expect(stdout).toContain('Succesful')
  expect(await payer.balance()).toBeLessThan(before)
})

it('its program pays by the SDK', async () => {
  await writeFile(join(checkout, 'pay.mjs'), blockWith('@warung/sdk'))
  const { stdout, stderr } = await run(process.execPath, ['pay.mjs'], { cwd: checkout, env })
  expect(stderr).toBe('')
  expect(stdout).toBe(`Succesful ${stdout.split(' ')[1]} ${await payer.balance()}\n`)
})
