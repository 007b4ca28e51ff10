import { expect, it } from 'vitest'
import { isSignInPath, localPath } from './local-path.ts'

it.each([
  '/portal/payments',
  '/portal/payments?status=failed&next=/portal/sign-in',
  '/portal/payments/1#sign-in',
  '/portal/sign-in-attempts',
])('a local path of a page is kept: %s', (path) => {
  expect(localPath(path, '/portal')).toBe(path)
})

it.each([
  undefined,
  '/portal',
  '/operator/payments',
  '//example.com/portal/x',
  '/portal//example.com',
  '/portal/\\example.com',
])('a local path of elsewhere gives the start: %s', (path) => {
  expect(localPath(path, '/portal')).toBe('/portal')
})

it.each([
  '/portal/sign-in',
  '/portal/sign-in/',
  '/portal/Sign-In',
  '/portal/sign-in#top',
  '/portal/sign-in?next=/portal/payments',
  '/portal/sign-in?next=%2Fportal%2Fsign-in%3Fnext%3D%252Fportal',
  '/portal/sign%2Din',
  '/portal/sign%252Din',
  '/portal/%73ign-in%3Fnext=1',
  '/portal/payments/../sign-in',
  '/portal/payments/%2e%2e/sign-in',
])('a local path of the sign-in page gives the start: %s', (path) => {
  expect(localPath(path, '/portal')).toBe('/portal')
  expect(localPath(path.replace('/portal', '/operator'), '/operator')).toBe('/operator')
})

it('a path with a broken encoding is no sign-in path', () => {
  expect(isSignInPath('/portal/payments/100%', '/portal/sign-in')).toBe(false)
})
