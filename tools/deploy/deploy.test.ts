import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SETTING_NAMES } from '#server/core/env.ts'

const UNIT = 'tools/deploy/docket.service'
/** The first that rates a file without installing it. */
const OLDEST_SYSTEMD = 250
const [, version = '0'] = /^systemd (\d+)/.exec(systemdAnalyze('--version').stdout) ?? []
const hasSystemd = Number(version) >= OLDEST_SYSTEMD
if (!hasSystemd) console.warn(`${UNIT} isn't verified: it needs systemd ${OLDEST_SYSTEMD} or newer`)

test.skipIf(!hasSystemd)('systemd finds no mistake in the unit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-unit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // It asks for the program, which is installed nowhere here.
  const unit = (await readFile(UNIT, 'utf8')).replace('/opt/docket/current/docket', resolve('tools/release/docket'))
  await writeFile(join(folder, 'docket.service'), unit)
  const file = join(folder, 'docket.service')
  const { status, stderr } = systemdAnalyze('verify', '--man=no', '--recursive-errors=no', file)
  const mistakes = stderr.split('\n').filter((line) => line.includes('docket.service'))
  expect({ status, mistakes }).toEqual({ status: 0, mistakes: [] })
})

test.skipIf(!hasSystemd)('systemd rates what the unit may do as little: an exposure of at most 2 of 10', () => {
  const { status, stderr } = systemdAnalyze('security', '--offline=true', '--threshold=20', '--no-pager', UNIT)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.each([
  [UNIT, /^Environment=([A-Z_]+)=/gm],
  ['tools/deploy/docket.env', /^([A-Z_]+)=/gm],
  ['tools/deploy/Containerfile', /\b([A-Z]+(?:_[A-Z]+)*)=/g],
  ['tools/deploy/compose.yaml', /^ {6}((?!POSTGRES_)[A-Z_]+):/gm],
])('%s sets only settings that exist', async (file, pattern) => {
  const names = [...(await readFile(file, 'utf8')).matchAll(pattern)].map(([, name]) => name)
  expect(names).not.toEqual([])
  expect(SETTING_NAMES).toEqual(expect.arrayContaining(names))
})

test('README.md describes every setting', async () => {
  const readme = await readFile('README.md', 'utf8')
  const described = [...readme.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
  expect(described).toEqual(expect.arrayContaining(SETTING_NAMES))
})

function systemdAnalyze(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' }
}

test('the archive starts the program with the environment and the options of npm start', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const [, environment, options] = /^(.*) node (.*)server\/main\.ts$/.exec(scripts.start) ?? []
  expect(options).toBeTruthy()
  const archived = await readFile('tools/release/docket', 'utf8')
  expect(archived).toContain(`export DOCKET_HOME ${environment}\n`)
  expect(archived).toContain(`/bin/node" ${options}"$here/server/main.ts"`)
})
