import { existsSync } from 'node:fs'
import { chmod, cp, lchown, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataLocation } from './data-location.ts'
import { chooseLocation, rememberedHolder, rememberHolder } from './data-location.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import type { RunAs } from './run-as.ts'
import { run } from './run-as.ts'

export interface Cluster extends DataLocation {
  dataFolder: string
}

interface Preparation {
  folder: string
  password: string
  say: (line: string) => void
}

/** A cluster that is ready to start: created, moved to a place where it can run, or given to the user who is to run it. */
export async function prepareCluster({ folder, password, say }: Preparation): Promise<Cluster> {
  const current = await rememberedHolder(folder)
  const place = await chooseLocation(folder)
  const cluster = { ...place, dataFolder: join(place.holder, 'data') }
  const isMade = existsSync(join(current, 'data'))

  if (!isMade) {
    say(`Setting up PostgreSQL in ${cluster.dataFolder}`)
    await build(cluster, (draft) => initialise(cluster, draft, password))
  } else if (place.holder !== current) {
    await build(cluster, (draft) => copyCluster(cluster, join(current, 'data'), draft))
  } else {
    await giveTo(cluster.runAs, cluster.dataFolder)
    // A copy restored from a backup is often readable by more users than PostgreSQL accepts.
    await chmod(cluster.dataFolder, 0o700)
  }

  if (place.holder !== current) {
    say(
      `PostgreSQL does not run as root, and no other user can enter ${current}: the database is kept in ${cluster.dataFolder}`,
    )
    await rememberHolder(folder, place.holder)
    await rm(join(current, 'data'), { recursive: true, force: true })
  }
  return cluster
}

/** Builds in a temporary folder and renames it when complete, so that a kill leaves no partial cluster. */
async function build({ holder, dataFolder }: Cluster, fill: (draft: string) => Promise<void>): Promise<void> {
  for (const name of await readdir(holder)) {
    if (name.startsWith('making-')) await rm(join(holder, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const draft = await mkdtemp(join(holder, 'making-'))
  try {
    await fill(draft)
    if (existsSync(dataFolder)) await setAside(dataFolder, draft.replace('making-', 'data-found-'))
    await rename(join(draft, 'data'), dataFolder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Data without a reference belongs to a removed home: it is not ours to use or delete. */
async function setAside(dataFolder: string, to: string): Promise<void> {
  const leftBehind = await findPostmaster(dataFolder)
  if (leftBehind) await stopPostmaster(leftBehind)
  await rename(dataFolder, to)
}

async function initialise({ runAs, programs }: Cluster, draft: string, password: string): Promise<void> {
  const dataFolder = join(draft, 'data')
  const passwordFile = join(draft, 'password')
  await mkdir(dataFolder, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  await giveTo(runAs, draft)
  await run(runAs, programs.initdb, [
    '--pgdata',
    dataFolder,
    '--username=docket',
    '--auth=scram-sha-256',
    '--pwfile',
    passwordFile,
    // With a plain C ctype, pg_trgm would ignore every letter outside ASCII.
    '--encoding=UTF8',
    '--locale=C',
    '--lc-ctype=C.UTF-8',
  ]).catch((error) => {
    throw new Error(`PostgreSQL could not be set up: ${error.message}`)
  })
}

async function copyCluster({ runAs, programs }: Cluster, from: string, draft: string): Promise<void> {
  const dataFolder = join(draft, 'data')
  await cp(from, dataFolder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  await giveTo(runAs, draft)
  // Synced to disk before the original is removed.
  await run(runAs, programs.initdb, ['--sync-only', '--pgdata', dataFolder])
}

/**
 * Checks everything on every start, not only when the top differs: the last attempt may have been killed halfway. Does not follow links:
 * through them the database's user could make root give away root's files.
 */
async function giveTo({ owner }: RunAs, path: string): Promise<void> {
  if (!owner) return
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  for (const entry of [path, ...entries.map(({ parentPath, name }) => join(parentPath, name))]) {
    const { uid, gid } = await lstat(entry)
    if (uid !== owner.uid || gid !== owner.gid) await lchown(entry, owner.uid, owner.gid)
  }
}
