import { stat } from 'node:fs/promises'
import { backUp } from '#server/cli/backup/back-up.ts'
import { restore } from '#server/cli/backup/restore.ts'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { withProgress } from '#server/cli/with-progress.ts'
import { keyFor } from '#server/core/secret.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'

interface FileOptions {
  file: string
  /** Whether standard error is a terminal. */
  isTerminal: boolean
}

/** `backup`: writes the whole database to a new file while it is in use. */
export async function backupCreate(at: CommandContext, { file, isTerminal }: FileOptions): Promise<Outcome> {
  const summary = await at.asOwner((owner) =>
    withProgress(isTerminal, (onProgress) =>
      backUp({ url: urlOf(owner), file, key: keyFor(at.secret, 'backups'), onProgress }),
    ),
  )
  const { size: bytes } = await stat(file)
  return {
    json: { file, bytes, ...summary },
    text: `Wrote ${counted(summary)} to ${file} (${formatted(Math.ceil(bytes / 1_000))} kB). It contains all data, including credentials. Store it as safely as the secret, but apart from it.`,
  }
}

/** `restore`: loads such a file into an empty database. */
export async function backupRestore(
  at: CommandContext,
  { file, isTerminal, delivers }: FileOptions & { delivers: boolean },
): Promise<Outcome> {
  const summary = await at.asOwner((owner) =>
    withProgress(isTerminal, (onProgress) =>
      restore({
        url: urlOf(owner),
        file,
        key: keyFor(at.secret, 'backups'),
        delivers,
        createJobs: () => createJobs(at),
        onProgress,
      }),
    ),
  )
  const off = delivers ? '' : ' Webhooks and classifiers are off: turn them on at the desk, under Settings.'
  return { json: { file, ...summary }, text: `Restored ${counted(summary)} from ${file}.${off}` }
}

/** pg-boss creates its tables when it starts. */
async function createJobs({ ctx }: CommandContext): Promise<void> {
  const queue = await openDeliveryQueue(ctx)
  await queue.close()
}

function urlOf({ options }: Parameters<Parameters<CommandContext['asOwner']>[0]>[0]): string {
  return options.connectionString ?? ''
}

function counted({ rows, tables }: { rows: number; tables: number }): string {
  return `${formatted(rows)} rows of ${formatted(tables)} tables`
}

function formatted(count: number): string {
  return count.toLocaleString('en')
}
