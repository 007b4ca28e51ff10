// @ts-check
// First file of a bundle of the service (scripts/program.js). Node keeps what it compiled: the first process of each
// command that ends by itself writes what V8 compiled of each file; later ones read it instead of compiling it again. V8
// refuses a cache that does not fit its version and flags, and compiles.
const { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { basename, dirname, join } = require('node:path')
const vm = require('node:vm')

const dist = join(__dirname, '..', 'dist')
const [, , command = 'none'] = process.argv
const cache = join(__dirname, '..', 'cache', `${process.version}-${basename(command)}`)
const isCached = existsSync(cache)
/** @type {Map<string, import('node:vm').Script>} */
const scripts = new Map()
/** @type {{ _compile(this: NodeModule, content: string, filename: string): unknown }} */
const prototype = /** @type {any} */ (Module).prototype
const compile = prototype._compile

// Bun has another engine, which keeps no compiled code.
if (process.versions.bun === undefined) prototype._compile = compileWithCache

/**
 * @this {NodeModule}
 * @param {string} content
 * @param {string} filename
 */
function compileWithCache(content, filename) {
  if (dirname(filename) !== dist) return compile.call(this, content, filename)
  const name = `${basename(filename)}.cache`
  const script = new vm.Script(Module.wrap(content), {
    filename,
    ...(isCached && { cachedData: read(join(cache, name)) }),
  })
  if (!isCached) scripts.set(name, script)
  const run = script.runInThisContext()
  return run.call(this.exports, this.exports, Module.createRequire(filename), this, filename, dist)
}

/** Imports what the bundle leaves in its place. */
Object.assign(globalThis, { importInPlace: (/** @type {string} */ address) => import(address) })

/** @param {string} path */
function read(path) {
  return existsSync(path) ? readFileSync(path) : undefined
}

if (!isCached) process.once('exit', write)

/** Writes the cache beside its place first: other processes find the whole of it or nothing. */
function write() {
  if (scripts.size === 0) return
  try {
    mkdirSync(dirname(cache), { recursive: true })
    const draft = mkdtempSync(`${cache}-`)
    for (const [name, script] of scripts) writeFileSync(join(draft, name), script.createCachedData())
    renameSync(draft, cache)
  } catch {
    // Another process was first, or this one runs as a user who may not write here.
  }
}

// The database driver asks for this name to learn where it runs. Node 20 does not have it; the driver then tries
// `Response`, and Node loads its whole HTTP client for that. Later versions of Node have the name.
if (!('navigator' in globalThis)) {
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.versions.node}` } })
}

/** @type {{ main(words: string[]): Promise<number> }} */
const { main } = require(join(dist, 'main.js'))
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
