import { relative } from 'node:path'
import type { DemoCredentials } from '../demo/credentials.ts'
import { allResellers } from '../demo/credentials.ts'

export type Announcement = {
  baseUrl: string
  /** Address of the dashboard's pages. */
  dashboardUrl: string
  metricsUrl: string
  /** Address at which kept mails can be read; undefined: mails are not kept. */
  mailboxUrl: string | undefined
  demo: { path: string; credentials: DemoCredentials } | undefined
}

/** Prints what a person who has just started the service needs: addresses, credentials, a request that works. */
export function announce(say: (text: string) => void, announcement: Announcement): void {
  const { baseUrl, dashboardUrl, metricsUrl, mailboxUrl, demo } = announcement
  say('')
  say('Warung is ready.')
  say(`  api        ${baseUrl}`)
  say(`  portal     ${new URL('/portal', dashboardUrl)}`)
  say(`  console    ${new URL('/operator', dashboardUrl)}`)
  say(`  docs       ${baseUrl}/docs`)
  say(`  metrics    ${metricsUrl}`)
  if (mailboxUrl !== undefined) say(`  mailbox    ${mailboxUrl}`)
  if (demo === undefined) return
  const { credentials } = demo
  say('')
  say(`Demo credentials (also in ${demo.path}):`)
  for (const login of [credentials.operator, credentials.second_operator]) {
    if (login !== undefined) say(`  operator   ${login.email}  ${login.password}`)
  }
  for (const reseller of allResellers(credentials)) {
    say(`  reseller   ${reseller.account}  ${reseller.name}`)
    say(`    api key         ${reseller.api_key}`)
    say(`    signing secret  ${reseller.signing_secret}`)
    say(`    user            ${reseller.username}  ${reseller.password}`)
  }
  say('')
  say('A signed request, to copy and paste:')
  say('')
  const shortest = relative(process.cwd(), demo.path)
  say(signedRequest(shortest.startsWith('..') ? demo.path : shortest))
  say('')
}

/** Makes a request that needs only Node: it reads the demo file, signs by the contract, and reads the balance. */
export function signedRequest(demoPath: string): string {
  // The path is quoted for the program, and then for the shell around it.
  const path = JSON.stringify(demoPath).replaceAll("'", `'\\''`)
  return `node --input-type=module -e '
import { createHash, createHmac, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
const { base_url, resellers: [reseller] } = JSON.parse(readFileSync(${path}, "utf8"))
const timestamp = Math.floor(Date.now() / 1000), nonce = randomUUID(), method = "GET", query = "", body = ""
const bodyHash = createHash("sha256").update(body).digest("base64")
const canonical = ["v1", timestamp, nonce, method, query, bodyHash].join(":")
const secret = Buffer.from(reseller.signing_secret, "base64")
const signature = "v1=" + createHmac("sha256", secret).update(canonical).digest("base64")
const headers = { "X-Api-Key": reseller.api_key, "X-Timestamp": String(timestamp), "X-Nonce": nonce, "X-Signature": signature }
const response = await fetch(base_url + "/v2/balance", { headers })
console.log(response.status, await response.text())
'`
}
