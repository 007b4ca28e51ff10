import { expect, it } from 'vitest'
import type { Connection } from './connections.types.ts'
import { changedConnectionRow } from './operators.service.ts'

const [THEN, NOW] = [new Date('2026-01-01'), new Date('2026-02-01')]
const SHELF: Connection = {
  code: 'shelf',
  kind: 'http',
  name: 'Shelf',
  isEnabled: true,
  config: { url: 'https://a.example/?key=hush' },
  secretNames: { user: THEN, password: THEN, old: THEN },
  limits: {},
  floatAlert: null,
  version: 1n,
  createdAt: THEN,
  updatedAt: THEN,
}

it('the log says that a provider is spoken to in another way and which secrets are others, and neither’s content', () => {
  const after: Connection = {
    ...SHELF,
    version: 2n,
    config: { url: 'https://b.example/?key=hush' },
    secretNames: { user: THEN, password: NOW, more: NOW },
  }
  const row = changedConnectionRow(SHELF, after)
  expect(row).toEqual({
    kind: 'http',
    name: 'Shelf',
    enabled: true,
    version: 2n,
    config_changed: true,
    credentials_replaced: ['password', 'more'],
    credentials_removed: ['old'],
  })
  expect(changedConnectionRow(SHELF, { ...SHELF, config: { ...(SHELF.config as object) } })).toMatchObject({
    config_changed: false,
    credentials_replaced: [],
    credentials_removed: [],
  })
})

it('secrets may be named like members of every object', () => {
  const names = { constructor: THEN, toString: THEN }
  expect(changedConnectionRow(SHELF, { ...SHELF, secretNames: names })).toMatchObject({
    credentials_replaced: ['constructor', 'toString'],
    credentials_removed: ['user', 'password', 'old'],
  })
  expect(changedConnectionRow({ ...SHELF, secretNames: names }, SHELF)).toMatchObject({
    credentials_removed: ['constructor', 'toString'],
  })
})
