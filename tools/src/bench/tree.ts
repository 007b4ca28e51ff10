import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readConfig } from '../../../packages/server/dist/config.js'
import { createApiKey } from '../../../packages/server/dist/modules/accounts/keys.service.js'
import { createReseller } from '../../../packages/server/dist/modules/accounts/service.js'
import { deposit } from '../../../packages/server/dist/modules/wallet/balance/service.js'
import { openRuntime } from '../../../packages/server/dist/runtime.js'

const PARTS = { readConfig, openRuntime, createApiKey, createReseller, deposit }

/** Parts of a built checkout that a measurement calls: another one has another schema. */
export type Tree = typeof PARTS & { readonly warungd: string }

export const THIS_TREE: Tree = {
  ...PARTS,
  warungd: fileURLToPath(new URL('../../../packages/server/bin/warungd.js', import.meta.url)),
}

/** Loads another checkout, in which `npm run build` has run. */
export async function loadTree(directory: string): Promise<Tree> {
  const server = resolve(directory, 'packages/server')
  const load = async <Part>(file: string) =>
    (await import(pathToFileURL(resolve(server, 'dist', file)).href)) as Part
  const parts = await Promise.all([
    load<Pick<Tree, 'readConfig'>>('config.js'),
    load<Pick<Tree, 'openRuntime'>>('runtime.js'),
    load<Pick<Tree, 'createApiKey'>>('modules/accounts/keys.service.js'),
    load<Pick<Tree, 'createReseller'>>('modules/accounts/service.js'),
    load<Pick<Tree, 'deposit'>>('modules/wallet/balance/service.js'),
  ])
  return { ...Object.assign({}, ...parts), warungd: resolve(server, 'bin/warungd.js') }
}
