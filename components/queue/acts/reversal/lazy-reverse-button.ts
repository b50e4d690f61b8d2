'use client'
import { lazyPart } from '#components/ui/lazy-part.tsx'

/** Few items are decided and can still be reversed. */
export const ReverseButton = lazyPart(() => import('./reverse-button.tsx').then(({ ReverseButton }) => ReverseButton), {
  isPlain: true,
})
