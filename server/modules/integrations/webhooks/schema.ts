import { z } from 'zod'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, ResourceId, text, webAddress } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { EventName } from '#server/modules/ledger/events/schema.ts'

export const ENDPOINTS_LIMIT = 10
/** How long the previous secret still signs after a rotation. */
export const ROTATION_HOURS = 24
/** An endpoint is switched off after this long without an arrival. */
export const SWITCHED_OFF_AFTER_DAYS = 5

const EndpointId = text({ min: 1, max: 100 })

/**
 * Where events go: an address of up to 2,000 characters, a description of up to 200, and the subscribed events; none means all.
 */
export const EndpointFields = z.object({
  url: webAddress({ max: 2_000 }),
  description: text({ max: 200 }).optional(),
  events: z.array(EventName).max(100).default([]),
})
export type EndpointFields = z.output<typeof EndpointFields>

/** `version` is of the endpoint as it was read: if it has changed since, the call fails with CHANGED. */
export const EndpointInput = z.object({ endpointId: EndpointId, version: Version })
export type EndpointInput = z.output<typeof EndpointInput>
export const EndpointChange = EndpointFields.extend(EndpointInput.shape)
export type EndpointChange = z.output<typeof EndpointChange>
export const SwitchEndpoint = EndpointInput.extend({ isOn: z.boolean() })
export type SwitchEndpoint = z.output<typeof SwitchEndpoint>
export const EndpointOnly = EndpointInput.pick({ endpointId: true })
export type EndpointOnly = z.output<typeof EndpointOnly>

/** Why an endpoint is rejected: a problem with its address, or too many endpoints. */
export type EndpointProblem = 'notHttps' | 'holdsPassword' | 'notPublic' | 'tooMany'

/**
 * `down` has deliveries that were given up, each holding back later ones of the same subject; `failing` has had nothing arrive
 * since an attempt failed; `off` receives nothing.
 */
export type EndpointState = 'active' | 'failing' | 'down' | 'off'

export interface Endpoint {
  endpointId: string
  version: number
  url: string
  description?: string
  events: EventName[]
  state: EndpointState
  /** Why it is off: somebody switched it off, or nothing arrived for five days. */
  offReason?: 'person' | 'failing'
  offSince?: string
  failingSince?: string
  /** Until when the previous secret still signs, if it was replaced. */
  previousSecretUntil?: string
  waiting: number
  failed: number
  lastTry?: { at: string; status?: number; problem?: TryProblem }
  /** When something last arrived; absent if no arrival is stored. */
  lastArrivedAt?: string
  createdAt: string
}

/** The only response that contains the secret. */
export interface EndpointWithSecret {
  endpoint: Endpoint
  secret: string
}

export const DeliveryState = z.enum(['waiting', 'delivered', 'failed', 'skipped'])
export type DeliveryState = z.output<typeof DeliveryState>

export const TryProblem = z.enum([
  'status',
  'redirect',
  'timeout',
  'address',
  'name',
  'connection',
  'certificate',
  'cut',
  'interrupted',
  'secret',
])
export type TryProblem = z.output<typeof TryProblem>

const Moment = z.iso.datetime({ offset: true }).transform((value) => new Date(value))

/**
 * Newest first. `from` is inclusive, `before` exclusive; `cursor` is the `next` or `previous` of another page of the same list.
 */
export const DeliveriesInput = z.object({
  endpointId: EndpointId.optional(),
  state: DeliveryState.optional(),
  event: EventName.optional(),
  subjectId: ResourceId.optional(),
  from: Moment.optional(),
  before: Moment.optional(),
  limit: z.int().min(1).max(100).default(50),
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
})
export type DeliveriesInput = z.output<typeof DeliveriesInput>

/** Validates only the form of a UUID, because the id begins with a number. */
const DeliveryId = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

export const DeliveryInput = z.object({ deliveryId: DeliveryId })
export type DeliveryInput = z.output<typeof DeliveryInput>
export const SomeDeliveries = z.object({ deliveryIds: z.array(DeliveryId).min(1).max(100) })
export type SomeDeliveries = z.output<typeof SomeDeliveries>

/** Sends the events from one time until before another to the endpoint, including those that were never sent. */
export const ReplayRange = EndpointOnly.extend({ from: Moment, before: Moment }).refine(
  ({ from, before }) => from < before,
  { path: ['before'], error: 'must be later than from' },
)
export type ReplayRange = z.output<typeof ReplayRange>

/** The most deliveries that are sent again at once. */
export const REPLAY_LIMIT = 10_000

export interface Delivery {
  deliveryId: string
  endpointId: string
  url: string
  /** Constant over all attempts and endpoints: receivers use it to detect duplicates. */
  webhookId: string
  event: string
  subjectType: string
  subjectId: string
  state: DeliveryState
  tries: number
  createdAt: string
  finishedAt?: string
  lastTry?: { at: string; status?: number; problem?: TryProblem }
}

export interface DeliveriesPage {
  deliveries: Delivery[]
  next?: string
  previous?: string
}

export interface DeliveryAttempt {
  number: number
  startedAt: string
  /** Absent while the try is in progress. */
  durationMs?: number
  status?: number
  problem?: TryProblem
  /** The first 2 kB of the response. */
  answer?: string
}

export interface DeliveryDetail extends Delivery {
  /** The exact bytes sent; absent once they are no longer stored. */
  body?: string
  /** The headers of the latest try, except its signatures, which are not stored. */
  headers?: Record<string, string>
  /** When it is tried again. */
  nextTryAt?: string
  /** Newest first, at most a hundred. */
  made: DeliveryAttempt[]
}

export interface Replayed {
  count: number
}

/** A test that was sent: use `eventId` to read its result. */
export interface Tested {
  eventId: string
}

export const TestInput = z.object({ eventId: z.string().regex(/^\d{1,18}$/) })
export type TestInput = z.output<typeof TestInput>
