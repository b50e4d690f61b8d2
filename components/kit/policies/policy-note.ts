'use client'
import { lazyPart } from '#components/ui/lazy-part.tsx'

/** The title of a policy, loaded where something names one: the queue's first script has no room for it. */
export const PolicyNote = lazyPart(() => import('./policy-title.tsx').then(({ PolicyTitle }) => PolicyTitle), {
  isPlain: true,
})
