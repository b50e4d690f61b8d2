import { mkdir, realpath, stat } from 'node:fs/promises'

/** Creates the folder if it is missing, and returns its real path: one folder must not have two names. */
export async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true }).catch((error) => {
    throw new Error(`Cannot create the folder ${path} for the embedded database (${error.code}).`, { cause: error })
  })
  await assertOwn(path)
  return realpath(path)
}

/** Root can give files away; anyone else can only use their own. */
export async function assertOwn(path: string): Promise<void> {
  const user = process.getuid?.()
  const { uid } = await stat(path)
  if (user === 0 || user === uid) return
  throw new Error(
    `${path} belongs to another user (uid ${uid}): start Docket as that user, or give it to this one with chown -R.`,
  )
}
