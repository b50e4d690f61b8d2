import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertOwn } from './own-folder.ts'
import type { Programs } from './programs.ts'
import { copyPrograms, findPrograms } from './programs.ts'
import type { RunAs } from './run-as.ts'
import { chooseRunAs } from './run-as.ts'
import { writeWholeFile } from './write-whole-file.ts'

/** Where a cluster is and how it is run. */
export interface DataLocation {
  /** The folder that contains `data`. */
  holder: string
  programs: Programs
  runAs: RunAs
}

/** Where the data is, or will be unless only root can enter that folder. */
export async function locateDataFolder(folder: string): Promise<string> {
  const holder = await rememberedHolder(folder)
  const dataFolder = join(holder, 'data')
  const isMade = existsSync(dataFolder)
  if (!isMade && holder !== folder) {
    const remedy = `put it back, or remove ${memoryIn(folder)} to begin with an empty one`
    throw new Error(`The embedded database is missing from ${holder}: ${remedy}.`)
  }
  if (isMade) await assertOwn(dataFolder)
  return dataFolder
}

/** The folder whose cluster is used: Docket's own, or the one that `rememberHolder` stored there. */
export async function rememberedHolder(folder: string): Promise<string> {
  return existsSync(memoryIn(folder)) ? (await readFile(memoryIn(folder), 'utf8')).trim() : folder
}

export function rememberHolder(folder: string, holder: string): Promise<void> {
  return writeWholeFile(memoryIn(folder), holder)
}

const memoryIn = (folder: string) => join(folder, 'location')

/** Keeps the data's location if PostgreSQL can run there; otherwise returns the first folder outside where it can. */
export async function chooseLocation(folder: string): Promise<DataLocation> {
  const programs = await findPrograms()
  const holder = await rememberedHolder(folder)
  const runAs = await chooseRunAs(holder, programs)
  if (runAs) return { holder, programs, runAs }

  const name = `docket-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`
  for (const outside of new Set([holder, join('/var/lib', name), join(tmpdir(), name)])) {
    const place = outside !== folder && (await locationOutside(outside, programs))
    if (place) return place
  }
  throw new Error(
    'PostgreSQL does not run as root, and no other user can run it here: start Docket as an ordinary user, or set DATABASE_URL.',
  )
}

async function locationOutside(holder: string, originals: Programs): Promise<DataLocation | undefined> {
  if (!(await isOurs(holder))) return undefined
  const programs = await copyPrograms(originals, holder)
  const runAs = await chooseRunAs(holder, programs)
  return runAs && { holder, programs, runAs }
}

/** Whether the folder is this user's: in a world-writable one, someone else may have created the name and wait for us to write to it. */
async function isOurs(holder: string): Promise<boolean> {
  await mkdir(holder).catch(() => undefined)
  const found = await lstat(holder).catch(() => undefined)
  if (!found?.isDirectory() || found.uid !== 0) return false
  await chmod(holder, 0o711)
  return true
}
