// `node tools/dist/generate/command.js [--check] [NAME…]` writes the generated files of these names, in their order; with
// --check it writes nothing, and fails when a file is out of date. Without names it takes all of them.
import { keepClients } from './clients-api.ts'
import type { Keeper } from './files.ts'
import { fileKeeper } from './files.ts'
import { keepDocuments } from './openapi.ts'
import { keepSdk } from './sdk-api.ts'
import { keepWebTypes } from './web-api.ts'

const GENERATORS: Record<string, (files: Keeper) => void> = {
  openapi: keepDocuments,
  'web-api': keepWebTypes,
  'sdk-api': keepSdk,
  'clients-api': keepClients,
}

const words = process.argv.slice(2)
const isCheck = words.includes('--check')
const names = words.filter((word) => word !== '--check')
for (const name of names.length > 0 ? names : Object.keys(GENERATORS)) {
  const generate = GENERATORS[name]
  if (generate === undefined) throw new Error(`there is no generator ${name}`)
  const files = fileKeeper(isCheck)
  generate(files)
  for (const path of files.stale) {
    process.stderr.write(`${path} is out of date: run npm run build && npm run ${name}\n`)
    process.exitCode = 1
  }
}
