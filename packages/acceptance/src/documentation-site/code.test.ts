import { readdirSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Payer } from '../payments.ts'
import { createPayer } from '../payments.ts'
import type { Service } from '../service.ts'
import { makeDirectory, stopServices, until } from '../service.ts'
import { TOOLS_PATH } from '../tools/installed.ts'
import type { Block } from './blocks.ts'
import { blocksOf, signingCases } from './blocks.ts'
import { canRun, RUNTIMES } from './runtimes.ts'
import { VECTOR_PROGRAMS } from './vector-programs.ts'

// Code of the documentation, run as it is printed: every block whose fence says `run`, in its language.

const INTEGRATE = 'docs/integrate'
const QUICK_START = `${INTEGRATE}/quick-start.md`
const SIGNING = `${INTEGRATE}/signing.md`
const SDKS = `${INTEGRATE}/sdks.md`
const CHECKOUT = `${INTEGRATE}/checkout.md`
const PAGES = [
  ...['payments', 'errors', 'idempotency', 'catalogue', 'staging'].map((name) => `${INTEGRATE}/${name}.md`),
  'docs/guides/webhooks.md',
]
const RUN_HERE = [QUICK_START, SIGNING, SDKS, CHECKOUT, ...PAGES]
const GUIDES = readdirSync(new URL('../../../../docs/integrate/', import.meta.url)).map(
  (name) => `${INTEGRATE}/${name}`,
)

let service: Service
let payer: Payer

beforeAll(async () => {
  service = (await shareDemo()).service
  payer = await createPayer(service, '5000')
})

afterAll(() => stopServices())

/** Environment of a reader: the tools, and nothing of ours. */
function plainEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: TOOLS_PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...more }
}

function credentialEnvironment(): NodeJS.ProcessEnv {
  const { apiKey, secretBase64 } = payer.credentials
  return plainEnvironment({ BASE_URL: service.baseUrl, API_KEY: apiKey, SIGNING_SECRET: secretBase64 })
}

async function saveFiles(folder: string, blocks: readonly Block[]): Promise<void> {
  for (const { file, text, language } of blocks) {
    if (file === undefined) continue
    const [name, contents] = RUNTIMES[language]?.save?.(file, text) ?? [file, text]
    await writeFile(join(folder, name), contents)
  }
}

/** Runs the blocks of a page in their order; blocks with a file name are saved. Blocks whose tool is missing are left. */
async function runPage(folder: string, blocks: readonly Block[], env: NodeJS.ProcessEnv): Promise<void> {
  expect(blocks.filter(({ isRun }) => isRun)).not.toEqual([])
  for (const block of blocks) {
    await saveFiles(folder, [block])
    const runtime = RUNTIMES[block.language]
    if (!block.isRun || !canRun(block) || runtime === undefined) continue
    const start = () => runtime.start(folder, block.text, env)
    const { until: wanted } = block
    if (wanted === undefined) expectOutput(block, await start())
    else await until(`the output has "${wanted}"`, async () => (await start()).includes(wanted))
  }
}

function expectOutput({ expected, text }: Block, output: string): void {
  for (const choice of expected) {
    const isThere = choice.split('|').some((each) => output.includes(each))
    expect(isThere, `${text}\nprinted, without "${choice}":\n${output}`).toBe(true)
  }
}

describe('the quick start', () => {
  it('pays as it is printed, from an empty folder, with nothing but the demo’s file', async () => {
    const home = await makeDirectory()
    const data = join(home, 'warung', '.warung')
    await mkdir(data, { recursive: true })
    const { apiKey, secretBase64 } = payer.credentials
    const demo = { base_url: service.baseUrl, resellers: [{ api_key: apiKey, signing_secret: secretBase64 }] }
    await writeFile(join(data, 'demo.json'), JSON.stringify(demo))
    const folder = join(home, 'empty')
    await mkdir(folder)
    await runPage(folder, blocksOf(QUICK_START), { ...plainEnvironment(), HOME: home })
    const body = { refid: 'first-1', product: 'NOVA', account: '60123456789', amount: 10 }
    expect(await payer.pay(body)).toMatchObject({ statusCode: 20, refid: 'first-1' })
  })
})

