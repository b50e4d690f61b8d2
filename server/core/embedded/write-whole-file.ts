import { open, rename } from 'node:fs/promises'

/** Writes a private file so that a crash leaves either the old one or the new one, never a part. */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const draft = await open(`${path}.new`, 'w', 0o600)
  try {
    await draft.writeFile(text)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${path}.new`, path)
}
