import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url))
const NOT_COPIED = ['node_modules', '.git', '.next', '.docket', 'dist', 'test-results']

/** The code of a release in a folder of its own; it shares the packages of this checkout. */
export interface Release {
  folder: string
  remove(): Promise<void>
}

/**
 * The release before the newest migration, from the history of git; undefined, after a line that says why, where there is no history or
 * where it needs other packages than this checkout.
 */
export async function previousRelease(): Promise<Release | undefined> {
  try {
    const { stdout } = await git(
      'log',
      '-1',
      '--diff-filter=A',
      '--format=%H',
      '--',
      'prisma/migrations/*/migration.sql',
    )
    const commit = `${stdout.trim()}^`
    const folder = await mkdtemp(path.join(tmpdir(), 'docket-release-'))
    await git('archive', '--output', path.join(folder, 'release.tar'), commit)
    await run('tar', ['-xf', 'release.tar'], { cwd: folder })
    const release = await withPackages(folder)
    const different = await differentPackage(folder)
    if (different === undefined) return release
    console.log(`Skipped the previous release: it has another version of ${different}.`)
    await release.remove()
  } catch (error) {
    console.log(
      `Skipped the previous release: git has no history of it (${error instanceof Error ? error.message : error})`,
    )
  }
}

/** This checkout with more migrations. */
export async function nextRelease(migrations: Record<string, string>): Promise<Release> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docket-release-'))
  const isCopied = (from: string) => !NOT_COPIED.includes(path.relative(CHECKOUT, from))
  await cp(CHECKOUT, folder, { recursive: true, filter: isCopied })
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, 'prisma/migrations', name))
    await writeFile(path.join(folder, 'prisma/migrations', name, 'migration.sql'), sql)
  }
  return withPackages(folder)
}

async function withPackages(folder: string): Promise<Release> {
  await symlink(path.join(CHECKOUT, 'node_modules'), path.join(folder, 'node_modules'))
  await run('node_modules/.bin/prisma', ['generate'], {
    cwd: folder,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' },
  })
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/** A package that the release needs in another version than this checkout has. */
async function differentPackage(folder: string): Promise<string | undefined> {
  const [needed, here] = await Promise.all([packagesOf(folder), packagesOf(CHECKOUT)])
  return Object.keys(needed).find((name) => name !== '' && needed[name]?.version !== here[name]?.version)
}

async function packagesOf(folder: string): Promise<Record<string, { version?: string }>> {
  return JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')).packages
}

function git(...args: string[]) {
  return run('git', args, { cwd: CHECKOUT })
}
