import type { Command, Context } from '../command.ts'
import { text } from '../command.ts'
import { clientOf, findEnvironment } from '../connect.ts'
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
  },
  details: [
    'Asks for everything that neither an option nor the environment has, tries the credentials, and saves them as a',
    'profile (--profile, else "default") in a file that only you can read.',
  ],
  async run({ io, values, profileName }) {
    const given = async (option: string, variable: string, question: () => Promise<string>) =>
      text(values, option) ?? (io.env[variable] || (await question()))
    const baseUrl = await given('base-url', 'WARUNG_BASE_URL', () => ask(io, 'Address of the service: '))
    const apiKey = await given('api-key', 'WARUNG_API_KEY', () => ask(io, 'API key: '))
    const secret = await given('signing-secret', 'WARUNG_SIGNING_SECRET', () =>
      askSecret(io, 'Signing secret: '),
    )
    const credentials = { base_url: baseUrl.replace(/\/+$/, ''), api_key: apiKey, signing_secret: secret }
    const client = clientOf(credentials)
    const { data } = await client.getBalance()
    const environment = await findEnvironment(client)
    const name = profileName ?? 'default'
    const { profiles } = await loadProfiles(io.env)
    const profile = { ...profiles[name], ...credentials, environment, account: data.account }
    const file = await saveProfiles(io.env, { current: name, profiles: { ...profiles, [name]: profile } })
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
