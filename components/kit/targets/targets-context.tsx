'use client'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { TargetState } from '#server/modules/review/targets/schema.ts'
import { SERVICE_TARGET_MS } from '../review/age.ts'

const READ_EVERY_MS = 60_000
const MINUTE_MS = 60_000

const TargetsContext = createContext<ReadonlyMap<string, TargetState>>(new Map())

/** Provides the service targets of the person's communities and whether they are met: read once for all components. */
export function TargetsProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery(useTRPC().targets.states.queryOptions(undefined, { refetchInterval: READ_EVERY_MS }))
  const targets = useMemo(() => new Map(data?.map((state) => [state.communityId, state])), [data])
  return <TargetsContext value={targets}>{children}</TargetsContext>
}

/** The target of a community, if it has one. */
export const useTarget = (communityId: string) => use(TargetsContext).get(communityId)

/** How soon an item there should be decided, in ms. */
export function useTargetMs(communityId: string | undefined): number {
  return msOf(use(TargetsContext).get(communityId ?? ''))
}

/** The target of a list of one community or of all; undefined if there are several. */
export function useListTargetMs(communityId: string | null): number | undefined {
  const targets = use(TargetsContext)
  if (communityId !== null || targets.size === 0) return msOf(targets.get(communityId ?? ''))
  return undefined
}

const msOf = (target: TargetState | undefined) =>
  target === undefined ? SERVICE_TARGET_MS : target.withinMinutes * MINUTE_MS
