import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { createPayer, reload } from '../payments.ts'
import { makeDirectory, until } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'

// Commands and files of the guide, as printed. The simulator has a free port instead of the printed one.

const DOCS = new URL('../../../../docs/', import.meta.url)

let demo: Demo
let simulator: Simulator
let directory: string
let guide: string

beforeAll(async () => {
  guide = await readFile(new URL('guides/connect-a-supplier.md', DOCS), 'utf8')
  demo = await startDemo({ WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
  simulator = await startSimulator()
  directory = await makeDirectory()
  const example = JSON.parse(await readFile(new URL('examples/simulator-connection.json', DOCS), 'utf8'))
  await mkdir(join(directory, 'docs/examples'), { recursive: true })
  await write(
    'docs/examples/simulator-connection.json',
    JSON.stringify({ ...example, base_url: simulator.url }),
  )
})
afterAll(() => demo?.end())

function write(name: string, content: string): Promise<void> {
  return writeFile(join(directory, name), content)
}

function blocksOf(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )
}

const FILES = ['--file', '--secrets-file']

/** Splits a printed line as a shell would, and finds its files where the guide's reader has them. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return words.map((word, index) => (FILES.includes(words[index - 1] ?? '') ? join(directory, word) : word))
}

/** Runs lines that need no terminal of their own: files that are written, and commands beside the service. */
async function follow(block: string): Promise<Record<string, unknown>[]> {
  const answers: Record<string, unknown>[] = []
  for (const line of block.trim().split('\n')) {
    const file = /^echo '(.*)' > (\S+)$/.exec(line)
    const copied = /^cp docs\/(\S+) (\S+)$/.exec(line)
    if (file !== null) await write(file[2] ?? '', file[1] ?? '')
    else if (copied !== null)
      await write(copied[2] ?? '', await readFile(new URL(copied[1] ?? '', DOCS), 'utf8'))
    else if (line.startsWith('npx warungd ')) {
      answers.push(await demo.service.warungd(...wordsOf(line.slice('npx warungd '.length))))
    } else expect(line).toMatch(/^export WARUNG_OUTBOUND_ALLOW=/)
  }
  return answers
}

describe('the guide to connecting a supplier', () => {
  it('connects the made-up supplier as printed', async () => {
    const [first = ''] = blocksOf('sh')
    const [added, route] = await follow(first)
    expect(added).toMatchObject({ code: 'kedai', kind: 'http', enabled: true })
    expect(route).toMatchObject({ product: 'NOVA', provider: 'kedai' })
    // No supplier answers at that address.
    await demo.service.warungd('provider', 'disable', '--code', 'kedai')
  })

  it('connects the simulator as printed, which answers every question of the test', async () => {
    const last = blocksOf('sh').at(-1) ?? ''
    const [added, tested, route] = await follow(last)
    expect(added).toMatchObject({ code: 'sim2' })
    const answers = tested?.answers as { question: string; result: string }[]
    expect(answers.map(({ result }) => result)).toEqual(answers.map(() => 'ok'))
    expect(answers.map(({ question }) => question)).toContain('query')
    expect(route).toMatchObject({ product: 'NOVA', provider: 'sim2' })
    // A query buys nothing.
    expect(await simulator.books()).toEqual([])
  })

  it("another operator's Warung is a supplier by its pack, and its PINs come out", async () => {
    const [supplier, payer] = await Promise.all([
      createPayer(demo.service, '1000'),
      createPayer(demo.service, '1000'),
    ])
    const { apiKey, secretBase64 } = supplier.credentials
    const secrets = { api_key: apiKey, signing_secret: secretBase64, callback: `whsec_${secretBase64}` }
    await write('upstream.json', JSON.stringify(secrets))
    await demo.service.warungd(
      ...['provider', 'add', '--pack', 'warung', '--code', 'upstream'],
      ...['--setting', `base_url=${demo.service.baseUrl}`, '--product', 'KITA=PINTEN'],
      ...['--secrets-file', join(directory, 'upstream.json')],
    )
    const { answers } = await demo.service.warungd<{ answers: { question: string; result: string }[] }>(
      ...['provider', 'test', '--code', 'upstream'],
    )
    expect(answers.find(({ question }) => question === 'float')).toMatchObject({ result: 'ok' })
    await demo.service.warungd('route', 'set', '--product', 'KITA', '--provider', 'upstream')
    await until('the route holds', async () => {
      const body = reload({ product: 'KITA' })
      await payer.pay(body)
      return /\d{6}/.test((await payer.untilStatus(body, 'Succesful')).pin)
    })
    expect(await supplier.balance()).toBeLessThan(1000)
  })

  it('a supplier that is gone is said to be gone', async () => {
    await simulator.kill9()
    const { code, stdout } = await demo.service.tryWarungd('provider', 'test', '--code', 'sim2', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ provider: 'sim2' })
    expect(stdout).not.toContain('"result":"ok"')
  })
})
