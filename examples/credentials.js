// Credentials of the examples: from the environment, or those of the demo that `npm start` writes.
import { readFileSync } from 'node:fs'

/** Returns the settings of a client. */
export function readCredentials() {
  const {
    WARUNG_BASE_URL: baseUrl,
    WARUNG_API_KEY: apiKey,
    WARUNG_SIGNING_SECRET: signingSecret,
  } = process.env
  if (baseUrl && apiKey && signingSecret) return { baseUrl, apiKey, signingSecret }
  const demo = readDemo()
  const [reseller] = demo.resellers
  return { baseUrl: demo.base_url, apiKey: reseller.api_key, signingSecret: reseller.signing_secret }
}

function readDemo() {
  try {
    return JSON.parse(readFileSync(new URL('../.warung/demo.json', import.meta.url), 'utf8'))
  } catch {
    throw new Error(
      'Start the service with npm start, or set WARUNG_BASE_URL, WARUNG_API_KEY and WARUNG_SIGNING_SECRET.',
    )
  }
}
