import { expect, test } from 'vitest'
import { chooseSettings, renderConf } from './settings.ts'

const endpoint = { host: `/tmp/it's "here", too`, port: 5432 }

test('the server is durable unless told otherwise, and listens on no network', () => {
  const conf = renderConf(chooseSettings('warung-1', 'off', undefined), endpoint)
  expect(conf).toContain(`\nfsync = 'on'\n`)
  expect(conf).toContain(`\nsynchronous_commit = 'on'\n`)
  expect(conf).toContain(`\nlisten_addresses = ''\n`)
})

test('given settings win, but not over what the supervisor relies on', () => {
  const given = { fsync: 'off', cluster_name: 'mine', listen_addresses: '*', port: '1' }
  const conf = renderConf(chooseSettings('warung-1', 'lz4', given), endpoint)
  expect(conf).toContain(`\nfsync = 'off'\n`)
  expect(conf).toContain(`\ncluster_name = 'warung-1'\n`)
  expect(conf).toContain(`\nlisten_addresses = ''\n`)
  expect(conf).toContain(`\nport = '5432'\n`)
})

test('a path with quotes and commas stays one path', () => {
  const conf = renderConf({}, endpoint)
  expect(conf).toContain(`unix_socket_directories = '"/tmp/it''s ""here"", too"'`)
})

test('a setting cannot smuggle in another', () => {
  expect(() => renderConf({ fsync: "on'\nlisten_addresses = '*" }, endpoint)).toThrow(/one line/)
  expect(() => renderConf({ "x = 'y'\nfsync": 'off' }, endpoint)).toThrow(/not the name/)
})
