// Program that the tests run as `warungd` on a runtime that keeps no compiled code: the bundle as it is.

/** Imports what the bundle leaves in its place (program.ts). */
globalThis.importInPlace = (address) => import(address)

require('../dist/main.js')
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code
  })
