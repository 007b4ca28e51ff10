// `npm run clients-api`: writes the operations and remedies of the clients in Python and PHP, and the Postman
// collection, from the document and the tables that the service serves. With --check it writes nothing and fails when a
// file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { listOperations } from './clients/operations.js'
import { renderPhpOperations, renderPhpRemedies } from './clients/php.js'
import { renderCollection, renderEnvironment } from './clients/postman.js'
import { renderPythonOperations, renderPythonRemedies } from './clients/python.js'
import { listRemedies } from './clients/remedies.js'

const document = JSON.parse(readFileSync(urlOf('docs/openapi.json'), 'utf8'))
const operations = listOperations(document)
const remedies = listRemedies()

const FILES = {
  'clients/python/warung/operations.py': renderPythonOperations(operations),
  'clients/python/warung/remedies.py': renderPythonRemedies(remedies),
  'clients/php/src/Operations.php': renderPhpOperations(operations),
  'clients/php/src/Remedies.php': renderPhpRemedies(remedies),
  'clients/postman/warung.postman_collection.json': renderCollection(
    operations,
    readFileSync(urlOf('clients/postman/sign.js'), 'utf8'),
  ),
  'clients/postman/warung.postman_environment.json': renderEnvironment(),
}

for (const [path, text] of Object.entries(FILES)) {
  if (!process.argv.includes('--check')) writeFileSync(urlOf(path), text)
  else if (readIfThere(path) !== text) {
    process.stderr.write(`${path} is out of date: run npm run build && npm run clients-api\n`)
    process.exitCode = 1
  }
}

function urlOf(path) {
  return new URL(`../${path}`, import.meta.url)
}

function readIfThere(path) {
  try {
    return readFileSync(urlOf(path), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
