import { timestampOf } from '#server/core/wire/timestamp.ts'
import type {
  Delivery,
  DeliveryState,
  Endpoint,
  EndpointState,
  TryProblem,
} from '#server/modules/integrations/webhooks/schema.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

/** The event id that receivers see: the same on every attempt, for every endpoint, and never reused. */
export function webhookIdOf({ seq, happenedAt }: { seq: string; happenedAt: Date }): string {
  return `evt_${seq}_${happenedAt.getTime().toString(36)}`
}

/** The body of a delivery, equal byte for byte on every attempt: `payload` is the text that the database has. */
export function bodyOf({ name, payload }: { name: string; payload: string }): string {
  return `{"event": ${JSON.stringify(name)}, "data": ${payload}}`
}

export interface EndpointRow {
  endpointId: string
  version: number
  url: string
  description: string | null
  events: EventName[]
  disabledAt: Date | null
  disabledReason: 'person' | 'failing' | null
  failingSince: Date | null
  previousUntil: Date | null
  waiting: number
  failed: number
  lastTryAt: Date | null
  lastStatus: number | null
  lastProblem: TryProblem | null
  lastArrivedAt: Date | null
  createdAt: Date
}

export function toEndpoint(row: EndpointRow, now: Date): Endpoint {
  const { endpointId, version, url, events, waiting, failed } = row
  return {
    endpointId,
    version,
    url,
    ...(row.description !== null && { description: row.description }),
    events,
    state: stateOf(row),
    ...(row.disabledAt !== null && {
      offSince: timestampOf(row.disabledAt),
      offReason: row.disabledReason ?? 'person',
    }),
    ...(row.failingSince !== null && { failingSince: timestampOf(row.failingSince) }),
    ...(row.previousUntil !== null &&
      row.previousUntil > now && { previousSecretUntil: timestampOf(row.previousUntil) }),
    waiting,
    failed,
    ...lastTryOf(row),
    ...(row.lastArrivedAt !== null && { lastArrivedAt: timestampOf(row.lastArrivedAt) }),
    createdAt: timestampOf(row.createdAt),
  }
}

function stateOf({ disabledAt, failed, failingSince }: EndpointRow): EndpointState {
  if (disabledAt !== null) return 'off'
  if (failed > 0) return 'down'
  return failingSince === null ? 'active' : 'failing'
}

interface LastTry {
  lastTryAt: Date | null
  lastStatus: number | null
  lastProblem: TryProblem | null
}

function lastTryOf({ lastTryAt, lastStatus, lastProblem }: LastTry): Pick<Endpoint, 'lastTry'> {
  if (lastTryAt === null) return {}
  return {
    lastTry: {
      at: timestampOf(lastTryAt),
      ...(lastStatus !== null && { status: lastStatus }),
      ...(lastProblem !== null && { problem: lastProblem }),
    },
  }
}

export interface DeliveryRow extends LastTry {
  deliveryId: string
  endpointId: string
  url: string
  seq: string
  /** Absent once the event is no longer stored. */
  happenedAt: Date | null
  event: string
  subjectType: string
  subjectId: string
  state: DeliveryState
  tries: number
  createdAt: Date
  finishedAt: Date | null
}

export function toDelivery({ seq, happenedAt, createdAt, finishedAt, ...row }: DeliveryRow): Delivery {
  const { lastTryAt: _, lastStatus: __, lastProblem: ___, ...delivery } = row
  return {
    ...delivery,
    webhookId: webhookIdOf({ seq, happenedAt: happenedAt ?? createdAt }),
    createdAt: timestampOf(createdAt),
    ...(finishedAt !== null && { finishedAt: timestampOf(finishedAt) }),
    ...lastTryOf(row),
  }
}
