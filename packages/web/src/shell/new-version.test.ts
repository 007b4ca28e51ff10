import { expect, it } from 'vitest'
import { isMendedByReload, isOtherVersion } from './new-version.ts'

const SCRIPT = '/assets/portal-1.js'
const SAME = `<script type="module" src="${SCRIPT}"></script>`
const NEWER = '<script type="module" src="/assets/portal-2.js"></script>'
const FIRST = { script: SCRIPT, isRepeated: false, wasReloaded: false }

it('a file that did not come has the document loaded anew when the service has a newer version', () => {
  expect(isMendedByReload({ ...FIRST, frame: NEWER })).toBe(true)
})

it('a file that did not come leaves the document as it is while the service does not answer', () => {
  expect(isMendedByReload({ ...FIRST, frame: undefined })).toBe(false)
  expect(isMendedByReload({ ...FIRST, frame: undefined, isRepeated: true })).toBe(false)
})

it('a file that did not come for a moment is asked for again first, and only then the document', () => {
  expect(isMendedByReload({ ...FIRST, frame: SAME })).toBe(false)
  expect(isMendedByReload({ ...FIRST, frame: SAME, isRepeated: true })).toBe(true)
})

it('a file that did not come after a new load either is not asked for by another, unless a person asks again', () => {
  expect(isMendedByReload({ ...FIRST, frame: NEWER, wasReloaded: true })).toBe(false)
  expect(isMendedByReload({ ...FIRST, frame: SAME, isRepeated: true, wasReloaded: true })).toBe(true)
})

it('a new version is told by a frame of ours with another script, not by the page of a network in between', () => {
  expect(isOtherVersion(NEWER, SCRIPT)).toBe(true)
  expect(isOtherVersion(SAME, SCRIPT)).toBe(false)
  expect(isOtherVersion('<form action="/hotel">Sign in to the network</form>', SCRIPT)).toBe(false)
})
