import { expect } from 'vitest'
import type { Answer } from '../http.ts'
import type { Service } from '../service.ts'
import type { Authenticator, CreationOptions, Lies, RequestOptions } from './authenticator.ts'
import { newAuthenticator } from './authenticator.ts'
import { dataOf } from './members.ts'
import type { Browser, Side } from './people.ts'
import { browserOf, call } from './people.ts'

// Passkeys of the tests' people, made by a device in software.

type ServiceUrl = Pick<Service, 'baseUrl'>

/** Origin of the pages, as a browser on this machine has it. */
export function originOf({ baseUrl }: ServiceUrl): string {
  return `http://localhost:${new URL(baseUrl).port}`
}

export type Begun<Options> = { readonly ceremony: string; readonly options: Options }
export type Registered = { readonly id: string; readonly device: Authenticator }

export async function beginPasskey(
  browser: Browser,
  proof: { password: string; code?: string },
): Promise<Begun<CreationOptions>> {
  return dataOf<Begun<CreationOptions>>(await browser.send('POST', '/passkeys/options', proof))
}

/** Registers a passkey. */
export async function addPasskey(
  service: ServiceUrl,
  browser: Browser,
  proof: { password: string; code?: string },
): Promise<Registered> {
  const device = newAuthenticator(originOf(service))
  const { ceremony, options } = await beginPasskey(browser, proof)
  const body = { ceremony, label: 'My phone', credential: device.create(options) }
  const made = await browser.send('POST', '/passkeys', body)
  expect(made.status, made.text).toBe(201)
  return { id: dataOf<{ id: string }>(made).id, device }
}

export async function beginSignIn(service: ServiceUrl, side: Side): Promise<Begun<RequestOptions>> {
  return dataOf<Begun<RequestOptions>>(await call(service, 'POST', `/${side}/v1/session/passkey/options`, {}))
}

export async function tryPasskey(
  service: ServiceUrl,
  side: Side,
  device: Authenticator,
  lies: Lies = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { ceremony, options } = await beginSignIn(service, side)
  const body = { ceremony, credential: device.get(options, lies) }
  return call(service, 'POST', `/${side}/v1/session/passkey`, body, headers)
}

export async function signInWithPasskey(
  service: ServiceUrl,
  side: Side,
  device: Authenticator,
): Promise<Browser> {
  const answer = await tryPasskey(service, side, device)
  expect(answer.status, answer.text).toBe(200)
  return browserOf(service, side, answer)
}
