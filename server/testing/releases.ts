import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
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
