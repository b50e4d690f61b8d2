'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { DraftTestBatch, DraftTestInput, Tested } from '#server/modules/review/backtests/schema.ts'
import { addTested, withSamples } from './use-backtest.ts'

/** Of one request: the server's limit. */
const BATCH = 1_000
/** A draft is tested by itself this far, so that each change costs little; the rest when the person asks for it. */
const BATCHES_BY_ITSELF = 3
/** Further, if what it is made from is in more communities, but no further than this. */
const COMMUNITIES_OF_SOURCE = 20
/** After the last change. */
const WAIT_MS = 700
const SAMPLES = 5

/** The sums of all batches so far. */
export interface DraftSums extends Pick<DraftTestBatch, 'samples' | 'missing' | 'failed'> {
  together: Tested
  /** Items there are, as far as is known. */
  total: number
  /** Of what the draft is made from. */
  source?: { total: number; caught: number }
  /** What it finds besides that. */
  others: number
}

export interface DraftTestState {
  /** `more`: there is more than was looked at. */
  status: 'waiting' | 'running' | 'more' | 'done' | 'failed'
  sums?: DraftSums
  error?: unknown
}

type Draft = DraftTestInput['draft']
/** What the draft is made from, and the communities that it is in. */
export type DraftSource = NonNullable<DraftTestInput['source']> & { communityIds: string[] }

/**
 * Tests a draft by itself, a moment after it was changed, on what is pending and on past decisions: in its community, or if it is the network's, in all that the person reviews.
 * Undefined where a draft isn't complete.
 */
export function useDraftTest(draft: Draft | undefined, source: DraftSource | undefined) {
  const [state, setState] = useState<DraftTestState>({ status: 'waiting' })
  const controller = useRef<AbortController>(null)
  const batches = useRef<AsyncGenerator<DraftSums>>(null)
  const isOfNetwork = draft?.communityId === null
  const counts = useQuery({ ...useTRPC().review.counts.queryOptions(), enabled: isOfNetwork })
  // Those of its source first: of many, the others are looked at only when asked for.
  const isOfSource = (communityId: string) => source?.communityIds.includes(communityId) ?? false
  const reviewed = counts.data?.communities
    .map(({ communityId }) => communityId)
    .toSorted((one, other) => Number(isOfSource(other)) - Number(isOfSource(one)))
  const places = isOfNetwork ? reviewed : draft?.communityId && [draft.communityId]
  const key = draft && places && JSON.stringify([draft, places])

  const setStatus = (status: DraftTestState['status']) => setState(({ sums }) => ({ status, ...(sums && { sums }) }))

  async function look(atMost: number): Promise<void> {
    const { signal } = controller.current ?? {}
    setStatus('running')
    try {
      const isOver = await pull(
        batches.current,
        atMost,
        (sums) => !signal?.aborted && setState({ status: 'running', sums }),
      )
      if (!signal?.aborted) setStatus(isOver ? 'done' : 'more')
    } catch (error) {
      if (!signal?.aborted) setState({ status: 'failed', error })
    }
  }

  const begin = useEffectEvent(() => {
    controller.current?.abort()
    controller.current = new AbortController()
    batches.current = draft && places ? batchesOf(draft, places, source, controller.current.signal) : null
    setState({ status: 'running' })
    void look(Math.max(BATCHES_BY_ITSELF, Math.min(source?.communityIds.length ?? 0, COMMUNITIES_OF_SOURCE)))
  })
  useEffect(() => {
    if (key === undefined) {
      setState({ status: 'waiting' })
      return
    }
    const timer = setTimeout(() => begin(), WAIT_MS)
    return () => {
      clearTimeout(timer)
      controller.current?.abort()
    }
  }, [key])

  return { state, lookAtAll: () => void look(Number.POSITIVE_INFINITY) }
}

/** Takes at most so many sums; true at the end. */
async function pull(
  batches: AsyncGenerator<DraftSums> | null,
  atMost: number,
  onSums: (sums: DraftSums) => void,
): Promise<boolean> {
  for (let count = 0; count < atMost; count += 1) {
    const next = await batches?.next()
    if (next === undefined || next.done) return true
    onSums(next.value)
  }
  return false
}

/** The sums after each batch. What the draft is made from is looked at first in each community, so that it isn't counted among the others. */
async function* batchesOf(
  draft: Draft,
  places: string[],
  source: DraftSource | undefined,
  signal: AbortSignal,
): AsyncGenerator<DraftSums> {
  const ofSource = new Set<string>()
  let sums: DraftSums | undefined
  for (const communityId of places) {
    let cursor: string | undefined
    do {
      const input = {
        draft,
        communityId,
        limit: BATCH,
        samples: SAMPLES,
        ...(source && { source: { subject: source.subject, isWave: source.isWave } }),
        ...(cursor && { cursor }),
      }
      const batch = await request(input, signal)
      for (const name of batch.source?.caught ?? []) ofSource.add(name)
      sums = add(sums, batch, ofSource)
      yield sums
      cursor = batch.next
    } while (cursor !== undefined)
  }
}

const request = (input: Parameters<typeof trpcClient.rules.testDraft.mutate>[0], signal: AbortSignal) =>
  trpcClient.rules.testDraft.mutate(input, { signal })

function add(sums: DraftSums | undefined, batch: DraftTestBatch, ofSource: ReadonlySet<string>): DraftSums {
  const { together, missing, failed, samples, total = 0 } = batch
  const isOther = (name: string) => !ofSource.has(name)
  const others = samples.filter(({ subjectType, subjectId }) => isOther(`${subjectType}:${subjectId}`))
  const source = addSource(sums?.source, batch.source)
  return {
    together: sums ? addTested(sums.together, together) : together,
    missing: (sums?.missing ?? 0) + missing,
    failed: (sums?.failed ?? 0) + failed,
    total: (sums?.total ?? 0) + total,
    samples: withSamples(sums?.samples ?? [], others),
    others: (sums?.others ?? 0) + batch.caught.filter(isOther).length,
    ...(source && { source }),
  }
}

function addSource(sums: DraftSums['source'], batch: DraftTestBatch['source']): DraftSums['source'] {
  if (batch === undefined) return sums
  return { total: (sums?.total ?? 0) + batch.total, caught: (sums?.caught ?? 0) + batch.caught.length }
}
