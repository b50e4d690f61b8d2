'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { throttle } from '#components/live/throttle.ts'

/** Runs the latest `act`, at most once in this time. */
export function useThrottled(ms: number, act: () => void): () => void {
  const latest = useEffectEvent(act)
  const [throttled] = useState(() => throttle(ms, () => latest()))
  useEffect(() => throttled.cancel, [throttled])
  return throttled.call
}
