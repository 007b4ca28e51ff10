import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startDemo } from '../catalog.ts'
import { createPayer, RELOAD_COST, reload, ringgit } from '../payments.ts'
import { INSTALLED, launch, WARUNGD } from '../process.ts'
import { environmentOf, makeDirectory, stopServices } from '../service.ts'
import { hasTool, TOOLS_PATH } from '../tools/installed.ts'

// These tests begin on Node, on whatever runtime the others run.
const ON_NODE = { executable: process.execPath }

afterAll(stopServices)

/** Calls `warungd serve` in a place where PATH has this folder alone; it must end by itself. */
async function refuse(runtime: string, folder: string): Promise<{ code: number | null; output: string }> {
  const environment = { ...environmentOf({}, await makeDirectory()), PATH: folder }
  const args = [WARUNGD, 'serve', '--runtime', runtime]
  const started = launch(environment, { ...ON_NODE, args })
  const { code } = await started.ended
  return { code, output: started.output() }
}

describe('the choice of a runtime', () => {
  it.each(['deno', 'Bun', '', 'node --inspect'])(
    '"%s" is refused with the names that there are',
    async (name) => {
      expect(await refuse(name, await makeDirectory())).toEqual({
        code: 2,
        output: `warungd: --runtime must be one of node, bun, not "${name}"\n`,
      })
    },
  )

  it('bun without an installation is refused with the command that installs it', async () => {
    const { code, output } = await refuse('bun', await makeDirectory())
    expect(code).toBe(2)
    expect(output).toMatch(/there is no bun on PATH or in node_modules.* npm install --global bun$/m)
  })

  it('a version that is too old is refused with its version and the one that is needed', async () => {
    const folder = await makeDirectory()
    await writeFile(join(folder, 'bun'), '#!/bin/sh\necho 1.3.9\n')
    await chmod(join(folder, 'bun'), 0o755)
    const { code, output } = await refuse('bun', folder)
    expect(code).toBe(2)
    expect(output).toMatch(/is version 1\.3\.9\. Install Bun 1\.4 or newer/)
  })
})

it.runIf(hasTool('bun'))(
  'the service starts on Bun with a warning, takes a signed payment, and stops when it is told to',
  async () => {
    const { service, end } = await startDemo(
      { PATH: TOOLS_PATH },
      { launch: { ...ON_NODE, args: [INSTALLED, 'serve', '--runtime', 'bun'] } },
    )
    expect(service.output()).toContain('EXPERIMENTAL: Bun ')
    const payer = await createPayer(service, '100.00')
    await payer.untilStatus(reload(), 'Succesful')
    expect(await payer.balance()).toBe(ringgit(100 - RELOAD_COST))
    expect(await service.stop()).toBe(0)
    expect(service.output()).toMatch(/^Stopped\.$/m)
    await end()
  },
)
