import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin, ProxyOptions } from 'vite'
import { defineConfig, loadEnv } from 'vite'
import { languages } from './languages.ts'
import { CONSOLE_PATHS } from './src/console/paths.ts'
import { PORTAL_PATHS } from './src/portal/paths.ts'

/** Writes the paths of all pages beside the files: the service serves the frame at these, and 404 elsewhere. */
function pageList(): Plugin {
  return {
    name: 'warung-pages',
    generateBundle() {
      const pages = { portal: PORTAL_PATHS.map(routeOf), operator: CONSOLE_PATHS.map(routeOf) }
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** Writes compressed twins of the files, so that the service compresses nothing while it serves. */
function compressedTwins(): Plugin {
  return {
    name: 'warung-compressed',
    writeBundle({ dir = 'dist' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets)) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const bytes = readFileSync(join(assets, name))
        if (bytes.length < COMPRESSED_FROM_BYTES) continue
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
        const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, { params }))
      }
    },
  }
}

const COMPRESSED_FROM_BYTES = 1_024
/**
 * Modules that come in one file, because each request costs a round trip of its own: those of every page, those of
 * signing in, and those of the first look at Sell. A larger part of one page stays with it.
 */
const TOGETHER = {
  base: /node_modules\/(?!uqr)|rolldown|vite\/|web\/src\/(api\/(?!.*acts|operator)|shell\/|styles\/|fonts\/|entries\/start|people\/(asked|sign-in\.css)|ui\/(?!act-|chart|file-|markdown|stored|table|download|combobox)|text\/(?!remarks|csv)|portal\/(session|paths|messages|interruptions|sell\/(sale|shared-sales|basket\/forget-basket)\.ts))|forms\/src\/(texts|standard-texts|standard\/saying)/,
  people: /web\/src\/(people\/(sign-in\.tsx|public)|api\/operator(\.ts|-operations))/,
  sell: /web\/src\/(ui\/act-|portal\/act\.tsx|portal\/sell\/(page|picker|picture|number|saved|focus|messages|lazy|going|sell\.css))|forms\/src\/(?!fields)/,
}

/** Modules of languages, which come to their readers alone. */
const OF_LANGUAGES = /\?malay$|\/src\/(languages|standard)\//

/** The best quality takes two seconds of a build that nobody waits for, and saves every first visit 7 % of its bytes. */
const BROTLI_QUALITY = 11

/** Service worker of the portal. */
const WORKER = 'portal-worker'

function routeOf(path: string): string {
  return path.replaceAll('$', ':')
}

/**
 * Serves the frames at the pages' paths while `npm run dev` runs, as the service does with the built files. The page of
 * all components, `/design`, is there alone.
 */
function developmentPages(): Plugin {
  return {
    name: 'warung-development-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const entry = /^\/(portal|operator|design)(\/(?!v1\/)[^.]*)?$/.exec(
          request.url?.split('?')[0] ?? '',
        )?.[1]
        if (entry !== undefined) request.url = `/${entry}.html`
        next()
      })
    },
    transformIndexHtml: (html, { server }) =>
      server === undefined ? html : html.replace('<html ', '<html data-environment="staging" '),
  }
}

const PROXIED = ['/portal/v1', '/operator/v1', '/v2', '/docs', '/reference', '/openapi.json']

/** Sends a path's requests on to the service. It takes changes from its own origin alone, so they carry that one. */
function proxyTo(service: string): ProxyOptions {
  return { target: service, changeOrigin: true, headers: { origin: new URL(service).origin } }
}

export default defineConfig(({ mode }) => {
  // Address of a running service, for development.
  const { WARUNG_DEV_SERVICE: service = 'http://127.0.0.1:3000' } = loadEnv(mode, '.', 'WARUNG_')
  return {
    plugins: [languages(), pageList(), compressedTwins(), developmentPages()],
    server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, proxyTo(service)])) },
    build: {
      outDir: 'dist',
      target: 'es2023',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rollupOptions: {
        input: ['portal.html', 'operator.html', `src/entries/${WORKER}.ts`],
        output: {
          // What every page needs comes in one file, because each request costs a round trip of its own.
          codeSplitting: {
            groups: Object.entries(TOGETHER).map(([name, test]) => ({
              name,
              test: (id: string) => test.test(id) && !OF_LANGUAGES.test(id),
            })),
          },
          // A worker is known by its address, which stays; what it may answer lies below.
          entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  }
})
