import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a private file so that a crash leaves either the old one or the new one, never a part; several processes may write one at once.
 */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const name = `${path}.${randomBytes(4).toString('hex')}.new`
  try {
    const draft = await open(name, 'wx', 0o600)
    try {
      await draft.writeFile(text)
      await draft.sync()
    } finally {
      await draft.close()
    }
    await rename(name, path)
  } catch (error) {
    await rm(name, { force: true })
    throw error
  }
}
