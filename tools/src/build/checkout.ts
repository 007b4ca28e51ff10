import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const CHECKOUT = 'packages/checkout'
const FONTS = ['hanken-grotesk.woff2', 'atkinson-mono.woff2']
const dist = join(root, CHECKOUT, 'dist')

/**
 * Builds the script with `<warung-checkout>` and the hosted page, if one of their sources changed since the last time.
 * Files of the page have their hash in their name, so that browsers keep them. `note` is called before the work.
 */
export async function buildCheckout(note: (name: string) => void): Promise<void> {
  const sources = readSources()
  const stamp = stampOf(sources)
  const stampFile = join(dist, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  note('the checkout')
  const [component, page] = await Promise.all([bundle('component'), bundle('page')])
  rmSync(dist, { recursive: true, force: true })
  write('warung-checkout.js', component)
  writePage(sources, page)
  // The stamp comes last: an interrupted build is made again.
  write('stamp', stamp)
}

type Sources = ReadonlyMap<string, Buffer>
/** Name in a text, and the name that takes its place. */
type Names = readonly (readonly [from: string, to: string])[]

/** Writes the page and its files, and puts the names of the files into their places. */
function writePage(sources: Sources, script: string) {
  const fonts = FONTS.map((name): [string, string] => [
    `/checkout/${name}`,
    asset(name, sources.get(`packages/web/src/fonts/${name}`) ?? ''),
  ])
  const style = asset('page.css', named(text(sources, `${CHECKOUT}/page.css`), fonts))
  const files: Names = [
    ...fonts,
    ['/checkout/page.css', style],
    ['/checkout/page.js', asset('page.js', script)],
  ]
  write('page.html', named(text(sources, `${CHECKOUT}/page.html`), files))
}

function asset(name: string, contents: string | Buffer) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12)
  const file = `assets/${name.replace('.', `-${hash}.`)}`
  write(file, contents)
  return `/checkout/${file}`
}

function named(contents: string, names: Names) {
  return names.reduce((done, [from, to]) => done.replaceAll(from, to), contents)
}

function text(sources: Sources, path: string) {
  return sources.get(path)?.toString('utf8') ?? ''
}

function readSources(): Sources {
  const paths = [
    ...[`${CHECKOUT}/src`, 'packages/forms/src']
      .flatMap(listBelow)
      .filter((path) => !/\.test\.tsx?$/.test(path)),
    ...['page.html', 'page.css', 'package.json'].map((name) => `${CHECKOUT}/${name}`),
    ...FONTS.map((name) => `packages/web/src/fonts/${name}`),
    'tools/src/build/checkout.ts',
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

function stampOf(sources: Sources) {
  const hash = createHash('sha256')
  for (const [path, bytes] of sources) hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

/** Bundles an entry into one file that works as a module and as a plain script, without the `external` packages. */
export async function bundle(name: string, external: RegExp | string[] = []): Promise<string> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input: join(root, CHECKOUT, 'src/entries', `${name}.ts`),
    platform: 'browser',
    logLevel: 'silent',
    // The JSX is plain: it says nothing of what draws it.
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    external,
    plugins: [styleAsText],
  })
  const { output } = await build.generate({ format: 'iife', minify: true })
  await build.close()
  return output[0].code
}

/** A style sheet is a text without its comments and its spare spaces. */
const styleAsText: Plugin = {
  name: 'style-as-text',
  load: {
    filter: { id: /\.css$/ },
    handler: (id) => ({
      code: `export default ${JSON.stringify(
        readFileSync(id, 'utf8')
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .replace(/\s+/g, ' ')
          .replace(/\s*([{};,])\s*/g, '$1'),
      )}`,
      moduleType: 'js',
    }),
  },
}

function write(name: string, contents: string | Buffer) {
  const file = join(dist, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}
