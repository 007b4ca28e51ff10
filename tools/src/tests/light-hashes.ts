// Loaded into every process of a test run: a hash of a password there takes a hundredth of the work. With the parameters
// of the product a run would spend a tenth of its time on them; lib/secrets/passwords.test.ts holds these.
import { createRequire } from 'node:module'

type Argon2 = { hash(password: string, options: object): Promise<string> }

// An import would fix the names of the package before they are changed here.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as Argon2
const { hash } = argon2
const LIGHT = { memoryCost: 64, timeCost: 1 }

argon2.hash = (password, options) => {
  const isFull = process.env.WARUNG_TEST_HASHES === 'full'
  return hash(password, isFull ? options : { ...options, ...LIGHT })
}
