import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWholeFile } from './write-whole-file.ts'

/** The database password of this home, created on the first run. */
export async function readPassword(folder: string, dataFolder: string): Promise<string> {
  const path = join(folder, 'password')
  if (existsSync(path)) return (await readFile(path, 'utf8')).trim()
  if (existsSync(dataFolder))
    throw new Error(`The password file of the embedded database is missing. Restore ${path} from a backup.`)

  const password = randomBytes(24).toString('base64url')
  await writeWholeFile(path, password)
  return password
}