describe('the programs that sign', () => {
  it.each(Object.keys(VECTOR_PROGRAMS).filter((language) => canRun({ language, text: '' })))(
    'reproduce every golden case of the contract’s reading: %s',
    async (language) => {
      const runtime = RUNTIMES[language]
      if (runtime === undefined) throw new Error(`${language} has no runtime`)
      const folder = await makeDirectory()
      await saveFiles(
        folder,
        blocksOf(SIGNING).filter((block) => block.language === language),
      )
      const cases = signingCases()
      const words = (each: (typeof cases)[number]) =>
        [each.secret, each.method, each.query, each.body, each.timestamp, each.nonce].map(
          (word) => `.${Buffer.from(word as string).toString('base64')}`,
        )
      await writeFile(join(folder, 'cases.txt'), `${cases.map((each) => words(each).join(' ')).join('\n')}\n`)
      const output = await runtime.start(folder, VECTOR_PROGRAMS[language] ?? '', plainEnvironment())
      const signed = output.trim().split('\n')
      expect(cases.length).toBeGreaterThan(20)
      expect(signed).toEqual(
        cases.map(
          ({ canonicalString, signature }) =>
            `${Buffer.from(canonicalString).toString('base64')} ${signature}`,
        ),
      )
    },
  )

  const LANGUAGES = ['ts', 'py', 'php', 'go', 'java', 'sh'].filter((language) =>
    canRun({ language, text: 'bash signed.sh' }),
  )
  it.each(LANGUAGES)('are answered by the service: %s', async (language) => {
    const folder = await makeDirectory()
    const isShell = language === 'sh'
    const blocks = blocksOf(SIGNING).filter(
      (block) => block.language === language || (isShell && block.language === 'bash'),
    )
    await runPage(folder, blocks, credentialEnvironment())
  })
})

describe('the pages that use the SDK', () => {
  it.each([SDKS, CHECKOUT])('work as they are printed, with the package beside them: %s', async (page) => {
    const folder = await makeDirectory()
    const scope = join(folder, 'node_modules', '@warung')
    await mkdir(scope, { recursive: true })
    await symlink(fileURLToPath(new URL('../../../sdk', import.meta.url)), join(scope, 'sdk'))
    const { apiKey, secretBase64 } = payer.credentials
    const env = plainEnvironment({
      WARUNG_BASE_URL: service.baseUrl,
      WARUNG_API_KEY: apiKey,
      WARUNG_SIGNING_SECRET: secretBase64,
    })
    await runPage(folder, blocksOf(page), env)
  })
})

describe('the other guides', () => {
  it.each(PAGES)('have code that runs: %s', async (page) => {
    const folder = await makeDirectory()
    // Pages use the files that the quick start and the guide to signing have the reader save.
    await saveFiles(folder, [...blocksOf(QUICK_START), ...blocksOf(SIGNING)])
    await runPage(folder, blocksOf(page), credentialEnvironment())
  })

  it('mark every block of a language that can run: as a file, to be run, or as one of a kind that is not for here', () => {
    const unmarked = [...new Set([...GUIDES, ...RUN_HERE])].flatMap((page) =>
      blocksOf(page)
        .filter(
          ({ language, isRun, file }) => RUNTIMES[language] !== undefined && !isRun && file === undefined,
        )
        .map(({ text }) => text.trim()),
    )
    // The start of a service: the tests have one.
    expect(unmarked).toEqual(['cd ~/warung\nnpm ci && npm start'])
  })

  it('are all run here when they have a block to run', () => {
    const withCode = GUIDES.filter((page) => blocksOf(page).some(({ isRun }) => isRun))
    expect(withCode.filter((page) => !RUN_HERE.includes(page))).toEqual([])
  })
})
