import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'

const CLIENT = '@amityco/ts-sdk@6.35.3'
const CACHE = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'docket')

/**
 * The folder with the public client from its registry: outside of the checkout, as it is not a dependency, created once and kept. Fails
 * with a one-line message if the registry can't be reached.
 */
export async function installClient(say: (line: string) => void): Promise<string> {
  const folder = path.join(CACHE, CLIENT.replace(/\W+/g, '-').replace(/^-/, ''))
  if (await isThere(folder)) return folder

  say(`Installing ${CLIENT} into ${folder}`)
  await mkdir(CACHE, { recursive: true })
  // Atomic: an interrupted installation must not count as installed.
  const draft = await mkdtemp(`${folder}.`)
  try {
    await writeFile(path.join(draft, 'package.json'), '{ "private": true }\n')
    await install(draft)
    await rename(draft, folder)
    return folder
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function install(folder: string): Promise<void> {
  const flags = [
    '--save-exact',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'silent',
    '--json',
    '--fetch-retries',
    '1',
  ]
  const npm = spawn('npm', ['install', '--prefix', folder, CLIENT, ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let report = ''
  npm.stdout.on('data', (chunk) => {
    report += chunk
  })
  return new Promise((resolve, reject) => {
    npm.once('error', reject)
    npm.once('close', (code) => {
      if (code === 0) return resolve()
      const problem = /"summary": "(.*)"/.exec(report)?.[1] ?? `npm ended with ${code}`
      reject(new Error(`Could not install ${CLIENT} from the registry: ${problem}`))
    })
  })
}
