// @ts-check
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'

const server = fileURLToPath(new URL('../packages/server', import.meta.url))

export const NOT_COMPILED = [
  'This checkout is not compiled yet, and you may not write to it.',
  'Let its owner run `npm run build` once, or use a checkout of your own.',
].join('\n')

/** Tells whether this user may write to the checkout: it may belong to another one. */
export function mayWrite() {
  try {
    accessSync(server, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @param {string} text */
export function complain(text) {
  process.stderr.write(`${text}\n`)
}
