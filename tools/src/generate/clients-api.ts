import type { Document } from './document.ts'
import type { Keeper } from './files.ts'
import { read } from './files.ts'
import { listOperations } from './operations.ts'
import { renderPhpOperations, renderPhpRemedies } from './php.ts'
import { renderPythonOperations, renderPythonRemedies } from './python.ts'
import { listRemedies } from './remedies.ts'

/** Keeps the operations and remedies of the clients in Python and PHP, from the document and the service's tables. */
export function keepClients(files: Keeper) {
  const operations = listOperations(JSON.parse(read('docs/openapi.json')) as Document)
  const remedies = listRemedies()
  files.keep('clients/python/warung/operations.py', renderPythonOperations(operations))
  files.keep('clients/python/warung/remedies.py', renderPythonRemedies(remedies))
  files.keep('clients/php/src/Operations.php', renderPhpOperations(operations))
  files.keep('clients/php/src/Remedies.php', renderPhpRemedies(remedies))
}
