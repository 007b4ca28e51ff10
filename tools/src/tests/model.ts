// `npm run model`: searches the model of a payment's life (packages/server/src/testing/model). `--help` lists the options.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

type Model = { runModel(args: string[], print: (line: string) => void): number }

const COMMAND = fileURLToPath(
  new URL('../../../packages/server/src/testing/model/command.ts', import.meta.url),
)

const dir = await mkdtemp(join(tmpdir(), 'warung-model-'))
try {
  const file = join(dir, 'model.mjs')
  const bundle = await rolldown({ input: COMMAND, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  const { runModel } = (await import(pathToFileURL(file).href)) as Model
  process.exitCode = runModel(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await rm(dir, { recursive: true, force: true })
}
