// Loaded into every process of a test run: a hash of a password there takes a hundredth of the work. With the parameters
// of the product a run would spend a tenth of its time on them; lib/secrets/passwords.test.ts holds these.
const argon2 = require('@node-rs/argon2')

const { hash } = argon2
const LIGHT = { memoryCost: 64, timeCost: 1 }

argon2.hash = (password, options) => {
  const isFull = process.env.WARUNG_TEST_HASHES === 'full'
  return hash(password, isFull ? options : { ...options, ...LIGHT })
}
