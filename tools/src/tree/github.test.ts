import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'

// Files that GitHub alone reads: a mistake in them would be seen there, and too late.

const root = new URL('../../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
// The package has no types of its own.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }
const workflow = (path: string) => load(text(path)) as Workflow
const manifest = JSON.parse(text('package.json')) as Manifest
const list = (folder: string) => readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}`)

type Step = { run?: string; uses?: string; with?: { 'node-version'?: number } }
type Job = { steps: Step[]; strategy?: { matrix: { node: number[] } } }
type Workflow = { on: object; jobs: Record<string, Job> }
type Field = {
  type: string
  id: string
  attributes: { label: string; options: unknown[] }
  validations?: { required?: boolean }
}
type Form = { name: string; description: string; body: Field[] }
type Manifest = {
  scripts: Record<string, string>
  engines: { node: string }
  homepage: string
  repository: { url: string }
}

const WORKFLOWS = list('.github/workflows')
const FORMS = list('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('/config.yml'))
const jobs = WORKFLOWS.flatMap((path) =>
  Object.entries(workflow(path).jobs).map(([name, job]) => ({ name: `${path} ${name}`, job })),
)
const steps = jobs.flatMap(({ job }) => job.steps)

describe('the workflows', () => {
  it('each say when they run, may only read, and end a job that hangs', () => {
    for (const path of WORKFLOWS) {
      expect(workflow(path), path).toMatchObject({
        name: expect.any(String),
        on: expect.any(Object),
        permissions: { contents: 'read' },
      })
    }
    for (const { name, job } of jobs) {
      expect(job, name).toMatchObject({ 'runs-on': 'ubuntu-24.04', 'timeout-minutes': expect.any(Number) })
    }
  })

  it('do nothing that cannot be done by hand: npm ci, a script of package.json, or .ci/run', () => {
    const commands = steps.flatMap(({ run }) => run ?? [])
    expect(commands.length).toBeGreaterThan(3)
    for (const command of commands) {
      const [, script] = /^npm run ([\w:]+)(?: -- "\$GITHUB_REF_NAME")?$/.exec(command) ?? []
      if (script !== undefined) expect(Object.keys(manifest.scripts)).toContain(script)
      else expect(['npm ci', '.ci/run']).toContain(command)
    }
    expect(existsSync(new URL('.ci/run', root))).toBe(true)
  })

  it('take actions of GitHub alone, by the hash of a commit, with its version beside it', () => {
    const used = WORKFLOWS.flatMap((path) => text(path).match(/^.*\buses:.*$/gm) ?? [])
    expect(used.length).toBe(steps.filter(({ uses }) => uses !== undefined).length)
    for (const line of used) {
      expect(line).toMatch(/^ +- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
  })

  it('run every change on the Node releases that the documents name', () => {
    const [, documented = ''] =
      /on Node ((?:\d+, )*\d+ and \d+)\./.exec(
        text('docs/adr/0038-node-runs-the-service-bun-is-an-experiment.md'),
      ) ?? []
    const releases = (documented.match(/\d+/g) ?? []).map(Number)
    const { change } = workflow('.github/workflows/ci.yml').jobs
    expect(change?.strategy?.matrix.node).toEqual(releases)
    const [, least] = /^>=(\d+)\./.exec(manifest.engines.node) ?? []
    expect(Math.min(...releases)).toBe(Number(least))
  })

  it('run the night and a release, which a tag alone makes, on the Node release of the image', () => {
    const { on, jobs: only } = workflow('.github/workflows/release.yml')
    expect(on).toEqual({ push: { tags: ['v*'] } })
    const [, ofImage] = /^FROM node:(\d+)-/m.exec(text('deploy/docker/Dockerfile')) ?? []
    for (const job of [only.release, workflow('.github/workflows/ci.yml').jobs.night]) {
      const node = job?.steps.find(({ with: input }) => input?.['node-version'])
      expect(node?.with?.['node-version']).toBe(Number(ofImage))
    }
  })
})

describe('the forms of issues', () => {
  it.each(FORMS)('%s asks for something, under names that differ', (path) => {
    const { name, description, body } = load(text(path)) as Form
    expect([name, description]).toEqual([expect.any(String), expect.any(String)])
    const fields = body.filter(({ type }) => type !== 'markdown')
    for (const { type, id, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown']).toContain(type)
      expect([id, attributes.label]).toEqual([expect.stringMatching(/^[a-z]+$/), expect.any(String)])
      if (type === 'dropdown') expect(attributes.options.length).toBeGreaterThan(1)
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    expect(fields.some(({ validations }) => validations?.required)).toBe(true)
  })

  it('lead a weakness in security away from public issues', () => {
    const { blank_issues_enabled: isBlank, contact_links: links } = load(
      text('.github/ISSUE_TEMPLATE/config.yml'),
    ) as { blank_issues_enabled: boolean; contact_links: object[] }
    expect(isBlank).toBe(false)
    expect(links).toEqual([
      expect.objectContaining({
        url: expect.stringContaining(repository()),
        about: expect.stringMatching(/SECURITY\.md/),
      }),
    ])
  })
})

describe('the schedule of updates', () => {
  it('covers npm, the actions and the image, each from a folder that has them', () => {
    const { version, updates } = load(text('.github/dependabot.yml')) as {
      version: number
      updates: { 'package-ecosystem': string; directory: string; schedule: { interval: string } }[]
    }
    expect(version).toBe(2)
    expect(updates.map(({ 'package-ecosystem': kind }) => kind)).toEqual(['npm', 'github-actions', 'docker'])
    for (const { directory, schedule } of updates) {
      expect(existsSync(new URL(`.${directory}`, root)), directory).toBe(true)
      expect(['weekly', 'monthly']).toContain(schedule.interval)
    }
  })
})

describe('the pages for contributors', () => {
  it('lead to files and scripts that there are', () => {
    const template = text('.github/pull_request_template.md')
    const conduct = text('CODE_OF_CONDUCT.md')
    for (const [path] of `${template}${conduct}`.matchAll(/\b[A-Z_]+\.md\b|\.ci\/run/g)) {
      expect(existsSync(new URL(path, root)), path).toBe(true)
    }
    for (const [, script = ''] of template.matchAll(/npm run ([\w:]+)/g))
      expect(manifest.scripts).toHaveProperty(script)
    expect(conduct.split(/\s+/).length).toBeLessThan(250)
  })

  it('name one repository, as every package does', () => {
    const packages = ['packages/sdk/package.json', 'packages/cli/package.json'].map(
      (path) => JSON.parse(text(path)) as Manifest,
    )
    for (const { repository: its } of [manifest, ...packages]) expect(its.url).toBe(`git+${repository()}.git`)
    for (const path of ['clients/python/pyproject.toml', 'clients/php/composer.json']) {
      expect(text(path), path).toContain(`"${repository()}"`)
    }
  })
})

function repository() {
  return manifest.homepage.replace('#readme', '')
}
