/** What a pool counts; those for reads are counted with it. */
export interface PoolCounts {
  totalCount: number
  idleCount: number
  waitingCount: number
  reads?: PoolCounts | undefined
}

interface ConnectionCounts {
  /** Connections that run a statement or a transaction. */
  used: number
  idle: number
  /** Statements and transactions that are waiting for a connection. */
  awaited: number
}

export function countConnections({ totalCount, idleCount, waitingCount, reads }: PoolCounts): ConnectionCounts {
  const ofReads = reads === undefined ? { used: 0, idle: 0, awaited: 0 } : countConnections(reads)
  return {
    used: totalCount - idleCount + ofReads.used,
    idle: idleCount + ofReads.idle,
    awaited: waitingCount + ofReads.awaited,
  }
}
