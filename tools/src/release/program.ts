// The compiled service in a few files instead of thousands: an unpacked release is smaller, and starts sooner.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { rolldown } from 'rolldown'

/** Packages with machine code or with data beside their code: they stay packages. */
export const CARRIED = ['@node-rs/argon2', 'bidi-js', 'fontkit', 'harfbuzzjs', 'pdfkit']
/** Compiled files that are programs of their own: `bin/warungd.js` and the service start them by these paths. */
const PROGRAMS = ['cli/main.js', 'app/catalog-worker.js']

/** Bundles the compiled service below `dist` into `target`. */
export async function bundleService(dist: string, target: string): Promise<void> {
  const nameOf = (path: string) => path.replace('/', '-').replace(/\.js$/, '')
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((path) => [nameOf(path), join(dist, path)])),
    platform: 'node',
    external: CARRIED,
    plugins: [keepAddresses(dist)],
    logLevel: 'silent',
  })
  // Names stay as they are: errors and logs show them.
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
  // All parts lie beside each other, because of keepAddresses.
  await bundle.write({ dir: target, format: 'esm', minify, chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  for (const path of PROGRAMS) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), `export * from '../${nameOf(path)}.js'\n`)
  }
}

/** Keeps the addresses of migrations, fonts and manifests as seen from the file that reads them. */
function keepAddresses(dist: string): Plugin {
  return {
    name: 'keep-addresses',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        const path = relative(dist, id).replaceAll('\\', '/')
        // The bundler's own helpers, which mean their own place.
        if (!isAbsolute(id)) return undefined
        if (path.startsWith('..')) throw new Error(`${id} reads files beside it: name its package in CARRIED`)
        return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
      },
    },
  }
}
