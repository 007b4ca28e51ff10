#!/usr/bin/env node
// @ts-check
import { existsSync } from 'node:fs'

const built = new URL('../dist/warung.js', import.meta.url)

// A fresh checkout has the source and no build yet.
if (!existsSync(built)) {
  const { load } = await import('../../../scripts/load.js')
  const { bundleCommand } = await load('build/clients.ts')
  await bundleCommand()
}
const { main } = await import(built.href)
await main()
