import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { run } from './main.ts'

async function warung(...argv: string[]) {
  const said = { out: '', note: '' }
  const code = await run(argv, {
    env: {},
    input: Readable.from([]),
    isInteractive: false,
    out: (text) => {
      said.out += text
    },
    note: (text) => {
      said.note += text
    },
    signal: new AbortController().signal,
  })
  return { code, ...said }
}

describe('warung help', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('called as %j prints the overview', async (argv) => {
    const { code, out, note } = await warung(...argv)
    expect({ code, note }).toEqual({ code: EXIT.ok, note: '' })
    expect(out).toContain('Usage: warung COMMAND')
  })

  it('prints the help of a command', async () => {
    expect((await warung('help', 'balance')).out).toMatch(/^Usage: warung balance/)
  })

  it('refuses a command that does not exist, as a call of it does', async () => {
    const refused = {
      code: EXIT.usage,
      out: '',
      note: 'warung: There is no command nosuch. See: warung help\n',
    }
    expect(await warung('help', 'nosuch')).toEqual(refused)
    expect(await warung('nosuch')).toEqual(refused)
  })
})

describe('options', () => {
  it.each([
    [['balance', '--profil', 'x'], 'There is no option --profil. See: warung help balance'],
    [['balance', '--profil=x'], 'There is no option --profil. See: warung help balance'],
    [['pay', 'NOVA', '-x'], 'There is no option -x. See: warung help pay'],
    [['balance', '--profile'], "Option '--profile <value>' argument missing. See: warung help balance"],
  ])('%j is refused in one line that names the option', async (argv, text) => {
    expect(await warung(...argv)).toEqual({ code: EXIT.usage, out: '', note: `warung: ${text}\n` })
  })
})

describe('a command that would do something else than was asked for', () => {
  it.each([
    [
      ['listen', '--forward-to', 'http://localhost:1/', '--streams', 'callback,orders'],
      'There is no stream orders. --streams takes callback, balance, catalog, order.',
    ],
    [
      ['events', '--follow', '--cursor-file', fileURLToPath(import.meta.url)],
      `${fileURLToPath(import.meta.url)} holds no cursor.`,
    ],
  ])('is refused: %j', async (argv, text) => {
    expect(await warung(...argv)).toEqual({ code: EXIT.usage, out: '', note: `warung: ${text}\n` })
  })
})
