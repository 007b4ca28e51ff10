import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const site = join(root, 'packages', 'docs', 'dist', 'site')
const WEB = 'packages/web'
const GENERATOR = 'generator.mjs'
const ENTRY = 'documentation-generator'
const ENTRY_ID = /^documentation-generator$/
/** Pages of clients and examples; each is on the site when it is in the checkout. */
const CLIENTS = [
  'packages/sdk/README.md',
  'packages/cli/README.md',
  'clients/python/README.md',
  'clients/php/README.md',
  'examples/README.md',
]
/** Pages, and code and data that pages show. */
const SHOWN = /\.md$|^docs\/examples\/|\/pack\.json$/
const FONTS = ['hanken-grotesk.woff2', 'atkinson-mono.woff2']

/**
 * Builds the documentation site from the Markdown in docs/, the API documents and tables of the server's code, if one of
 * them or the generator changed since the last time. `note` is called before the work.
 */
export async function buildDocs(note: (name: string) => void): Promise<void> {
  const generator = await bundleGenerator()
  const sources = readSources()
  const stamp = stampOf(sources, generator)
  const stampFile = join(site, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  note('the documentation')
  write(GENERATOR, generator)
  const { buildSite, guideTables } = (await import(pathToFileURL(join(site, GENERATOR)).href)) as Generator
  const files = buildSite({ ...(await inputOf(sources)), tables: guideTables() })
  rmSync(site, { recursive: true, force: true })
  for (const [name, contents] of files) write(name, contents)
  write('files.json', JSON.stringify([...files.keys()].sort()))
  // The stamp comes last: an interrupted build is made again.
  write('stamp', stamp)
}

/** Exports of the bundle that `bundleGenerator` makes. */
type Generator = {
  buildSite(input: object): Map<string, string | Buffer>
  guideTables(): unknown
}
type Sources = ReadonlyMap<string, Buffer>

/** Bundles the generator and the server's tables from their sources: this needs no compiled file. */
async function bundleGenerator() {
  const { rolldown } = await import('rolldown')
  const parts = ['packages/docs/src/site.ts', 'packages/server/src/app/guide.ts']
  const build = await rolldown({
    input: ENTRY,
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: { filter: { id: ENTRY_ID }, handler: (id) => id },
        load: {
          filter: { id: ENTRY_ID },
          handler: () => parts.map((each) => `export * from ${JSON.stringify(join(root, each))}`).join('\n'),
        },
      },
    ],
  })
  const { output } = await build.generate({ format: 'es', codeSplitting: false })
  await build.close()
  return output[0].code
}

/** Reads everything the site is made of, by path from the root. */
function readSources(): Sources {
  const paths = [
    ...listBelow('docs').filter(
      (path) => /\.(md|png|svg|json)$/.test(path) || path.startsWith('docs/examples/'),
    ),
    ...listBelow('packages/server/alerts'),
    ...listBelow('packages/suppliers').filter((path) => path.endsWith('/pack.json')),
    ...['vectors/README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...CLIENTS.filter((path) => existsSync(join(root, path))),
    ...listBelow('packages/docs/src/client').filter((path) => !/\.test\.ts$/.test(path)),
    'packages/docs/src/style.css',
    `${WEB}/src/styles/tokens.css`,
    `${WEB}/public/icon.svg`,
    ...FONTS.map((name) => `${WEB}/src/fonts/${name}`),
  ]
  return new Map(paths.map((path) => [path, readFileSync(join(root, path))]))
}

function listBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? listBelow(path) : [path]
    })
}

function stampOf(sources: Sources, generator: string) {
  const hash = createHash('sha256').update(generator)
  for (const [path, bytes] of sources) hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

async function inputOf(sources: Sources) {
  const text = (path: string) => sources.get(path)?.toString('utf8') ?? ''
  const [script, theme] = await Promise.all(['main', 'theme'].map(bundle))
  const fonts = new Map(FONTS.map((name) => [name, sources.get(`${WEB}/src/fonts/${name}`)]))
  // Fonts lie beside the style on the site.
  const tokens = text(`${WEB}/src/styles/tokens.css`).replaceAll('../fonts/', '')
  return {
    texts: new Map(
      [...sources].flatMap(([path, bytes]) => (SHOWN.test(path) ? [[path, bytes.toString('utf8')]] : [])),
    ),
    pictures: new Map([...sources].filter(([path]) => /^docs\/.*\.(png|svg)$/.test(path))),
    documents: {
      reseller: JSON.parse(text('docs/openapi.json')),
      portal: JSON.parse(text('docs/openapi-portal.json')),
      operator: JSON.parse(text('docs/openapi-operator.json')),
    },
    style: `${tokens}\n${text('packages/docs/src/style.css')}`,
    icon: text(`${WEB}/public/icon.svg`),
    fonts,
    script,
    theme,
  }
}

/** Bundles a script of the browser into one file. */
async function bundle(name: string) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input: join(root, 'packages/docs/src/client', `${name}.ts`),
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: name === 'theme' ? 'iife' : 'es', minify: true })
  await build.close()
  return output[0].code
}

function write(name: string, contents: string | Buffer) {
  const file = join(site, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}
