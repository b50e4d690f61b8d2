import { z } from 'zod'
import { present } from '#server/core/present.ts'
import type { ServiceProblem, TranslatedText } from '#server/modules/integrations/translations/schema.ts'
import type { TranslationService } from '#server/modules/integrations/translations/translation-service.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'

const TIME_LIMIT_MS = 10_000
/** How much of an answer is read; a translation is shorter than this. */
const ANSWER_BYTES = 262_144
const LONGEST = 50_000

/** What LibreTranslate answers. A language that isn't named as one is left out. */
const ServiceAnswer = z.object({
  translatedText: z.string().max(LONGEST).regex(/\S/),
  detectedLanguage: z
    .object({ language: z.string().regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i) })
    .optional()
    .catch(undefined),
})

/** A translation, or the reason why there is none. */
export type Answered = Partial<TranslatedText> & { durationMs: number; problem?: ServiceProblem; status?: number }

/** Has the service translate a text into a language, in one request by LibreTranslate's interface. Never throws: the answer contains any problem. */
export async function askService(
  { url, apiKey, isTrusted }: Pick<TranslationService, 'url' | 'apiKey' | 'isTrusted'>,
  { text, target }: { text: string; target: string },
  outside: Pick<Outside, 'allowsLoopback' | 'resolve' | 'timeLimitMs'>,
): Promise<Answered> {
  if (typeof apiKey === 'object') return { durationMs: 0, problem: 'secret' }
  const connections = openOutsideConnections()
  try {
    const { answer, ...outcome } = await postOutside(
      {
        url: `${url.replace(/\/+$/, '')}/translate`,
        headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Docket' },
        body: JSON.stringify({ q: text, source: 'auto', target, format: 'text', ...present({ api_key: apiKey }) }),
        stopping: new AbortController().signal,
        answerBytes: ANSWER_BYTES,
      },
      { timeLimitMs: TIME_LIMIT_MS, ...outside, isTrusted },
      connections,
    )
    if (outcome.problem !== undefined) return { ...outcome, problem: problemOf(outcome.problem, outcome.status) }
    const { data } = ServiceAnswer.safeParse(parseJson(answer ?? ''))
    if (data === undefined) return { ...outcome, problem: 'answer' }
    return {
      ...outcome,
      text: data.translatedText.toWellFormed(),
      ...present({ language: data.detectedLanguage?.language }),
    }
  } finally {
    connections.close()
  }
}

const STATUSES: Record<number, ServiceProblem> = { 401: 'key', 403: 'key', 429: 'busy' }

function problemOf(problem: ServiceProblem, status = 0): ServiceProblem {
  return problem === 'status' ? (STATUSES[status] ?? problem) : problem
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
