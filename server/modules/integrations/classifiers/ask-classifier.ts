import { createHash } from 'node:crypto'
import { present } from '#server/core/present.ts'
import {
  type AnsweredSignal,
  type AskProblem,
  ClassifierAnswer,
  ItemAnswer,
} from '#server/modules/integrations/classifiers/schema.ts'
import type { ItemContent, TakenItem } from '#server/modules/integrations/classifiers/take-items.ts'
import { openedSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import type { OutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'
import { signDelivery } from '#server/modules/integrations/webhooks/sign-delivery.ts'

/** How much of an answer is read. */
const ANSWER_BYTES = 262_144

/** What is needed to ask a classifier. */
export interface Asked {
  url: string
  secret: Uint8Array
  deadlineMs: number
}

export interface Asking {
  /** The key that secrets are sealed with. */
  key: Buffer
  outside: Outside
  connections: OutsideConnections
  now: () => Date
  stopping: AbortSignal
}

type AskedItem = Pick<TakenItem, 'subjectType' | 'subjectId'> & { content: ItemContent }

/** What became of a request: the signals of each item in their order, undefined for an item without a valid result. */
export interface AskOutcome {
  durationMs: number
  status?: number
  problem?: AskProblem
  signals: (AnsweredSignal[] | undefined)[]
}

/** Asks a classifier about some items in one signed request (docs/classifiers.md). The outcome contains any problem. */
export async function askClassifier(
  { url, secret, deadlineMs }: Asked,
  items: AskedItem[],
  { key, outside, connections, now, stopping }: Asking,
): Promise<AskOutcome> {
  const signedWith = openedSecret(key, secret)
  if (signedWith === undefined) return { durationMs: 0, problem: 'secret', signals: [] }
  const ids = items.map(toItemId)
  const body = JSON.stringify({ items: items.map((item, index) => ({ itemId: ids[index], ...toBody(item) })) })
  const headers = signDelivery({ secrets: [signedWith], webhookId: toRequestId(ids), at: now(), body })
  const posting = { url, headers, body, stopping, answerBytes: ANSWER_BYTES }
  const { answer, ...outcome } = await postOutside(posting, { ...outside, timeLimitMs: deadlineMs }, connections)
  if (outcome.problem !== undefined) return { ...outcome, signals: [] }

  const results = parseResults(answer ?? '')
  const signals = ids.map((id) => results.get(id))
  return { ...outcome, signals, ...(signals.every((found) => found === undefined) && { problem: 'answer' as const }) }
}

/** When the text of an item was written: scores of it were measured then, as far as rules are concerned. */
export function writtenAt({ createdAt, editedAt }: ItemContent): Date {
  return editedAt ?? createdAt
}

/** Names an item and its text: asking again has the id again, an edit gives another. */
function toItemId({ subjectType, subjectId, content }: AskedItem): string {
  return `${subjectType}_${subjectId}_${writtenAt(content).getTime().toString(36)}`
}

function toRequestId(itemIds: string[]): string {
  return `ask_${createHash('sha256').update(itemIds.join(' ')).digest('base64url').slice(0, 22)}`
}

function toBody({ subjectType, subjectId, content }: AskedItem) {
  const { communityId, userId, data, createdAt, editedAt } = content
  return {
    type: subjectType,
    id: subjectId,
    userId,
    ...present({ communityId, data }),
    createdAt: createdAt.toISOString(),
    ...present({ editedAt: editedAt?.toISOString() }),
  }
}

/** The valid results by the id of their item; the first of several. */
function parseResults(answer: string): Map<string, AnsweredSignal[]> {
  const { data } = ClassifierAnswer.safeParse(parseJson(answer))
  const results = (data?.results ?? []).flatMap((result) => {
    const parsed = ItemAnswer.safeParse(result)
    return parsed.success ? [parsed.data] : []
  })
  return new Map(results.reverse().map(({ itemId, signals }) => [itemId, signals]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
