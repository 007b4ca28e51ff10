import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replacePrivateFile } from '../lib/secrets/private-file.ts'

export type DemoLogin = { readonly email: string; readonly password: string }

export type DemoOperators = {
  readonly operator: DemoLogin
  /** Second person for approvals. A demo without a catalogue has none. */
  readonly second_operator?: DemoLogin
}

/** Content of the demo file. Tools read it, so its names must not change. */
export type DemoCredentials = DemoOperators & {
  readonly base_url: string
  readonly dashboard_url: string
  readonly environment: 'staging'
  /** Resellers of programs: their money does not run out. */
  readonly resellers: readonly DemoReseller[]
  /** Reseller of people who look around. A demo without payments has none. */
  readonly shop?: DemoShop
}

type DemoKey = { readonly api_key: string; readonly signing_secret: string }

export type DemoReseller = DemoKey & {
  readonly account: string
  readonly name: string
  readonly username: string
  readonly password: string
}

/** `kiosk`: a key with caps; demos of before have none. */
export type DemoShop = DemoReseller & { readonly kiosk?: DemoKey }

/** Lists every reseller of the demo in the order in which they were made. */
export function allResellers({
  resellers,
  shop,
}: Pick<DemoCredentials, 'resellers' | 'shop'>): DemoReseller[] {
  return shop === undefined ? [...resellers] : [...resellers, shop]
}

export function demoPath(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** Path of credentials whose seed may or may not have been committed. */
function pendingPath(dataDir: string): string {
  return `${demoPath(dataDir)}.new`
}

/** Lists the files that may hold this database's credentials, the published file first. */
export async function listCandidates(dataDir: string): Promise<DemoCredentials[]> {
  const found = await Promise.all([read(demoPath(dataDir)), read(pendingPath(dataDir))])
  return found.filter((each) => each !== undefined)
}

/** Writes the credentials to disk before the database has them, so that a crash in between loses nothing. */
export async function writePending(dataDir: string, credentials: DemoCredentials): Promise<void> {
  await write(pendingPath(dataDir), credentials)
}

export async function publish(dataDir: string, credentials: DemoCredentials): Promise<void> {
  await write(demoPath(dataDir), credentials)
  await rm(pendingPath(dataDir), { force: true })
}

async function write(path: string, credentials: DemoCredentials): Promise<void> {
  await replacePrivateFile(path, `${JSON.stringify(credentials, null, 2)}\n`)
}

async function read(path: string): Promise<DemoCredentials | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const value: unknown = JSON.parse(text)
    return isCredentials(value) ? value : undefined
  } catch {
    // The file was edited by hand and cannot be read; new credentials will replace it.
    return undefined
  }
}

function isCredentials(value: unknown): value is DemoCredentials {
  const { operator, second_operator: second, resellers, shop } = (value ?? {}) as Partial<DemoCredentials>
  return (
    hasTexts(operator, ['email', 'password']) &&
    (second === undefined || hasTexts(second, ['email', 'password'])) &&
    Array.isArray(resellers) &&
    resellers.length > 0 &&
    resellers.every(isReseller) &&
    (shop === undefined || isReseller(shop))
  )
}

function isReseller(value: unknown): value is DemoReseller {
  return hasTexts(value, ['account', 'name', 'api_key', 'signing_secret', 'username', 'password'])
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
}
