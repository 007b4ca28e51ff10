import type { Command, Context } from '../command.ts'
import { flag, text } from '../command.ts'
import { clientOf, findEnvironment } from '../connect.ts'
import { readDemo } from '../demo.ts'
import { EXIT } from '../exit-codes.ts'
import { ask, askSecret, UsageError } from '../io.ts'
import { printable } from '../output.ts'
import { loadProfiles, saveProfiles } from '../profiles.ts'

export const login: Command = {
  name: 'login',
  summary: 'Save the credentials of an account',
  options: {
    'base-url': { type: 'string', value: 'URL', text: 'address of the service' },
    'api-key': { type: 'string', value: 'KEY', text: 'API key' },
    'signing-secret': {
      type: 'string',
      value: 'SECRET',
      text: 'signing secret; better: leave it out and be asked, or set WARUNG_SIGNING_SECRET',
    },
    demo: { type: 'boolean', text: 'take the first account of the demo that runs from this checkout' },
  },
  details: [
    'Asks for everything that neither an option nor the environment has, tries the credentials, and saves them as a',
    'profile (--profile, else "default") in a file that only you can read.',
    '--demo asks for nothing: it reads .warung/demo.json of this folder or one above it (or of WARUNG_DATA_DIR).',
  ],
  async run({ io, values, profileName }) {
    const given = async (option: string, variable: string, question: () => Promise<string>) =>
      text(values, option) ?? (io.env[variable] || (await question()))
    const asked = async () => ({
      base_url: await given('base-url', 'WARUNG_BASE_URL', () => ask(io, 'Address of the service: ')),
      api_key: await given('api-key', 'WARUNG_API_KEY', () => ask(io, 'API key: ')),
      signing_secret: await given('signing-secret', 'WARUNG_SIGNING_SECRET', () =>
        askSecret(io, 'Signing secret: '),
      ),
    })
    const isDemo = flag(values, 'demo')
    if (
      isDemo &&
      ['base-url', 'api-key', 'signing-secret'].some((name) => text(values, name) !== undefined)
    ) {
      throw new UsageError('--demo brings all credentials: leave the other options out.')
    }
    const found = isDemo ? await readDemo(io.env) : await asked()
    const credentials = { ...found, base_url: found.base_url.replace(/\/+$/, '') }
    const client = clientOf(credentials)
    const { data } = await client.getBalance()
    const environment = await findEnvironment(client)
    const name = profileName ?? 'default'
    const stored = await loadProfiles(io.env)
    const { profiles } = stored
    const profile = { ...profiles[name], ...credentials, environment, account: data.account }
    const all = { ...profiles, [name]: profile }
    const file = await saveProfiles(io.env, { ...stored, current: name, profiles: all })
    const owner = printable(`${data.name} (${data.account})`)
    io.note(`warung: ${environment.toUpperCase()} · ${owner} · saved in ${file}\n`)
    return EXIT.ok
  },
}

export const profiles: Command = {
  name: 'profiles',
  summary: 'List, choose or remove saved credentials',
  args: '[use NAME | remove NAME]',
  words: ['use', 'remove'],
  async run(context) {
    const [action, name] = context.positionals
    if (action === undefined) return list(context)
    const stored = await loadProfiles(context.io.env)
    if (name === undefined || stored.profiles[name] === undefined) {
      throw new UsageError(`There is no profile ${name ?? ''}. See: warung profiles`)
    }
    const { [name]: _, ...others } = stored.profiles
    if (action === 'use') await saveProfiles(context.io.env, { ...stored, current: name })
    else if (action === 'remove') await saveProfiles(context.io.env, { ...stored, profiles: others })
    else throw new UsageError(`profiles does not know ${action}.`)
    return EXIT.ok
  },
}

async function list({ io, print }: Context): Promise<number> {
  const { current, profiles: stored } = await loadProfiles(io.env)
  const rows = Object.entries(stored).map(([name, { environment, account, base_url: url }]) => ({
    name,
    environment,
    account,
    base_url: url,
    current: name === current,
  }))
  print.list(rows, (row) => ({ ...row, current: row.current ? '*' : '' }), 'no profiles: warung login')
  return EXIT.ok
}
