import { z } from 'zod'
import { ResourceId, text, visibleText, webAddress } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import type { TryProblem } from '#server/modules/integrations/webhooks/schema.ts'
import { SignalName } from '#server/modules/rules/conditions/schema.ts'

export const CLASSIFIERS_LIMIT = 10
export const DEADLINE_MS = { min: 100, max: 10_000, usual: 2_000 }
export const BATCH_SIZE = { min: 1, max: 50, usual: 10 }
/** Requests in a row that fail before the circuit breaker opens. */
export const FAILURES_TO_OPEN = 10
/** How often asking about an item may fail, unless the breaker is open. */
export const ATTEMPTS = 5
/** What waited longer is dropped. */
export const WAITS_HOURS = 6
/** The most items waiting for one classifier; beyond that, the oldest are dropped. */
export const WAITING_LIMIT = 100_000

export const CLASSIFIED_KINDS = ['comment', 'post', 'message'] as const
export type ClassifiedKind = (typeof CLASSIFIED_KINDS)[number]

const ClassifierId = text({ min: 1, max: 100 })

/** A classifier of a community is asked about its comments and posts; messages belong to no community. */
export const ClassifierFields = z
  .object({
    name: visibleText({ max: 100 }),
    url: webAddress({ max: 2_000 }),
    communityId: ResourceId.optional(),
    kinds: z.array(z.enum(CLASSIFIED_KINDS)).min(1).max(CLASSIFIED_KINDS.length),
    deadlineMs: z.int().min(DEADLINE_MS.min).max(DEADLINE_MS.max).default(DEADLINE_MS.usual),
    batchSize: z.int().min(BATCH_SIZE.min).max(BATCH_SIZE.max).default(BATCH_SIZE.usual),
  })
  .refine(({ communityId, kinds }) => communityId === undefined || !kinds.includes('message'), {
    path: ['kinds'],
    error: 'must not include message for a community',
  })
export type ClassifierFields = z.output<typeof ClassifierFields>

/** `version` is of the classifier as it was read: if it has changed since, the call fails with CHANGED. */
export const ClassifierInput = z.object({ classifierId: ClassifierId, version: Version })
export type ClassifierInput = z.output<typeof ClassifierInput>
export const ClassifierChange = ClassifierFields.and(ClassifierInput)
export type ClassifierChange = z.output<typeof ClassifierChange>
export const SwitchClassifier = ClassifierInput.extend({ isOn: z.boolean() })
export type SwitchClassifier = z.output<typeof SwitchClassifier>
export const ClassifierOnly = ClassifierInput.pick({ classifierId: true })
export type ClassifierOnly = z.output<typeof ClassifierOnly>

/**
 * `failing`: the last request failed. `open`: so many failed that its circuit breaker is open, and only a probe is sent from time to time.
 * `off` is asked nothing.
 */
export type ClassifierState = 'working' | 'failing' | 'open' | 'off'

/**
 * Why a request failed; `answer` is one that isn't what docs/classifiers.md describes, `secret` one that can't be signed: DOCKET_SECRET has changed since
 * the secret was made.
 */
export type AskProblem = TryProblem | 'answer'

export interface Classifier extends Omit<ClassifierFields, 'communityId'> {
  classifierId: string
  version: number
  /** Absent for the whole network. */
  community?: { communityId: string; name: string }
  state: ClassifierState
  offSince?: string
  /** Since when its circuit breaker is open, and when a probe is sent. */
  openSince?: string
  probeAt?: string
  /** Items, up to 10,000. */
  waiting: number
  /** Items that were answered, given up after the last attempt, and dropped because they waited too long. */
  answered: number
  failed: number
  dropped: number
  /** Of the latest answers. */
  medianMs?: number
  lastAnsweredAt?: string
  lastFailure?: { at: string; problem: AskProblem; status?: number }
  createdAt: string
}

/** The only response that contains the secret. */
export interface ClassifierWithSecret {
  classifier: Classifier
  secret: string
}

/** What a classifier answered to an example. */
export interface ExampleAnswer {
  durationMs: number
  status?: number
  problem?: AskProblem
  signals: AnsweredSignal[]
}

const SIGNALS_AN_ITEM = 20

const AnsweredSignal = z.object({
  name: SignalName,
  score: z.number().min(0).max(1),
  modelVersion: text({ min: 1, max: 100 }).optional(),
})
export type AnsweredSignal = z.output<typeof AnsweredSignal>

/** What a classifier answers about an item. */
export const ItemAnswer = z.object({ itemId: z.string(), signals: z.array(AnsweredSignal).max(SIGNALS_AN_ITEM) })

/** The response of a classifier; each result is parsed on its own, so that a wrong one fails no other. */
export const ClassifierAnswer = z.object({ results: z.array(z.unknown()).max(BATCH_SIZE.max) })
