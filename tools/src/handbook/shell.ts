// A shell into which blocks are typed one after the other: directories and variables stay, as in the shell of a reader.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'

export type Shell = {
  /** Types a block; resolves with its output and 0, or with the status of the command that failed. */
  type(text: string, onOutput: (text: string) => void): Promise<{ output: string; status: number }>
  end(): void
}

/** Starts a shell that ends at the first command that fails. */
export function openShell([command = '', ...args]: readonly string[]): Shell {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
  })
  // A shell that has ended reads nothing more; its end is the answer.
  child.stdin.on('error', () => {})
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  child.stdin.write('set -e; export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8; cd /root\n')
  return {
    async type(text, onOutput) {
      const mark = `done-${randomBytes(8).toString('hex')}`
      let output = ''
      let finish: (status: number) => void = () => {}
      const isDone = new Promise<number>((resolve) => {
        finish = resolve
      })
      const take = (chunk: Buffer) => {
        output += chunk
        onOutput(String(chunk).replace(`${mark}\n`, ''))
        if (output.includes(mark)) finish(0)
      }
      child.stdout.on('data', take)
      child.stdin.write(`{\n${text}} < /dev/null 2>&1\necho ${mark}\n`)
      const status = await Promise.race([isDone, ended])
      child.stdout.off('data', take)
      return { output: output.replace(mark, ''), status }
    },
    end: () => void child.stdin.end(),
  }
}
