import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** DOCKET_SECRET, or the one of this home, created on its first run and readable by its owner only. */
export async function readSecret(settings: {
  DOCKET_SECRET?: string | undefined
  DOCKET_HOME: string
}): Promise<string> {
  if (settings.DOCKET_SECRET !== undefined) return settings.DOCKET_SECRET
  const file = path.join(settings.DOCKET_HOME, 'secret')
  await mkdir(settings.DOCKET_HOME, { recursive: true })
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

/** One key per purpose, so that none can be used for another purpose. */
export function keyFor(
  secret: string,
  purpose:
    | 'sessions'
    | 'audit'
    | 'reports'
    | 'webhooks'
    | 'answers'
    | 'backups'
    | 'notifications'
    | 'stop links'
    | 'translation',
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `docket ${purpose}`, 32))
}
