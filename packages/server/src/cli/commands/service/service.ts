import { describeConfig } from '../../../config.ts'
import type { SchemaStep } from '../../../db/migrate.ts'
import { migrate, pendingMigrations } from '../../../db/migrate.ts'
import { reachDatabase } from '../../../runtime.ts'
import type { Call, Command, Output } from '../../command.ts'
import { simulatorCommand } from '../../simulator.ts'
import { formatFields } from '../../text.ts'

export const serviceCommands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'run the service until it is told to stop',
    options: {
      runtime: {
        value: 'NAME',
        help: 'node or bun: the runtime that runs it, by default the one of this command (docs/adr/0038)',
      },
    },
    async run(call) {
      const { currentRuntime, readRuntimeName, serveOn } = await import('../../runtimes.ts')
      const runtime = readRuntimeName(call.find('runtime') ?? currentRuntime())
      if (runtime !== currentRuntime()) return serveOn(runtime)
      // The service's code is loaded here alone, because no other command needs it.
      const { serve } = await import('../../serve.ts')
      return serve(call.config())
    },
  },
  {
    name: 'migrate',
    summary: 'bring the database schema up to date',
    options: { 'dry-run': { help: 'list the pending migrations without applying them' } },
    run: runMigrations,
  },
  {
    name: 'config',
    summary: 'show the settings in force, secrets masked',
    options: {},
    async run(call) {
      const settings = describeConfig(call.config())
      return { json: settings, text: formatFields(settings) }
    },
  },
  simulatorCommand,
]

async function runMigrations(call: Call): Promise<Output> {
  const reached = await reachDatabase(call.config(), {
    purpose: 'command',
    note: call.note,
    isAtCoordinator: true,
  })
  try {
    const dryRun = call.has('dry-run')
    const steps = await (dryRun ? pendingMigrations(reached.database) : migrate(reached.database))
    return describeSteps(steps, dryRun)
  } finally {
    await reached.close()
  }
}

function describeSteps(steps: readonly SchemaStep[], dryRun: boolean): Output {
  const title = dryRun ? 'Would apply:' : 'Applied:'
  const named = steps.map(nameStep)
  return {
    json: dryRun ? { pending: named } : { applied: named },
    text: steps.length === 0 ? 'The schema is up to date.' : [title, ...steps.map(lineOf)].join('\n'),
  }
}

function nameStep(step: SchemaStep): object {
  if ('number' in step) return { number: step.number, name: step.name }
  return { [step.kind]: step.routine }
}

function lineOf(step: SchemaStep): string {
  if ('number' in step) return `${String(step.number).padStart(4, '0')} ${step.name}`
  return `${step.kind} ${step.routine}`
}
