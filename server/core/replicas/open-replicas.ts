import { databaseFailureOf } from '#server/core/database/database-failures.ts'
import type { Pool, Replicas } from '#server/core/database/db-types.ts'
import { sqlStateOf } from '#server/core/database/sql-state.ts'
import type { Logger } from '#server/core/log.ts'
import { coalesced } from '#server/core/replicas/coalesced.ts'
import { readPosition } from '#server/core/replicas/position.ts'
import { openReplica, type Replica, type ReplicaState } from '#server/core/replicas/replica.ts'
import { ReplicaIsUnavailable } from '#server/core/replicas/session.ts'

/** SQLSTATE of a statement that took too long: on the primary it would take as long. */
const CANCELLED = '57014'

export interface OpenReplicas extends Replicas {
  states(): ReplicaState[]
  /** Reads so far that might run on a replica, by where they ran, and those that failed on a replica before they ran on the primary. */
  reads: Readonly<Record<'replica' | 'primary' | 'failed', number>>
  close(): Promise<void>
}

interface ReplicasOptions {
  urls: string[]
  primary: Pool
  /** To each of them. */
  connections: number
  keptConnections: number
  log: Logger
}

/**
 * Reads run on the replicas in turns. Each asks the primary for its position first, together with others that come at the same time, and waits
 * until the replica has reached it: it sees everything that was committed before, by whomever and in whichever process. A start doesn't wait
 * for replicas.
 */
export function openReplicas({ urls, primary, ...options }: ReplicasOptions): OpenReplicas {
  const askPosition = coalesced(() => readPosition(primary))
  const isPooled = primary.directUrl !== undefined
  const replicas = urls.map((url) => openReplica({ ...options, url, isPooled, askPosition }))
  const reads = { replica: 0, primary: 0, failed: 0 }
  let turn = 0

  function nextUsable(): Replica | undefined {
    const usable = replicas.filter((replica) => replica.state().isUsable)
    turn += 1
    return usable[turn % usable.length]
  }

  /** Notes why a read on the replica came to nothing; throws what the primary would throw too. */
  function noteFailure(replica: Replica, error: unknown): void {
    if (error instanceof ReplicaIsUnavailable) {
      if (error.isBehind) replica.note('behind')
      return
    }
    if (!mayPrimarySucceed(error)) throw error
    reads.failed += 1
    options.log.info({ err: error, replica: replica.state().name }, 'a read failed on the replica')
  }

  return {
    reads,
    states: () => replicas.map((replica) => replica.state()),
    read: async (act) => {
      const replica = nextUsable()
      if (replica !== undefined) {
        try {
          const result = await replica.read(act)
          reads.replica += 1
          return result
        } catch (error) {
          noteFailure(replica, error)
        }
      }
      reads.primary += 1
      return act(primary)
    },
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  }
}

/** Conflicts of a read with what a replica receives are among these errors. */
function mayPrimarySucceed(error: unknown): boolean {
  return databaseFailureOf(error) !== undefined && sqlStateOf(error) !== CANCELLED
}
