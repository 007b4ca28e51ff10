import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Io } from './io.ts'
import { UsageError } from './io.ts'
import type { Profile } from './profiles.ts'

type Credentials = Pick<Profile, 'base_url' | 'api_key' | 'signing_secret'>
type DemoFile = {
  readonly base_url?: unknown
  readonly resellers?: readonly { readonly api_key?: unknown; readonly signing_secret?: unknown }[]
}

/** Reads the first account of the demo, from the file that the service has written beside its data. */
export async function readDemo(env: Io['env']): Promise<Credentials> {
  const own = env.WARUNG_DATA_DIR
  for (const dir of own ? [own] : dataDirsAbove(process.cwd())) {
    const text = await readFile(join(dir, 'demo.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return credentialsIn(text, dir)
  }
  throw new UsageError('There is no .warung/demo.json here. Run npm start in the checkout of the service.')
}

function dataDirsAbove(folder: string): string[] {
  const above = dirname(folder)
  return [join(folder, '.warung'), ...(above === folder ? [] : dataDirsAbove(above))]
}

function credentialsIn(text: string, dir: string): Credentials {
  try {
    const { base_url: baseUrl, resellers } = JSON.parse(text) as DemoFile
    const { api_key: apiKey, signing_secret: secret } = resellers?.[0] ?? {}
    if (typeof baseUrl === 'string' && typeof apiKey === 'string' && typeof secret === 'string') {
      return { base_url: baseUrl, api_key: apiKey, signing_secret: secret }
    }
  } catch {
    // Told below.
  }
  throw new UsageError(`${join(dir, 'demo.json')} holds no account of a demo.`)
}
