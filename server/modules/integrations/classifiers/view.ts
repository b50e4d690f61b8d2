import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type {
  AskProblem,
  ClassifiedKind,
  Classifier,
  ClassifierState,
} from '#server/modules/integrations/classifiers/schema.ts'

export interface ClassifierRow {
  classifierId: string
  version: number
  name: string
  url: string
  communityId: string | null
  communityName: string | null
  kinds: ClassifiedKind[]
  deadlineMs: number
  batchSize: number
  failures: number
  openedAt: Date | null
  probeAt: Date | null
  disabledAt: Date | null
  waiting: number
  answered: number
  failed: number
  dropped: number
  medianMs: number | null
  lastAnsweredAt: Date | null
  lastFailedAt: Date | null
  lastProblem: AskProblem | null
  lastStatus: number | null
  createdAt: Date
}

export function toClassifier(row: ClassifierRow): Classifier {
  const { classifierId, version, name, url, kinds, deadlineMs, batchSize, waiting, answered, failed, dropped } = row
  const { communityId, communityName, lastFailedAt, lastProblem, lastStatus } = row
  return {
    classifierId,
    version,
    name,
    url,
    kinds,
    deadlineMs,
    batchSize,
    state: stateOf(row),
    waiting,
    answered,
    failed,
    dropped,
    ...(communityId !== null && { community: { communityId, name: communityName || communityId } }),
    ...(lastFailedAt !== null &&
      lastProblem !== null && {
        lastFailure: {
          at: timestampOf(lastFailedAt),
          problem: lastProblem,
          ...present({ status: lastStatus ?? undefined }),
        },
      }),
    ...present({
      offSince: row.disabledAt && timestampOf(row.disabledAt),
      openSince: row.openedAt && timestampOf(row.openedAt),
      probeAt: row.probeAt && timestampOf(row.probeAt),
      medianMs: row.medianMs ?? undefined,
      lastAnsweredAt: row.lastAnsweredAt && timestampOf(row.lastAnsweredAt),
    }),
    createdAt: timestampOf(row.createdAt),
  }
}

function stateOf({ disabledAt, openedAt, failures }: ClassifierRow): ClassifierState {
  if (disabledAt !== null) return 'off'
  if (openedAt !== null) return 'open'
  return failures > 0 ? 'failing' : 'working'
}
