import { batched } from '#server/core/batched.ts'
import type { Ctx } from '#server/core/ctx.ts'
import type { DeliveryJob, DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { openedSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import type { OutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outcome, type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'
import { type FinishedAttempt, recordAttempts } from '#server/modules/integrations/webhooks/record-attempts.ts'
import { signDelivery } from '#server/modules/integrations/webhooks/sign-delivery.ts'
import { type StartedAttempt, startAttempts } from '#server/modules/integrations/webhooks/start-attempts.ts'
import { bodyOf, webhookIdOf } from '#server/modules/integrations/webhooks/view.ts'

/** Tries that start, or that end, within this time share their statements. */
const START_WINDOW_MS = 10
const END_WINDOW_MS = 25

export interface Delivering {
  queue: DeliveryQueue
  /** The key that secrets are sealed with. */
  key: Buffer
  outside: Outside
  connections: OutsideConnections
  stopping: AbortSignal
}

export interface Deliverer {
  /** Makes one delivery attempt. Undefined if the delivery must no longer be sent. */
  send(job: DeliveryJob): Promise<FinishedAttempt | undefined>
  /** Stores the result of an attempt. */
  record(ended: FinishedAttempt): Promise<void>
}

/**
 * Makes delivery attempts. The start of an attempt is stored before anything is sent; its result, what follows and the queue's update are
 * one transaction. If the process dies in between, another one takes over: the delivery may arrive twice, with one id.
 */
export function createDeliverer(ctx: Ctx, { queue, ...sending }: Delivering): Deliverer {
  const begin = batched((jobs: DeliveryJob[]) => startAttempts(ctx, queue, jobs), { windowMs: START_WINDOW_MS })
  const record = batched(
    async (tries: FinishedAttempt[]) => {
      await recordAttempts(ctx, queue, tries)
      return tries.map(() => undefined)
    },
    { windowMs: END_WINDOW_MS },
  )
  return {
    send: async (job) => {
      const begun = await begin(job)
      return begun && { job, begun, outcome: await post(begun, sending) }
    },
    record,
  }
}

async function post(
  begun: StartedAttempt,
  { key, outside, connections, stopping }: Omit<Delivering, 'queue'>,
): Promise<Outcome> {
  const body = bodyOf(begun)
  const secret = openedSecret(key, begun.secret)
  if (secret === undefined) return { durationMs: 0, problem: 'secret' }
  const secrets: [string, ...string[]] = [secret]
  // Made under an earlier DOCKET_SECRET, it signs nothing any more: that is why it was replaced.
  const previous = begun.previousSecret === null ? undefined : openedSecret(key, begun.previousSecret)
  if (previous !== undefined) secrets.push(previous)
  const headers = signDelivery({ secrets, webhookId: webhookIdOf(begun), at: begun.startedAt, body })
  return postOutside({ url: begun.url, headers, body, stopping }, outside, connections)
}
