import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the directory of the service's own files: the root of the checkout, from any directory in which a command is
 * called. An installation without a checkout around it, such as a release, uses the directory that it is called in.
 */
export function installationDir(): string {
  // The path is the same from src/config and from dist/config.
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  return isCheckout(root) ? root : process.cwd()
}

function isCheckout(root: string): boolean {
  const path = join(root, 'package.json')
  if (!existsSync(path) || !existsSync(join(root, 'packages', 'server'))) return false
  try {
    const { name, workspaces } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    // A release has the same folders, and no workspaces.
    return name === 'warung' && workspaces !== undefined
  } catch {
    return false
  }
}
