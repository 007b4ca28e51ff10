#!/usr/bin/env node
// @ts-check
import { existsSync } from 'node:fs'

const command = new URL('dist/command.js', import.meta.url)

if (existsSync(command)) await import(command.href)
else {
  process.stderr.write('This checkout is not compiled: npm ci && npm run build\n')
  process.exitCode = 1
}
