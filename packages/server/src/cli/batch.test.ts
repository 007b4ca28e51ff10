import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { shareReach } from '../runtime.ts'
import { openCommandLine } from '../testing/command-line.ts'
import { runBatch } from './batch.ts'
import { main } from './main.ts'

async function run(...lines: string[]) {
  let printed = ''
  const runOther = async (words: readonly string[]) => {
    const ran = { out: '', err: '' }
    const code = await main(words, {
      out: (text) => {
        ran.out += text
      },
      err: (text) => {
        ran.err += text
      },
      readInput: async () => '',
    })
    return { code, ...ran }
  }
  const code = await runBatch({ runOther }, Readable.from([lines.join('\n')]), (text) => {
    printed += text
  })
  const results = printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return { code, results }
}

it('runs each line as a command of its own, and tells what came of each', async () => {
  const { code, results } = await run('["--version"]', '', '["deposit", "--help"]')
  expect(code).toBe(0)
  expect(results).toHaveLength(2)
  expect(results[0]).toEqual({ code: 0, out: expect.stringMatching(/^warungd \d/), err: '' })
  expect(results[1]).toEqual({ code: 0, out: expect.stringContaining('--amount'), err: '' })
})

it('goes on after a command that failed or was no command, and ends with 1', async () => {
  const lines = ['["fly"]', 'fly', '[]', '[1]', '{"a":1}', '["serve"]', '["batch"]', '["--version"]']
  const { code, results } = await run(...lines)
  expect(code).toBe(1)
  expect(results.map((result) => result.code)).toEqual([2, 2, 2, 2, 2, 2, 2, 0])
  for (const { err } of results.slice(0, -1)) expect(err).toMatch(/^warungd: /)
})

it('its commands share their connections to the database, and the end of the batch closes them', async () => {
  const line = await openCommandLine()
  const shared = shareReach()
  const connections = async () => {
    const { rows } = await line.test.database.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'warungd command'`,
    )
    return rows.map(({ pid }) => pid)
  }
  const list = async () => {
    const io = { out: () => {}, err: () => {}, readInput: async () => '' }
    expect(await main(['operator', 'list', '--json'], io, line.env, shared.reach)).toBe(0)
    return connections()
  }
  const first = await list()
  expect(first).not.toEqual([])
  expect(await list()).toEqual(first)
  await shared.close()
  await expect.poll(connections).toEqual([])
  await line.close()
})
