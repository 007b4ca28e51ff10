#!/usr/bin/env node
// @ts-check
import { existsSync } from 'node:fs'

const compiled = new URL('../dist/cli/main.js', import.meta.url)
const maker = new URL('../../../scripts/program.js', import.meta.url)

// In a checkout, `npm start` bundles the service; what was made last runs. A fresh checkout has neither yet.
const { findProgram, prepareProgram, runProgram } = existsSync(maker) ? await import(maker.href) : {}
const program = findProgram?.() ?? (existsSync(compiled) ? undefined : await prepareProgram?.())
if (program !== undefined) await runProgram(program)
else if (existsSync(compiled)) {
  const { main } = await import(compiled.href)
  process.exitCode = await main(process.argv.slice(2))
} else process.exitCode = 1
